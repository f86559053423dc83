//! The ways to read one file give one answer: from a slice, from a reader, from what can be read
//! anywhere, from a map, and from a state dict; fresh and in place. Files are kept, since states that
//! hold values of any type borrow from what they are read from.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use npcodec::ndarray::{ArcArray1, Array1, Array2, ArrayD, IxDyn, ShapeBuilder};
use npcodec::{
    Checkpoint, Error, ErrorKind, Limits, LoadReport, MappedCheckpoint, NumpyEncoding, PathPattern,
    ReadOptions, Restore, StateDict, Strictness, Structured, Value, WriteOptions, decode_with,
    from_reader_with, from_slice_with, load_from, load_into_from, to_vec, to_vec_with,
};
use npcodec_tests::kept::kept;

#[derive(Structured, Debug, Clone, PartialEq)]
struct Step {
    action: i16,
    done: bool,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
enum Schedule {
    Constant,
    Table(Array1<f32>),
    Named { at: u8, table: Array1<u16> },
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct Layer {
    kernel: Array2<f32>,
    bias: Option<Array1<u8>>,
}

#[derive(Checkpoint, Debug, Clone, PartialEq)]
struct State {
    layers: Vec<Layer>,
    pair: (Array1<i8>, u8),
    heads: BTreeMap<String, Array1<f64>>,
    #[checkpoint(alias = "rate")]
    lr: f64,
    schedule: Schedule,
    last: Option<Box<Schedule>>,
    shared: ArcArray1<u16>,
    counted: Arc<Array1<u8>>,
    cow: Cow<'static, Array1<u8>>,
    ring: VecDeque<Array1<u8>>,
    fixed: [Array1<i8>; 2],
    flags: Array1<bool>,
    steps: Array1<Step>,
    names: Array1<String>,
    columns: Array2<u16>,
    #[checkpoint(compress)]
    frames: Vec<Array1<u8>>,
    #[checkpoint(array)]
    block: Vec<[u16; 2]>,
    #[checkpoint(cast)]
    wide: ArrayD<f64>,
    wire: NumpyEncoding<'static>,
    value: Value<'static>,
    blob: Vec<u8>,
    data: BTreeMap<String, Value<'static>>,
    #[checkpoint(default)]
    step: u64,
    #[checkpoint(flatten)]
    rest: StateDict<'static>,
}

fn state(seed: usize) -> State {
    let at = |i: usize| (i * 7 + seed * 13) % 2;
    let bytes = |length: usize| Array1::from_shape_fn(length, |i| at(i) as u8);
    let wire = |length: usize| {
        let array = bytes(length);
        NumpyEncoding::from_array(array.view())
            .unwrap()
            .into_owned()
    };
    let part = |value: Value<'static>| BTreeMap::from([("data".to_owned(), value)]);
    let mut ring: VecDeque<_> = (0..3).map(|n| bytes(5_000 + n)).collect();
    ring.rotate_left(1);
    State {
        layers: (0..2)
            .map(|n| Layer {
                kernel: Array2::from_shape_fn((40, 30), |(i, j)| at(i * j + n) as f32),
                bias: (n == 0).then(|| bytes(7)),
            })
            .collect(),
        pair: (Array1::from_elem(4_100, at(1) as i8), at(2) as u8),
        heads: ["a", "b.c"]
            .map(|key| (key.to_owned(), Array1::from_elem(600, at(3) as f64)))
            .into(),
        lr: at(0) as f64,
        schedule: Schedule::Table(Array1::from_elem(1_100, at(1) as f32)),
        last: Some(Box::new(Schedule::Named {
            at: at(1) as u8,
            table: Array1::from_elem(2_100, at(1) as u16),
        })),
        shared: ArcArray1::from_shape_fn(2_100, |i| at(i) as u16),
        counted: Arc::new(bytes(4_500)),
        cow: Cow::Owned(bytes(4_600)),
        ring,
        fixed: [0, 1].map(|n| Array1::from_elem(4_200, at(n) as i8)),
        flags: Array1::from_shape_fn(4_300, |i| at(i) == 0),
        steps: Array1::from_shape_fn(1_500, |i| Step {
            action: at(i) as i16,
            done: at(i) == 1,
        }),
        names: Array1::from_shape_fn(600, |i| format!("n{}", at(i))),
        columns: Array2::from_shape_fn((50, 60).f(), |(i, j)| at(i + j) as u16),
        frames: (0..3).map(|n| bytes(300 + n)).collect(),
        block: (0..1_200).map(|i| [at(i) as u16, 1]).collect(),
        wide: ArrayD::from_shape_fn(IxDyn(&[20, 30, 2]), |i| at(i[0]) as f64),
        wire: wire(4_700),
        value: Value::List(vec![
            Value::Array(wire(4_800)),
            Value::from(bytes(4_900).to_vec()),
        ]),
        blob: bytes(5_000).to_vec(),
        data: part(Value::from(bytes(5_100).to_vec())),
        step: at(1) as u64,
        rest: [
            ("more", Value::Array(wire(5_200))),
            ("odd", Value::from(1.5)),
        ]
        .into_iter()
        .collect(),
    }
}

/// Numbers that look random and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// A reader that gives a few bytes at a time, and is interrupted.
struct Halting<'b>(&'b [u8], u32);

impl Read for Halting<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.1 = self.1.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if self.1 >> 30 == 0 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = (self.1 >> 20) as usize % 2_000 + 1;
        let count = count.min(bytes.len());
        self.0.read(&mut bytes[..count])
    }
}

/// The bytes of a file that are not in the middle of a payload.
fn structure(file: &[u8]) -> Vec<usize> {
    let checkpoint = MappedCheckpoint::from_bytes(file.to_vec()).unwrap();
    let start = checkpoint.bytes().as_ptr().addr();
    let mut is_payload = vec![false; file.len()];
    for array in checkpoint.arrays() {
        let array = array.unwrap();
        let at = array.data().as_ptr().addr() - start;
        let end = (at + array.data().len()).saturating_sub(2);
        is_payload[(at + 2).min(end)..end].fill(true);
    }
    (0..file.len()).filter(|&at| !is_payload[at]).collect()
}

/// Changes, takes out, puts in or cuts off a few bytes.
fn damaged(file: &[u8], places: &[usize], random: &mut Random) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..1 + random.below(2) {
        let at = (*random.pick(places)).min(file.len() - 1);
        match random.below(12) {
            0 => drop(file.remove(at)),
            1 => file.insert(at, random.below(256) as u8),
            2 => file.truncate(at.max(1)),
            3 => {
                file[at] = *random.pick(b"\xc0\x80\x81\x90\x91\xa0\xa1\xc4\xc6\xd9\x01\xff\xd4\xc1")
            }
            4 => file[at] = file[at].wrapping_add(1),
            5 => file[at] = file[at].wrapping_sub(1),
            6 => file.push(random.below(256) as u8),
            7 => {
                let word = *random.pick(&["data", "shape", "dtype", "order", "step", "bias"]);
                let end = (at + word.len()).min(file.len());
                file[at..end].copy_from_slice(&word.as_bytes()[..end - at]);
            }
            _ => file[at] ^= 1 << random.below(8),
        }
    }
    file
}

/// Options, and whether they select a part.
fn options(random: &mut Random) -> (ReadOptions, bool) {
    let options = ReadOptions::new().strictness(*random.pick(&[
        Strictness::Strict,
        Strictness::Lenient,
        Strictness::SkipMismatched,
    ]));
    let only = |patterns: &[&str]| {
        let patterns = patterns.iter().map(|text| text.parse::<PathPattern>());
        (options.clone().only(patterns.map(Result::unwrap)), true)
    };
    let whole = |options| (options, false);
    match random.below(16) {
        0 => only(&["layers[*].kernel", "rest"]),
        1 => only(&["**.data", "more", "schedule.Table", "last"]),
        2 => only(&["value", "heads.a", "lr", "data.data", "wire.shape"]),
        3 => only(&["ring[1]", "pair[0]", "fixed[0]", "frames[2]", "odd.x"]),
        4 => only(&["value[0]", "step"]),
        5 => whole(options.limits(Limits::new().array_bytes(5_000 + random.below(500)))),
        6 => {
            let limits = Limits::new().depth(random.below(6));
            whole(options.limits(limits.keys(20 + random.below(10))))
        }
        7 => whole(options.limits(Limits::new().key_bytes(random.below(10)))),
        _ => whole(options),
    }
}

/// What a reading gave, to be compared.
fn told<T: Checkpoint>(read: &Result<(T, LoadReport), Error>) -> Result<(Vec<u8>, String), String> {
    match read {
        Ok((value, report)) => Ok((to_vec(value).unwrap(), report.to_string())),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads a file fresh, in every way.
fn fresh<T>(file: &'static [u8], options: &ReadOptions, what: &str) -> Option<Vec<u8>>
where
    T: Checkpoint + Restore<'static>,
{
    let sliced = from_slice_with::<T>(file, options);
    let loaded = load_from::<T>(Cursor::new(file), options);
    let (said, also) = (told(&sliced), told(&loaded));
    assert_eq!(
        said.is_ok(),
        also.is_ok(),
        "{what}: {sliced_error}\n{loaded_error}",
        sliced_error = said.as_ref().err().map_or("", |error| error),
        loaded_error = also.as_ref().err().map_or("", |error| error)
    );
    assert!(said == also, "{what}: {:?}\n{:?}", said.err(), also.err());
    let streamed = from_reader_with::<T>(Halting(file, file.len() as u32), options);
    let cut = |read: &Result<(T, LoadReport), Error>| {
        read.as_ref().is_err_and(|error| {
            matches!(
                error.kind(),
                ErrorKind::Truncated { .. } | ErrorKind::Limit { .. }
            )
        })
    };
    assert_eq!(sliced.is_ok(), streamed.is_ok(), "{what}");
    if !cut(&sliced) {
        assert!(
            said == told(&streamed),
            "{what}: {:?}\n{:?}",
            said.err(),
            told(&streamed).err()
        );
    }
    said.ok().map(|(bytes, _)| bytes)
}

fn check(file: &'static [u8], (options, is_part): &(ReadOptions, bool), what: &str) -> [bool; 2] {
    fresh::<Value<'static>>(file, options, what);
    let read = fresh::<State>(file, options, what);

    let before = state(2);
    let unchanged = to_vec(&before).unwrap();
    let in_place = |load: &dyn Fn(&mut State) -> Result<LoadReport, Error>| {
        let mut state = before.clone();
        state.counted = Arc::new((*state.counted).clone());
        let loaded = load(&mut state);
        let bytes = to_vec(&state).unwrap();
        match loaded {
            Ok(report) => Ok((bytes, report)),
            Err(error) => {
                assert!(
                    !matches!(error.kind(), ErrorKind::PartlyLoaded { .. }),
                    "{what}"
                );
                assert!(bytes == unchanged, "{what}: {error}");
                Err(error)
            }
        }
    };
    let said = |loaded: &Result<(Vec<u8>, LoadReport), Error>| match loaded {
        Ok((bytes, report)) => Ok((bytes.clone(), report.to_string())),
        Err(error) => Err(error.to_string()),
    };
    let loaded = in_place(&|state| load_into_from(Cursor::new(file), state, options));
    if let Ok(checkpoint) = MappedCheckpoint::from_bytes(file.to_vec()) {
        // The file outlives the state, whose types borrow nothing of it.
        let checkpoint = kept(checkpoint);
        let mapped = in_place(&|state| checkpoint.restore_into_with(state, options));
        assert!(
            said(&loaded) == said(&mapped),
            "{what}: {:?}\n{:?}",
            said(&loaded).err(),
            said(&mapped).err()
        );
    } else {
        // What a part has beside it is only passed over.
        assert!(loaded.is_err() || *is_part, "{what}");
    }
    let everything = ReadOptions::new();
    if let (Ok(Value::Map(dict)), Ok(_)) =
        (decode_with(file, &everything), decode_with(file, options))
    {
        let dict = kept(dict.into_owned());
        let other = in_place(&|state| state.load_state_dict_with(dict, options));
        assert!(
            said(&loaded) == said(&other),
            "{what}: {:?}\n{:?}",
            said(&loaded).err(),
            said(&other).err()
        );
    }
    if let Ok((bytes, report)) = &loaded {
        if report.is_clean() && !is_part {
            assert!(
                read.as_ref() == Some(bytes),
                "{what}: in place it is another"
            );
        }
    }
    [read.is_some(), loaded.is_ok()]
}

fn compare(rounds: usize, seed: u64) {
    let mut random = Random(seed);
    let files: Vec<_> = [
        WriteOptions::new(),
        WriteOptions::new().align(64),
        WriteOptions::new().chunk_bytes(5_000),
    ]
    .iter()
    .map(|options| to_vec_with(&state(1), options).unwrap())
    .map(|file| (structure(&file), file))
    .collect();
    let mut counts = [0; 2];
    for round in 0..rounds {
        let (places, file) = random.pick(&files);
        let (places, file) = (places.clone(), file.clone());
        let file = match round % 8 {
            0 => file,
            _ => damaged(&file, &places, &mut random),
        };
        let options = options(&mut random);
        let outcome = check(
            kept(file),
            &options,
            &format!("round {round} of seed {seed}, {options:?}"),
        );
        for (count, outcome) in counts.iter_mut().zip(outcome) {
            *count += usize::from(outcome);
        }
    }
    println!("of {rounds} files {counts:?} were read fresh and in place");
    assert!(
        counts
            .iter()
            .all(|count| (rounds / 20..rounds).contains(count))
    );
}

#[test]
fn every_way_to_read_a_file_gives_the_same() {
    compare(200, 0x9e37_79b9_7f4a_7c15);
}

#[test]
#[ignore = "takes minutes: scripts/test --all runs it"]
fn every_way_to_read_many_files_gives_the_same() {
    let seed = std::env::var("NPCODEC_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    compare(2_000, seed.unwrap_or(88_172_645_463_325_252));
}
