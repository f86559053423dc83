//! States to MessagePack, straight from their own memory.

mod output;

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use num_complex::Complex;
use rmp::encode as msgpack;

use self::output::{Arrays, Output};
use crate::checkpoint::{ListSink, MapSink, Save, SaveOnce, Sink, WriteOptions};
use crate::encoding::{Integer, NumpyEncoding};
use crate::error::{Error, ErrorKind};
use crate::limits;
use crate::path::Place;
use crate::state::{Key, Value, check_length};

/// Writes a state into one allocation of exactly its size.
///
/// The bytes are those of `rmp_serde::to_vec`; beyond it, this gives typed errors with the path and
/// takes any type of a state: an array, a tuple of arrays.
///
/// ```
/// use npcodec::ndarray::array;
///
/// let bytes = npcodec::to_vec(&array![1u8, 2])?;
/// assert_eq!(bytes, b"\x83\xa5shape\x91\x02\xa4data\xc4\x02\x01\x02\xa5dtype\xa5'|u1'");
/// assert_eq!(bytes.capacity(), bytes.len());
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`TooLong`](ErrorKind::TooLong), [`NestedNil`](ErrorKind::NestedNil),
/// [`MistakableMap`](ErrorKind::MistakableMap), [`RepeatedKey`](ErrorKind::RepeatedKey),
/// [`KeyType`](ErrorKind::KeyType), [`NotRepresentable`](ErrorKind::NotRepresentable), and what an
/// adapter says.
pub fn to_vec<T: Save + ?Sized>(state: &T) -> Result<Vec<u8>, Error> {
    to_vec_with(state, &WriteOptions::new())
}

/// Writes a state into one allocation, with options.
///
/// # Errors
/// Those of [`to_vec`] and of the hooks.
pub fn to_vec_with<T: Save + ?Sized>(state: &T, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    // What has to be made for an array, compressed or gathered, is made once, in the first pass.
    let mut counted = Output {
        writer: Counter(0),
        hooks: &options.hooks,
        arrays: Arrays::Keep(Vec::new()),
        hooked: 0,
    };
    state.save(ByteSink(&mut counted, Place::Root))?;
    let Counter(length) = counted.writer;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(length)
        .map_err(|error| ErrorKind::Io {
            kind: io::ErrorKind::OutOfMemory,
            message: error.to_string(),
        })?;
    let arrays = match counted.arrays {
        Arrays::Keep(kept) => Arrays::Reuse(kept.into_iter()),
        other => other,
    };
    let mut output = Output {
        writer: &mut bytes,
        hooks: &options.hooks,
        arrays,
        hooked: 0,
    };
    state.save(ByteSink(&mut output, Place::Root))?;
    Ok(bytes)
}

/// Writes a state to a writer, in one pass.
///
/// # Errors
/// Those of [`to_vec`], and [`Io`](ErrorKind::Io); what was written by then is of no use.
pub fn to_writer<T: Save + ?Sized>(writer: impl Write, state: &T) -> Result<(), Error> {
    to_writer_with(writer, state, &WriteOptions::new())
}

/// Writes a state to a writer, with options.
///
/// # Errors
/// Those of [`to_writer`] and of the hooks.
pub fn to_writer_with<T: Save + ?Sized>(
    writer: impl Write,
    state: &T,
    options: &WriteOptions,
) -> Result<(), Error> {
    let mut output = Output {
        writer: BufWriter::new(writer),
        hooks: &options.hooks,
        arrays: Arrays::Stream,
        hooked: 0,
    };
    state.save(ByteSink(&mut output, Place::Root))?;
    output.writer.flush().map_err(ErrorKind::io)?;
    Ok(())
}

/// Counts bytes instead of writing them.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One value of the output, at a place of the state.
struct ByteSink<'s, 'p, 'a, 'h, W>(&'s mut Output<'a, 'h, W>, Place<'p>);

impl<'s, 'p, 'a, 'h, W: Write> ByteSink<'s, 'p, 'a, 'h, W> {
    fn put(
        self,
        write: impl FnOnce(&mut Output<'a, 'h, W>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        write(self.0).map_err(|error| error.under(&self.1.path()))
    }

    /// Offers a value to the hooks; true if one took it.
    fn hooked(&mut self, value: &Value<'a>) -> Result<bool, Error> {
        let hooks = self.0.hooks;
        let taken = hooks
            .encoded(value)
            .map_err(|error| error.under(&self.1.path()))?;
        let Some(taken) = taken else {
            return Ok(false);
        };
        if self.0.hooked == limits::DEPTH {
            let limit = limits::DEPTH;
            return Err(Sink::fault(self, ErrorKind::TooDeep { limit }.into()));
        }
        self.0.hooked += 1;
        let written = taken.save_once(ByteSink(&mut *self.0, self.1));
        self.0.hooked -= 1;
        written.map(|()| true)
    }
}

impl<'s, 'p, 'a, 'h, W: Write> Sink<'a> for ByteSink<'s, 'p, 'a, 'h, W> {
    type Ok = ();
    type Error = Error;
    type List = ByteItems<'s, 'p, 'a, 'h, W>;
    type Map = ByteItems<'s, 'p, 'a, 'h, W>;

    fn place(&self) -> Place<'_> {
        self.1
    }

    fn fault(&self, error: Error) -> Error {
        error.under(&self.1.path())
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
        self.put(|output| output.array(make))
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
        self.0
            .list(len)
            .map_err(|error| Sink::fault(&self, error))?;
        Ok(ByteItems {
            output: self.0,
            place: self.1,
            index: 0,
        })
    }

    fn map(self, len: usize) -> Result<Self::Map, Error> {
        self.0.map(len).map_err(|error| Sink::fault(&self, error))?;
        Ok(ByteItems {
            output: self.0,
            place: self.1,
            index: 0,
        })
    }
}

/// The items of a list or the entries of a map.
struct ByteItems<'s, 'p, 'a, 'h, W> {
    output: &'s mut Output<'a, 'h, W>,
    place: Place<'p>,
    index: i128,
}

impl<'a, W: Write> ListSink<'a> for ByteItems<'_, '_, 'a, '_, W> {
    type Ok = ();
    type Error = Error;

    fn item<V: SaveOnce<'a>>(&mut self, value: V) -> Result<(), Error> {
        let place = Place::Index(&self.place, self.index);
        self.index += 1;
        value.save_once(ByteSink(&mut *self.output, place))
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl<'a, W: Write> MapSink<'a> for ByteItems<'_, '_, 'a, '_, W> {
    type Ok = ();
    type Error = Error;

    fn fault(&self, error: Error) -> Error {
        error.under(&self.place.path())
    }

    fn entry<V: SaveOnce<'a>>(&mut self, key: Key<'a>, value: V) -> Result<(), Error> {
        let place = match &key {
            Key::String(text) => Place::Key(&self.place, text),
            Key::Integer(index) => Place::Index(&self.place, *index),
        };
        self.output
            .key(&key)
            .map_err(|error| error.under(&self.place.path()))?;
        value.save_once(ByteSink(&mut *self.output, place))
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}
