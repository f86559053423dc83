//! States out of files of any format.

use std::path::Path as FilePath;

use super::{Format, ReadOptions, recognise};
use crate::error::{Error, ErrorKind};
use crate::state::{StateDict, Value};

/// Reads a state in whatever format it is in, by what [`recognise`] says.
///
/// Payloads that are not compressed are borrowed from `bytes`.
///
/// # Errors
/// Those of [`read_value`], and [`NotAMap`](ErrorKind::NotAMap) for a file whose top is no map, such as
/// one array.
pub fn read(bytes: &[u8]) -> Result<(Format, StateDict<'_>), Error> {
    read_with(bytes, &ReadOptions::new())
}

/// Reads a state with options.
///
/// # Errors
/// Those of [`read`], and [`Limit`](ErrorKind::Limit).
pub fn read_with<'a>(
    bytes: &'a [u8],
    options: &ReadOptions,
) -> Result<(Format, StateDict<'a>), Error> {
    match read_value_with(bytes, options)? {
        (format, Value::Map(dict)) => Ok((format, dict)),
        (_, other) => {
            let found = other.kind();
            Err(ErrorKind::NotAMap { found }.into())
        }
    }
}

/// Reads a value in whatever format it is in: a state, one array, a list.
///
/// # Errors
/// Those of [`recognise`], those of the format's own `from_slice`, and [`Format`](ErrorKind::Format)
/// for a format whose feature is off.
pub fn read_value(bytes: &[u8]) -> Result<(Format, Value<'_>), Error> {
    read_value_with(bytes, &ReadOptions::new())
}

/// Reads a value with options.
///
/// # Errors
/// Those of [`read_value`], and [`Limit`](ErrorKind::Limit).
pub fn read_value_with<'a>(
    bytes: &'a [u8],
    options: &ReadOptions,
) -> Result<(Format, Value<'a>), Error> {
    let format = recognise(bytes)?;
    let value = match format {
        Format::MessagePack => {
            let options = crate::checkpoint::ReadOptions::new().limits(options.limits);
            crate::file::decode_with(bytes, &options)
        }
        #[cfg(feature = "flax")]
        Format::Flax => super::flax::from_slice_with(bytes, options),
        #[cfg(feature = "msgpack-numpy")]
        Format::MsgpackNumpy => {
            let options = super::msgpack_numpy::ReadOptions::new().limits(options.limits);
            super::msgpack_numpy::from_slice_with(bytes, &options)
        }
        #[cfg(feature = "npy")]
        Format::Npy => super::npy::from_slice_with(bytes, options),
        #[cfg(feature = "npy")]
        Format::Npz => super::npz::from_slice_with(bytes, options),
        #[cfg(feature = "safetensors")]
        Format::Safetensors => super::safetensors::from_slice_with(bytes, options),
        #[allow(unreachable_patterns, reason = "each format is a feature")]
        other => Err(other.left_out()),
    };
    Ok((format, value?))
}

/// Reads a state from a file, in whatever format it is in.
///
/// This takes the memory of the file and of the state: [`read`] borrows from bytes that are kept.
///
/// # Errors
/// Those of [`read`], and [`Io`](ErrorKind::Io); each with the file.
pub fn read_file(path: impl AsRef<FilePath>) -> Result<(Format, StateDict<'static>), Error> {
    read_file_with(path, &ReadOptions::new())
}

/// Reads a state from a file, with options.
///
/// # Errors
/// Those of [`read_file`], and [`Limit`](ErrorKind::Limit).
pub fn read_file_with(
    path: impl AsRef<FilePath>,
    options: &ReadOptions,
) -> Result<(Format, StateDict<'static>), Error> {
    let path = path.as_ref();
    let read = || {
        let bytes = std::fs::read(path).map_err(ErrorKind::io)?;
        let (format, dict) = read_with(&bytes, options)?;
        Ok((format, dict.into_owned()))
    };
    read().map_err(|error: Error| error.in_file(path))
}

#[cfg(test)]
mod tests {
    #[cfg(not(all(feature = "npy", feature = "safetensors")))]
    #[test]
    fn a_format_that_was_left_out_is_named_with_its_feature() {
        let said = |bytes: &'static [u8]| super::read(bytes).map_err(|error| error.to_string());
        #[cfg(not(feature = "npy"))]
        assert_eq!(
            said(b"PK\x03\x04").unwrap_err(),
            "npz: expected the feature `npy` of npcodec, found a build without it"
        );
        #[cfg(not(feature = "safetensors"))]
        assert_eq!(
            said(b"\x02\0\0\0\0\0\0\0{}").unwrap_err(),
            "safetensors: expected the feature `safetensors` of npcodec, found a build without it"
        );
    }
}
