//! The sink that writes MessagePack.

use std::borrow::Cow;
use std::io::Write;

use num_complex::Complex;
use rmp::encode as msgpack;

use super::output::Output;
use crate::checkpoint::{ListSink, MapSink, PartCount, SaveOnce, SeenKeys, Sink};
use crate::encoding::{InMemory, Integer, NumpyEncoding, Outline};
use crate::error::{Error, ErrorKind};
use crate::limits;
use crate::path::Place;
use crate::state::{Key, Value, check_length};

/// One value of the output, at a place of the state.
pub(super) struct ByteSink<'s, 'p, 'a, 'h, W> {
    output: &'s mut Output<'a, 'h, W>,
    place: Place<'p>,
    rows: bool,
}

impl<'s, 'p, 'a, 'h, W: Write> ByteSink<'s, 'p, 'a, 'h, W> {
    /// Starts with the state as a whole.
    pub(super) fn new(output: &'s mut Output<'a, 'h, W>) -> Self {
        Self {
            output,
            place: Place::Root,
            rows: false,
        }
    }

    fn put(
        self,
        write: impl FnOnce(&mut Output<'a, 'h, W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        write(self.output).map_err(|error| error.under(&self.place.path()))
    }

    /// Offers a value to the hooks; true if one took it.
    fn hooked(&mut self, value: &Value<'a>) -> Result<bool, Error> {
        let options = self.output.options;
        let taken = options
            .hooks
            .encoded(value)
            .map_err(|error| error.under(&self.place.path()))?;
        let Some(taken) = taken else {
            return Ok(false);
        };
        if self.output.hooked == limits::DEPTH {
            let limit = limits::DEPTH;
            return Err(Sink::fault(self, ErrorKind::TooDeep { limit }.into()));
        }
        self.output.hooked += 1;
        let written = taken.save_once(ByteSink {
            output: &mut *self.output,
            place: self.place,
            rows: self.rows,
        });
        self.output.hooked -= 1;
        written.map(|()| true)
    }
}

impl<'s, 'p, 'a, 'h, W: Write> Sink<'a> for ByteSink<'s, 'p, 'a, 'h, W> {
    type Ok = ();
    type Error = Error;
    type List = ByteItems<'s, 'p, 'a, 'h, W>;
    type Map = ByteItems<'s, 'p, 'a, 'h, W>;

    fn place(&self) -> Place<'_> {
        self.place
    }

    fn fault(&self, error: Error) -> Error {
        error.under(&self.place.path())
    }

    fn in_rows(self) -> Self {
        Self { rows: true, ..self }
    }

    fn is_in_rows(&self) -> bool {
        self.rows
    }

    fn nil(self) -> Result<(), Error> {
        self.put(|output| Output::<W>::head(msgpack::write_nil(&mut output.writer)))
    }

    fn bool(self, value: bool) -> Result<(), Error> {
        self.put(|output| Output::<W>::head(msgpack::write_bool(&mut output.writer, value)))
    }

    fn integer(self, value: Integer<'a>) -> Result<(), Error> {
        self.put(|output| output.integer(&value))
    }

    fn float32(self, value: f32) -> Result<(), Error> {
        self.put(|output| Output::<W>::head(msgpack::write_f32(&mut output.writer, value)))
    }

    fn float64(self, value: f64) -> Result<(), Error> {
        self.put(|output| Output::<W>::head(msgpack::write_f64(&mut output.writer, value)))
    }

    fn string(self, text: Cow<'a, str>) -> Result<(), Error> {
        self.put(|output| output.string(&text))
    }

    fn bytes(self, bytes: Cow<'a, [u8]>) -> Result<(), Error> {
        self.put(|output| output.bytes(&bytes))
    }

    fn array(self, array: NumpyEncoding<'a>) -> Result<(), Error> {
        self.array_with(|| Ok(array))
    }

    fn array_with(
        self,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        self.put(|output| output.array(|| Ok(None), make))
    }

    fn array_outlined(
        self,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        self.put(|output| output.array(|| outline().map(Some), make))
    }

    fn array_in_memory(
        self,
        array: Option<InMemory<'_, 'a>>,
        outline: impl FnOnce() -> Result<Outline, Error>,
        make: impl FnOnce() -> Result<NumpyEncoding<'a>, Error>,
    ) -> Result<(), Error> {
        match array {
            Some(array) => self.put(|output| output.array_in_memory(array)),
            None => self.array_outlined(outline, make),
        }
    }

    fn complex(mut self, value: Complex<f64>) -> Result<(), Error> {
        if self.hooked(&Value::Complex(value))? {
            return Ok(());
        }
        let found = "a complex number";
        Err(self.fault(ErrorKind::NotRepresentable { found }.into()))
    }

    fn extension(mut self, code: i8, bytes: Cow<'a, [u8]>) -> Result<(), Error> {
        let value = Value::Extension(code, bytes);
        if self.hooked(&value)? {
            return Ok(());
        }
        let Value::Extension(code, bytes) = value else {
            return Ok(());
        };
        self.put(|output| {
            check_length(bytes.len())?;
            let len = bytes.len() as u32;
            Output::<W>::head(msgpack::write_ext_meta(&mut output.writer, len, code))?;
            output.write(&bytes)
        })
    }

    fn list(self, len: usize) -> Result<Self::List, Error> {
        self.output
            .list(len)
            .map_err(|error| Sink::fault(&self, error))?;
        Ok(ByteItems {
            output: self.output,
            place: self.place,
            rows: self.rows,
            count: PartCount::opened(len),
            seen: SeenKeys::default(),
        })
    }

    fn map(self, len: usize) -> Result<Self::Map, Error> {
        let seen = SeenKeys::watched(self.output.arrays.is_first_pass());
        let map = self.map_of_different(len)?;
        Ok(ByteItems { seen, ..map })
    }

    fn map_of_different(self, len: usize) -> Result<Self::Map, Error> {
        self.output
            .map(len)
            .map_err(|error| Sink::fault(&self, error))?;
        Ok(ByteItems {
            output: self.output,
            place: self.place,
            rows: self.rows,
            count: PartCount::opened(len),
            seen: SeenKeys::default(),
        })
    }
}

/// The items of a list or the entries of a map.
pub(super) struct ByteItems<'s, 'p, 'a, 'h, W> {
    output: &'s mut Output<'a, 'h, W>,
    place: Place<'p>,
    rows: bool,
    count: PartCount,
    seen: SeenKeys<'a>,
}

impl<W: Write> ByteItems<'_, '_, '_, '_, W> {
    fn close(self) -> Result<(), Error> {
        self.count
            .check()
            .map_err(|error| error.under(&self.place.path()))
    }
}

impl<'a, W: Write> ListSink<'a> for ByteItems<'_, '_, 'a, '_, W> {
    type Ok = ();
    type Error = Error;

    fn item<V: SaveOnce<'a>>(&mut self, value: V) -> Result<(), Error> {
        let place = Place::Index(&self.place, self.count.next() as i128);
        value.save_once(ByteSink {
            output: &mut *self.output,
            place,
            rows: self.rows,
        })
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

impl<'a, W: Write> MapSink<'a> for ByteItems<'_, '_, 'a, '_, W> {
    type Ok = ();
    type Error = Error;

    fn fault(&self, error: Error) -> Error {
        error.under(&self.place.path())
    }

    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), Error> {
        self.count.next();
        let place = match &key {
            Key::String(text) => Place::Key(&self.place, text),
            Key::Integer(index) => Place::Index(&self.place, *index),
        };
        self.output
            .key(&key)
            .map_err(|error| error.under(&self.place.path()))?;
        value.save_once(ByteSink {
            output: &mut *self.output,
            place,
            rows: self.rows,
        })?;
        let seen = self.seen.add(&key);
        seen.map_err(|error| error.under(&self.place.path()))
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}
