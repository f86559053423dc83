//! States written from their own memory, without a tree of values in between.

use std::borrow::Cow;

use num_complex::Complex;

use super::check::refuse_array;
use super::parts::Parts;
use super::write::{Described, Payload, Writer};
use super::{FORMAT, WriteOptions};
use crate::checkpoint::{Save, SeenKeys, Sink};
use crate::dtype::Order;
use crate::encoding::{InMemory, Integer, NumpyEncoding, Outline};
use crate::error::{Error, UnsupportedLeaf};
use crate::formats::fault::refuse;
use crate::formats::msgpack::{Measure, Output, Refused, Rules, Target, in_one_allocation, leaf};
use crate::limits;
use crate::path::Place;
use crate::state::Value;

/// Writes a state into one allocation of exactly its size; maps keep the order of their keys.
///
/// # Errors
/// [`Unsupported`](crate::ErrorKind::Unsupported), and those of the state.
pub(super) fn to_vec<T: Save + ?Sized>(
    state: &T,
    options: &WriteOptions,
) -> Result<Vec<u8>, Error> {
    let mut measure = Output::new(Measure::default(), false);
    pass(state, &mut measure, true, options)?;
    let mut output = Output::new(in_one_allocation(measure.target.0)?, false);
    pass(state, &mut output, false, options)?;
    Ok(output.target)
}

/// Goes over a state once.
///
/// Both times it is looked for what Flax cannot hold: a state may change in between, and outlines of
/// arrays need not be true.
fn pass<T: Save + ?Sized>(
    state: &T,
    output: &mut Output<impl Target>,
    is_first: bool,
    options: &WriteOptions,
) -> Result<(), Error> {
    let mut pass = Pass {
        writer: Writer::new(output, options),
        leaves: Vec::new(),
        is_first,
        options,
    };
    state.save(FlaxSink {
        pass: &mut pass,
        at: At {
            place: Place::Root,
            rows: false,
            in_list: false,
            levels: limits::DEPTH,
        },
    })?;
    refuse(FORMAT, pass.leaves)
}

/// One of the two times that a state is gone over.
pub(super) struct Pass<'w, T> {
    pub(super) writer: Writer<'w, T>,
    /// What Flax cannot hold.
    pub(super) leaves: Vec<UnsupportedLeaf>,
    /// True for the pass that looks at keys, and only counts what the other one writes.
    pub(super) is_first: bool,
    pub(super) options: &'w WriteOptions,
}

impl<T> Pass<'_, T> {
    /// Lets a check refuse something; true if it did.
    fn refuses(&mut self, place: Place<'_>, check: impl FnOnce(Refused<'_, '_>)) -> bool {
        let before = self.leaves.len();
        check(Refused::new(&mut self.leaves, place));
        self.leaves.len() > before
    }
}

/// Where in the state a value is.
#[derive(Clone, Copy)]
pub(super) struct At<'p> {
    pub(super) place: Place<'p>,
    pub(super) rows: bool,
    pub(super) in_list: bool,
    pub(super) levels: usize,
}

/// One value of a state.
pub(super) struct FlaxSink<'s, 'w, 'p, T> {
    pub(super) pass: &'s mut Pass<'w, T>,
    pub(super) at: At<'p>,
}

impl<'s, 'w, 'p, T: Target> FlaxSink<'s, 'w, 'p, T> {
    /// Takes what Flax holds whatever it is.
    fn plain(self, value: &Value<'_>) -> Result<(), Error> {
        let At { place, in_list, .. } = self.at;
        let written = self.pass.writer.value(value, in_list);
        written.map_err(|error| error.under(&place.path()))
    }

    /// Takes what Flax may not hold.
    fn leaf(self, value: &Value<'_>) -> Result<(), Error> {
        let At { place, in_list, .. } = self.at;
        let options = self.pass.options;
        let check = |refused: Refused<'_, '_>| leaf(value, options, refused, in_list);
        match self.pass.refuses(place, check) {
            true => Ok(()),
            false => self.plain(value),
        }
    }

    /// Takes an array that is described, refused or not.
    fn described(self, array: Described<'_>) -> Result<(), Error> {
        let At { place, in_list, .. } = self.at;
        let check = |mut refused: Refused<'_, '_>| {
            let text = || array.dtype.text().into();
            refuse_array(array.dtype, text, array.bytes, in_list, &mut refused);
        };
        if self.pass.refuses(place, check) {
            return Ok(());
        }
        let written = self.pass.writer.array(array, in_list);
        written.map_err(|error| error.under(&place.path()))
    }

    /// Opens a list or map: its parts are one level further down, and passed over if there are no more
    /// levels.
    fn open<'a>(self, what: &'static str, count: usize) -> Parts<'s, 'w, 'p, 'a, T> {
        let At { place, levels, .. } = self.at;
        let first = self.pass.leaves.len();
        let refused = self.pass.refuses(place, |mut refused| match levels {
            0 => refused.depth(what),
            _ => refused.count(what, count),
        });
        Parts::new(self.pass, self.at, count, first, refused)
    }
}

impl<'s, 'w, 'p, 'a, T: Target> Sink<'a> for FlaxSink<'s, 'w, 'p, T> {
    type Ok = ();
    type Error = Error;
    type List = Parts<'s, 'w, 'p, 'a, T>;
    type Map = Parts<'s, 'w, 'p, 'a, T>;

    fn place(&self) -> Place<'_> {
        self.at.place
    }

    fn fault(&self, error: Error) -> Error {
        error.under(&self.at.place.path())
    }

    fn in_rows(mut self) -> Self {
        self.at.rows = true;
        self
    }

    fn is_in_rows(&self) -> bool {
        self.at.rows
    }

    fn nil(self) -> Result<(), Error> {
        self.plain(&Value::Nil)
    }

    fn bool(self, value: bool) -> Result<(), Error> {
        self.plain(&Value::Bool(value))
    }

    fn integer(self, value: Integer<'a>) -> Result<(), Error> {
        match value {
            Integer::Long(_) => self.leaf(&Value::Integer(value)),
            _ => self.plain(&Value::Integer(value)),
        }
    }

    fn float32(self, value: f32) -> Result<(), Error> {
        self.plain(&Value::Float32(value))
    }

    fn float64(self, value: f64) -> Result<(), Error> {
        self.plain(&Value::Float64(value))
    }

    fn string(self, text: Cow<'a, str>) -> Result<(), Error> {
        self.leaf(&Value::String(text))
    }

    fn bytes(self, bytes: Cow<'a, [u8]>) -> Result<(), Error> {
        self.leaf(&Value::Bytes(bytes))
    }

    fn array(self, array: NumpyEncoding<'a>) -> Result<(), Error> {
        self.leaf(&Value::Array(array))
    }

    fn array_outlined(
        self,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        if self.pass.is_first {
            let outline = outline().map_err(|error| Sink::fault(&self, error))?;
            if let Some((shape, dtype, _)) = outline.exact() {
                return self.described(Described {
                    shape,
                    dtype,
                    bytes: outline.bytes(),
                    scalar: false,
                    payload: Payload::Unmade,
                });
            }
        }
        self.array_with(make)
    }

    fn array_in_memory(
        self,
        array: Option<InMemory<'_, 'a>>,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        let in_rows = array.filter(|array| array.order != Some(Order::F));
        let (Some(array), false) = (in_rows, self.pass.is_first) else {
            return self.array_outlined(outline, make);
        };
        let outline = outline().map_err(|error| Sink::fault(&self, error))?;
        match outline.exact() {
            Some((shape, dtype, _)) => self.described(Described {
                shape,
                dtype,
                bytes: array.payload.len(),
                scalar: false,
                payload: Payload::Rows(array.payload),
            }),
            None => self.array_with(make),
        }
    }

    fn complex(self, value: Complex<f64>) -> Result<(), Error> {
        self.plain(&Value::Complex(value))
    }

    fn extension(self, code: i8, bytes: Cow<'a, [u8]>) -> Result<(), Error> {
        self.leaf(&Value::Extension(code, bytes))
    }

    fn list(self, len: usize) -> Result<Self::List, Error> {
        let mut list = self.open("a list", len);
        if !list.refused {
            let written = list.pass.writer.list_head(len);
            written.map_err(|error| error.under(&list.at.place.path()))?;
        }
        list.at.in_list |= list.pass.options.keeps_lists();
        Ok(list)
    }

    fn map(self, len: usize) -> Result<Self::Map, Error> {
        let mut map = self.map_of_different(len)?;
        map.seen = SeenKeys::watched(map.pass.is_first);
        Ok(map)
    }

    fn map_of_different(self, len: usize) -> Result<Self::Map, Error> {
        let map = self.open("a map", len);
        if !map.refused {
            let written = map.pass.writer.map_head(len);
            written.map_err(|error| error.under(&map.at.place.path()))?;
        }
        Ok(map)
    }
}
