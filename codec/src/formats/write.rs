//! States into files of any format.

use std::io::{BufWriter, Write};
use std::path::Path as FilePath;

#[cfg(feature = "npy")]
use super::lost_types::with_lost_types;
use super::{Conversion, Converted, Format, convert};
use crate::checkpoint::Mistakable;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, UnsupportedLeaf};
use crate::file::{Durability, publish};
use crate::path::Place;
use crate::state::{Key, StateDict, Value};

/// How a state is written in another format.
///
/// ```
/// use npcodec::formats::{Conversion, WriteOptions};
///
/// let options = WriteOptions::new()
///     .allow([Conversion::ScalarsAsArrays, Conversion::ListsAsMaps])
///     .separator("/");
/// # let _ = options;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    pub(super) conversions: Vec<Conversion>,
    separator: String,
    deflate: bool,
    durability: Durability,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            conversions: Vec::new(),
            separator: ".".to_owned(),
            deflate: false,
            durability: Durability::default(),
        }
    }
}

impl WriteOptions {
    /// Starts from the defaults: no conversions, `.` between the keys of nested maps where names are
    /// flat, no compression, and [`Durability::Synced`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows conversions; of two that are ways for the same value, the one that comes first.
    #[must_use]
    pub fn allow(mut self, conversions: impl IntoIterator<Item = Conversion>) -> Self {
        self.conversions.extend(conversions);
        self
    }

    /// Says what stands between the keys of nested maps in `.npz` and safetensors; an empty text
    /// refuses nested maps.
    #[must_use]
    pub fn separator(mut self, separator: impl Into<String>) -> Self {
        self.separator = separator.into();
        self
    }

    /// Compresses the arrays of an `.npz`; other formats have no compression, and stay as they are.
    #[must_use]
    pub fn deflate(mut self, deflate: bool) -> Self {
        self.deflate = deflate;
        self
    }

    /// Says what a file outlasts.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    #[cfg(feature = "npy")]
    fn npz(&self) -> super::npz::WriteOptions {
        let options = super::npz::WriteOptions::new();
        options.separator(&self.separator).deflate(self.deflate)
    }

    #[cfg(feature = "safetensors")]
    fn safetensors(&self) -> super::safetensors::WriteOptions {
        super::safetensors::WriteOptions::new().separator(&self.separator)
    }

    /// Returns the leaves that a format cannot hold, those among them whose type it does not say.
    pub(super) fn unsupported(
        &self,
        format: Format,
        value: &Value<'_>,
    ) -> Result<Vec<UnsupportedLeaf>, Error> {
        Ok(match format {
            Format::MessagePack => {
                let mut leaves = Vec::new();
                not_plain(value, Place::Root, &mut leaves);
                leaves
            }
            #[cfg(feature = "flax")]
            Format::Flax => super::flax::unsupported_with(value, &flax()),
            #[cfg(feature = "msgpack-numpy")]
            Format::MsgpackNumpy => super::msgpack_numpy::unsupported(value),
            #[cfg(feature = "npy")]
            Format::Npy => with_lost_types(super::npy::unsupported(value), value),
            #[cfg(feature = "npy")]
            Format::Npz => with_lost_types(super::npz::unsupported_with(value, &self.npz()), value),
            #[cfg(feature = "safetensors")]
            Format::Safetensors => super::safetensors::unsupported_with(value, &self.safetensors()),
            #[allow(unreachable_patterns, reason = "each format is a feature")]
            other => return Err(other.left_out()),
        })
    }

    /// Writes a value that the format can hold into memory of its size.
    fn to_vec(&self, format: Format, value: &Value<'_>) -> Result<Vec<u8>, Error> {
        match format {
            Format::MessagePack => crate::file::to_vec(value),
            #[cfg(feature = "flax")]
            Format::Flax => super::flax::to_vec_with(value, &flax()),
            #[cfg(feature = "msgpack-numpy")]
            Format::MsgpackNumpy => super::msgpack_numpy::to_vec(value),
            #[cfg(feature = "npy")]
            Format::Npy => super::npy::to_vec(value),
            #[cfg(feature = "npy")]
            Format::Npz => super::npz::to_vec_with(value, &self.npz()),
            #[cfg(feature = "safetensors")]
            Format::Safetensors => super::safetensors::to_vec_with(value, &self.safetensors()),
            #[allow(unreachable_patterns, reason = "each format is a feature")]
            other => Err(other.left_out()),
        }
    }

    /// Writes a value that the format can hold to a writer.
    fn to_writer(
        &self,
        format: Format,
        writer: impl Write,
        value: &Value<'_>,
    ) -> Result<(), Error> {
        match format {
            Format::MessagePack => crate::file::to_writer(writer, value),
            #[cfg(feature = "flax")]
            Format::Flax => super::flax::to_writer_with(writer, value, &flax()),
            #[cfg(feature = "msgpack-numpy")]
            Format::MsgpackNumpy => super::msgpack_numpy::to_writer(writer, value),
            #[cfg(feature = "npy")]
            Format::Npy => super::npy::to_writer(writer, value),
            #[cfg(feature = "npy")]
            Format::Npz => super::npz::to_writer_with(writer, value, &self.npz()),
            #[cfg(feature = "safetensors")]
            Format::Safetensors => {
                super::safetensors::to_writer_with(writer, value, &self.safetensors())
            }
            #[allow(unreachable_patterns, reason = "each format is a feature")]
            other => Err(other.left_out()),
        }
    }
}

/// Has lists, integer keys and the order of keys stay what they are.
#[cfg(feature = "flax")]
fn flax() -> super::flax::WriteOptions {
    super::flax::WriteOptions::new().form(super::flax::Form::SerializeInPlace)
}

/// Lists what MessagePack cannot hold, and what its readers would take for something else.
fn not_plain(value: &Value<'_>, place: Place<'_>, leaves: &mut Vec<UnsupportedLeaf>) {
    match value {
        Value::Complex(_) => {
            let reason = "MessagePack has no such number";
            leaves.push(UnsupportedLeaf::new(place.path(), value.kind(), reason));
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                not_plain(item, Place::Index(&place, index as i128), leaves);
            }
        }
        Value::Map(map) => {
            let mut keys = Mistakable::default();
            if let Some(taken_for) = map.keys().find_map(|key| keys.note(key)) {
                let reason = format!("Python's decoder reads one with these keys as {taken_for}");
                leaves.push(UnsupportedLeaf::new(place.path(), value.kind(), reason));
            }
            for (key, value) in map {
                match key {
                    Key::String(key) => not_plain(value, Place::Key(&place, key), leaves),
                    Key::Integer(index) => not_plain(value, Place::Index(&place, *index), leaves),
                }
            }
        }
        _ => {}
    }
}

/// Writes a state in a format, and returns what was converted for it.
///
/// ```
/// # #[cfg(feature = "safetensors")] {
/// use npcodec::formats::{self, Conversion, Format, WriteOptions};
/// use npcodec::{NumpyEncoding, StateDict};
///
/// let mut dict = StateDict::new();
/// dict.insert("weights", NumpyEncoding::new(vec![1], vec![0, 0, 128, 63], "'<f4'", None)?);
/// dict.insert("step", 7);
///
/// // safetensors holds arrays only: that is an error until it is said what to do.
/// assert!(formats::write(Format::Safetensors, &dict, &WriteOptions::new()).is_err());
/// let options = WriteOptions::new().allow([Conversion::ScalarsAsArrays]);
/// let (bytes, converted) = formats::write(Format::Safetensors, &dict, &options)?;
/// assert_eq!(converted[0].path.to_string(), "step");
///
/// let (format, read) = formats::read(&bytes)?;
/// assert_eq!(format, Format::Safetensors);
/// assert_eq!(read.get("weights"), dict.get("weights"));
/// # }
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with every leaf that the format cannot hold, before
/// anything is written (of plain MessagePack, maps that Python's decoder takes for arrays or integers,
/// which [`encode`](crate::encode) writes as they are), those of the format itself, and [`Format`](ErrorKind::Format) for a format
/// whose feature is off.
pub fn write(
    format: Format,
    dict: &StateDict<'_>,
    options: &WriteOptions,
) -> Result<(Vec<u8>, Vec<Converted>), Error> {
    write_value(format, &Value::Map(dict.borrowed()), options)
}

/// Writes a value in a format: a state, or one array as `.npy`.
///
/// # Errors
/// Those of [`write()`].
pub fn write_value(
    format: Format,
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<(Vec<u8>, Vec<Converted>), Error> {
    let (value, converted) = convert(format, value, options)?;
    Ok((options.to_vec(format, &value)?, converted))
}

/// Writes a value in a format to a writer, payloads from where they are.
///
/// # Errors
/// Those of [`write()`], and [`Io`](ErrorKind::Io).
pub fn write_to(
    writer: impl Write,
    format: Format,
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<Vec<Converted>, Error> {
    let (value, converted) = convert(format, value, options)?;
    options.to_writer(format, writer, &value)?;
    Ok(converted)
}

/// Writes a state in a format to a file, all of it or nothing, as [`save`](crate::save) does.
///
/// # Errors
/// Those of [`write()`], of which nothing stays, [`Io`](ErrorKind::Io), and
/// [`NotDurable`](ErrorKind::NotDurable); each with the file.
pub fn write_file(
    path: impl AsRef<FilePath>,
    format: Format,
    dict: &StateDict<'_>,
    options: &WriteOptions,
) -> Result<Vec<Converted>, Error> {
    let path = path.as_ref();
    let value = Value::Map(dict.borrowed());
    let (value, converted) =
        convert(format, &value, options).map_err(|error| error.in_file(path))?;
    publish(path, options.durability, |file| {
        options.to_writer(format, BufWriter::new(file), &value)
    })?;
    Ok(converted)
}
