//! States whose `Save` is written by hand, and wrong.

use npcodec::checkpoint::{ListSink, MapSink, SaveOnce, Sink, serialize};
use npcodec::formats::flax;
use npcodec::{ErrorKind, Save, Value, save, to_vec, to_writer};
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

fn through_serde(state: &Miscounted) -> Result<Vec<u8>, rmp_serde::encode::Error> {
    let mut bytes = Vec::new();
    serialize(state, &mut rmp_serde::Serializer::new(&mut bytes))?;
    Ok(bytes)
}

#[test]
fn a_count_that_is_wrong_is_an_error_before_anything_is_written() {
    let scratch = Scratch::new("by-hand");
    let path = scratch.path().join("a");
    for is_map in [false, true] {
        for opened in [0, 1, 3, usize::MAX >> 40] {
            let state = Miscounted { opened, is_map };
            let mut written = Vec::new();
            let errors = [
                to_vec(&state).unwrap_err(),
                to_writer(&mut written, &state).unwrap_err(),
                save(&path, &state).unwrap_err(),
                npcodec::Checkpoint::to_value(&state).unwrap_err(),
                flax::to_bytes(&state).unwrap_err(),
            ];
            for error in errors {
                let kind = ErrorKind::CountOfParts { opened, written: 2 };
                assert_eq!(
                    (error.kind(), error.path().to_string()),
                    (&kind, "a".to_owned())
                );
            }
            assert!(written.is_empty() && !path.exists());
            let words = through_serde(&state).unwrap_err().to_string();
            assert!(words.contains("and 2 were written at `a`"), "{words}");
        }
        let state = Miscounted { opened: 2, is_map };
        assert_eq!(through_serde(&state).unwrap(), to_vec(&state).unwrap());
    }
}
