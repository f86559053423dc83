//! States to records and back, by the paths of their leaves.

use super::flatten::leaves;
use super::rebuild::{Tree, path};
use crate::checkpoint::{Checkpoint, Fortran, ReadOptions, Restore, Save, Shared, Structure};
use crate::checkpoint::{from_deserializer, load_in_place};
use crate::encoding::NumpyEncoding;
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::flower::protobuf::{FORMAT, fault, under};
use crate::flower::{Array, ArrayRecord, Record, RecordDict};
use crate::path::Path;
use crate::report::{LoadReport, Strictness};
use crate::state::Value;

/// The key under which the arrays of a state stand in a [`RecordDict`].
pub const ARRAYS: &str = "arrays";

/// The key under which everything else of a state stands in a [`RecordDict`].
pub const CONFIG: &str = "config";

/// Makes records of a state: an `ArrayRecord` under `arrays` and a `ConfigRecord` under `config`.
///
/// The key of a leaf is its [path](crate::Path): `agent.layers[3].kernel`. Arrays borrow the memory of
/// the state. Numbers, texts, byte strings, and lists of one of these are values of the
/// `ConfigRecord`; an f32 is widened, which keeps it. Other lists are taken apart: `mixed[0]`,
/// `mixed[1]`. What Flower has no value for is listed by path under a key that begins with a dot, as no
/// path does: `.nil`, `.map` (maps without entries or with integer keys), and `.integer` (integers of
/// more than 64 bits, whose values are decimal texts).
///
/// The same state gives the same records, and so the same object ids. A map that holds both arrays
/// and other values comes back with the arrays first.
///
/// ```
/// use npcodec::Checkpoint;
/// use npcodec::flower::{from_records, to_records};
/// use npcodec::ndarray::{Array2, array};
///
/// #[derive(Checkpoint, Debug, PartialEq)]
/// struct State {
///     layers: Vec<Array2<f32>>,
///     learning_rate: f32,
///     seed: Option<u64>,
/// }
///
/// let state = State { layers: vec![array![[1.0, 2.0]]], learning_rate: 0.1, seed: None };
/// let records = to_records(&state)?;
/// let (arrays, config) = (records.array_record("arrays"), records.config_record("config"));
/// assert!(arrays.is_some_and(|arrays| arrays.contains_key("layers[0]")));
/// assert_eq!(config.map(|config| config.read("learning_rate")).transpose()?, Some(0.1f32));
/// assert_eq!(from_records::<State>(&records)?, state);
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`] with every leaf that has no form: complex numbers that are no arrays,
/// extensions, arrays that NumPy's files do not hold. Those of
/// [`to_value`](crate::Checkpoint::to_value), by which one array has less than 4 GiB, and
/// [`ErrorKind::TooDeep`].
pub fn to_records<T: Save + ?Sized>(state: &T) -> Result<RecordDict<'_>, Error> {
    let mut leaves = leaves(state.to_value()?)?;
    let arrays = arrays(leaves.arrays, &mut leaves.unsupported);
    refuse(leaves.unsupported)?;
    leaves.markers.write(&mut leaves.config);
    let mut records = RecordDict::new();
    let arrays = arrays
        .into_iter()
        .map(|(path, array)| (path.to_string(), array));
    records.insert(ARRAYS, arrays.collect::<ArrayRecord<'_>>());
    records.insert(CONFIG, leaves.config);
    Ok(records)
}

/// Makes Flower's arrays of encodings, and lists those of which it cannot be done.
pub(super) fn arrays<'a>(
    encodings: Vec<(Path, NumpyEncoding<'a>)>,
    unsupported: &mut Vec<UnsupportedLeaf>,
) -> Vec<(Path, Array<'a>)> {
    let mut arrays = Vec::new();
    for (path, encoding) in encodings {
        let found = encoding.to_string();
        match Array::from_encoding(encoding) {
            Ok(array) => arrays.push((path, array)),
            Err(error) => {
                let reason = error.kind().to_string();
                unsupported.push(UnsupportedLeaf::new(path, found, reason));
            }
        }
    }
    arrays
}

/// Refuses leaves that have no form, if there are any.
pub(super) fn refuse(leaves: Vec<UnsupportedLeaf>) -> Result<(), Error> {
    if leaves.is_empty() {
        return Ok(());
    }
    let format = FORMAT;
    Err(ErrorKind::Unsupported { format, leaves }.into())
}

/// Makes a state of the records that [`to_records`] makes, by name and never by position.
///
/// Either record may be absent. Records under other keys are not looked at: they belong to whoever
/// put them there.
///
/// # Errors
/// [`ErrorKind::Report`] with everything that is missing, unexpected or does not fit. Those of
/// [`from_records_with`].
pub fn from_records<'r, T: Restore<'r>>(records: &'r RecordDict<'_>) -> Result<T, Error> {
    from_records_with(records, &ReadOptions::new()).map(|(state, _)| state)
}

/// Makes a state of records, and reports what the options tolerated.
///
/// The memory order of an array is what the header in its data says, whatever the options say of it.
///
/// # Errors
/// [`ErrorKind::Report`] with everything that does not fit. [`ErrorKind::Format`] for a record of
/// another class under one of the two keys, for keys that are of no one tree, such as those of a list
/// that lacks an item, and for arrays without numbers; [`ErrorKind::RepeatedKey`] for two keys of one
/// path.
pub fn from_records_with<'r, T: Restore<'r>>(
    records: &'r RecordDict<'_>,
    options: &ReadOptions,
) -> Result<(T, LoadReport), Error> {
    from_deserializer(value(records)?, Shared::new(&as_labelled(options)))
}

/// Returns the options without doubts about the label `F`, which NumPy's own headers give rightly.
fn as_labelled(options: &ReadOptions) -> ReadOptions {
    options.clone().fortran(Fortran::ColumnMajor)
}

/// Loads records into a state: arrays into their own memory, with equal shapes.
///
/// All of it is checked before anything is changed.
///
/// # Errors
/// [`ErrorKind::Report`] with everything that does not fit and is not tolerated, and those of
/// [`from_records_with`].
pub fn load_records<'r, T: Restore<'r>>(
    state: &mut T,
    records: &'r RecordDict<'_>,
    strictness: Strictness,
) -> Result<LoadReport, Error> {
    load_records_with(state, records, &ReadOptions::new().strictness(strictness))
}

/// Loads records into a state, with more to choose.
///
/// # Errors
/// Those of [`load_records`].
pub fn load_records_with<'r, T: Restore<'r>>(
    state: &mut T,
    records: &'r RecordDict<'_>,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    load(state, value(records)?, &as_labelled(options))
}

/// Loads a value into a state.
pub(super) fn load<'r, T: Restore<'r>>(
    state: &mut T,
    mut value: Value<'r>,
    options: &ReadOptions,
) -> Result<LoadReport, Error> {
    if !options.path.is_root() || !options.only.is_empty() {
        let part = from_deserializer::<Structure<'_>, _>(value, Shared::new(options))?;
        value = part.0.0;
    }
    load_in_place(state, &value, Shared::new(options), None)
}

/// Puts the state together that the records hold.
fn value<'r>(records: &'r RecordDict<'_>) -> Result<Value<'r>, Error> {
    let class = |key, expected: &'static str, record: &Record<'_>| {
        let found = match record {
            Record::Arrays(_) => "an ArrayRecord",
            Record::Config(_) => "a ConfigRecord",
            Record::Metrics(_) => "a MetricRecord",
        };
        under(fault(expected, found), key)
    };
    let arrays = match records.get(ARRAYS) {
        None => None,
        Some(Record::Arrays(arrays)) => Some(arrays),
        Some(other) => return Err(class(ARRAYS, "an ArrayRecord", other)),
    };
    let config = match records.get(CONFIG) {
        None => None,
        Some(Record::Config(config)) => Some(config),
        Some(other) => return Err(class(CONFIG, "a ConfigRecord", other)),
    };
    let mut tree = Tree::default();
    for (key, array) in arrays.into_iter().flat_map(|arrays| arrays.iter()) {
        let place = path(key);
        let array = array.to_encoding().map_err(|error| error.under(&place))?;
        tree.insert(&place, Value::Array(array))?;
    }
    if let Some(config) = config {
        tree.insert_config(config)?;
    }
    tree.value()
}
