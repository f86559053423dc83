//! States whose `Save` is written by hand, and wrong.

use std::collections::BTreeMap;

use npcodec::checkpoint::{ListSink, MapKey, MapSink, SaveOnce, Sink, serialize};
use npcodec::formats::flax;
use npcodec::{Error, ErrorKind, Key, Save, Value, save, to_vec, to_writer};
use npcodec_tests::python::Scratch;

/// A map with a list or map in it that was opened for other than its two parts.
struct Miscounted {
    opened: usize,
    is_map: bool,
}

struct Inner<'a>(&'a Miscounted);

impl Save for Miscounted {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut map = sink.map(1)?;
        map.entry("a".into(), Inner(self))?;
        map.end()
    }
}

impl<'a> SaveOnce<'a> for Inner<'a> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        let Miscounted { opened, is_map } = *self.0;
        if is_map {
            let mut map = sink.map(opened)?;
            map.entry("b".into(), Value::Nil)?;
            map.entry("c".into(), Value::Nil)?;
            return map.end();
        }
        let mut list = sink.list(opened)?;
        list.item(Value::Nil)?;
        list.item(Value::Nil)?;
        list.end()
    }
}

fn through_serde<T: Save>(state: &T) -> Result<Vec<u8>, rmp_serde::encode::Error> {
    let mut bytes = Vec::new();
    serialize(state, &mut rmp_serde::Serializer::new(&mut bytes))?;
    Ok(bytes)
}

/// Has a state refused by everything that writes, before anything is written.
fn errors(state: &impl Save) -> [Error; 5] {
    let scratch = Scratch::new("by-hand");
    let path = scratch.path().join("a");
    let mut written = Vec::new();
    let errors = [
        to_vec(state).unwrap_err(),
        to_writer(&mut written, state).unwrap_err(),
        save(&path, state).unwrap_err(),
        npcodec::Checkpoint::to_value(state).unwrap_err(),
        flax::to_bytes(state).unwrap_err(),
    ];
    assert!(written.is_empty() && !path.exists());
    errors
}

#[test]
fn a_count_that_is_wrong_is_an_error_before_anything_is_written() {
    for is_map in [false, true] {
        for opened in [0, 1, 3, usize::MAX >> 40] {
            let state = Miscounted { opened, is_map };
            for error in errors(&state) {
                let kind = ErrorKind::CountOfParts { opened, written: 2 };
                assert_eq!(
                    (error.kind(), error.path().to_string()),
                    (&kind, "a".to_owned())
                );
            }
            let words = through_serde(&state).unwrap_err().to_string();
            assert!(words.contains("and 2 were written at `a`"), "{words}");
        }
        let state = Miscounted { opened: 2, is_map };
        assert_eq!(through_serde(&state).unwrap(), to_vec(&state).unwrap());
    }
}

/// A map in a list whose two entries have these keys.
struct Keyed([Key<'static>; 2]);

impl Save for Keyed {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut list = sink.list(1)?;
        list.item(Entries(&self.0))?;
        list.end()
    }
}

struct Entries<'a>(&'a [Key<'static>; 2]);

impl<'a> SaveOnce<'a> for Entries<'a> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        let mut map = sink.map(2)?;
        for key in self.0 {
            map.entry(key.borrowed(), Value::Nil)?;
        }
        map.end()
    }
}

/// A key whose number is left out in the file.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Layer(&'static str, u8);

impl MapKey for Layer {
    const EXPECTED: &'static str = "the name of a layer";

    fn to_key(&self) -> Key<'_> {
        Key::from(self.0)
    }

    fn from_key(_: &Key<'_>) -> Option<Self> {
        None
    }
}

#[test]
fn a_key_that_is_there_twice_is_an_error_before_anything_is_written() {
    let text = || Key::from("b");
    let owned = || Key::from("b".to_owned());
    for (keys, said) in [
        ([text(), owned()], "\"b\""),
        ([owned(), owned()], "\"b\""),
        ([Key::from(7u64), Key::from(7i64)], "7"),
    ] {
        let state = Keyed(keys);
        let key = said.to_owned();
        for error in errors(&state) {
            let kind = ErrorKind::RepeatedKey { key: key.clone() };
            assert_eq!((error.kind(), &*error.path().to_string()), (&kind, "[0]"));
        }
        let words = through_serde(&state).unwrap_err().to_string();
        assert!(words.contains("occurs twice at `[0]`"), "{words}");
    }
    let state = Keyed([Key::from("7"), Key::from(7u64)]);
    assert_eq!(to_vec(&state).unwrap(), b"\x91\x82\xa17\xc0\x07\xc0");
    assert_eq!(through_serde(&state).unwrap(), to_vec(&state).unwrap());

    let layers = |second| BTreeMap::from([(Layer("dense", 0), 1), (second, 2)]);
    let kind = ErrorKind::RepeatedKey {
        key: "\"dense\"".to_owned(),
    };
    for error in errors(&layers(Layer("dense", 1))) {
        assert_eq!(*error.kind(), kind);
    }
    let state = layers(Layer("norm", 1));
    assert_eq!(to_vec(&state).unwrap(), b"\x82\xa5dense\x01\xa4norm\x02");
}
