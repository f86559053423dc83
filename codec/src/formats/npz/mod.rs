//! NumPy's archives of arrays, `.npz`: what `numpy.savez` writes and `numpy.load` reads.
//!
//! An archive is a zip file with a member `NAME.npy` for each array. Nested maps become names with `.`
//! between the keys ([`WriteOptions::separator`]), and again maps on request
//! ([`ReadOptions::nested`]). What is no array is refused on writing ([`unsupported`] says what is in
//! a state); dtypes, memory orders and byte orders are kept as in `.npy`.
//!
//! Without compression the bytes are those of `numpy.savez`, dates of 1980 included. On reading,
//! payloads that are not compressed are borrowed. What an archive claims is not believed: a member is
//! inflated to no more than the header of its array says, which deflate must be able to hold, members
//! must not overlap, and checksums must be right.

mod read;
mod write;

use std::collections::HashSet;
use std::io::Write;

use super::flat::{Flat, SEPARATOR};
use super::npy;
pub use super::options::ReadOptions;
use crate::encoding::no_memory;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, UnsupportedLeaf};
use crate::state::Value;

pub use read::{from_slice, from_slice_with};

/// The name of the format in errors.
const NAME: &str = "npz";

/// What ends the name of a member.
const SUFFIX: &str = ".npy";

/// The longest name of a member, in bytes.
const LONGEST_NAME: usize = u16::MAX as usize;

/// How a state is written as `.npz`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteOptions {
    separator: String,
    deflate: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            separator: SEPARATOR.to_owned(),
            deflate: false,
        }
    }
}

impl WriteOptions {
    /// Starts from the defaults: `.` between the keys of nested maps, and no compression.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says what stands between the keys of nested maps; an empty text refuses nested maps.
    #[must_use]
    pub fn separator(mut self, separator: impl Into<String>) -> Self {
        self.separator = separator.into();
        self
    }

    /// Compresses the arrays, as `numpy.savez_compressed` does.
    #[must_use]
    pub fn deflate(mut self, deflate: bool) -> Self {
        self.deflate = deflate;
        self
    }
}

/// Writes a state, a map of arrays and maps of arrays, as `numpy.savez` does.
///
/// Keys keep their order. An array in Fortran order stays in it, and numbers in either byte order.
///
/// # Errors
/// [`Unsupported`](ErrorKind::Unsupported) with every leaf that an archive cannot hold.
pub fn to_vec(value: &Value<'_>) -> Result<Vec<u8>, Error> {
    to_vec_with(value, &WriteOptions::new())
}

/// Writes a state into memory, with options.
///
/// # Errors
/// Those of [`to_vec`].
pub fn to_vec_with(value: &Value<'_>, options: &WriteOptions) -> Result<Vec<u8>, Error> {
    let arrays = flat(value, options).arrays(NAME)?;
    let mut bytes = Vec::new();
    if !options.deflate {
        let length = write::length(&arrays);
        bytes
            .try_reserve_exact(length)
            .map_err(|_| no_memory(length))?;
    }
    write::archive(&mut bytes, &arrays, options.deflate)?;
    Ok(bytes)
}

/// Writes a state to a writer: payloads from where they are, or compressed one at a time.
///
/// # Errors
/// Those of [`to_vec`], before the first byte is written, and [`Io`](ErrorKind::Io).
pub fn to_writer(writer: impl Write, value: &Value<'_>) -> Result<(), Error> {
    to_writer_with(writer, value, &WriteOptions::new())
}

/// Writes a state to a writer, with options.
///
/// # Errors
/// Those of [`to_writer`].
pub fn to_writer_with(
    writer: impl Write,
    value: &Value<'_>,
    options: &WriteOptions,
) -> Result<(), Error> {
    let arrays = flat(value, options).arrays(NAME)?;
    write::archive(writer, &arrays, options.deflate)
}

/// Returns the leaves of a state that an archive cannot hold, each with the reason.
#[must_use]
pub fn unsupported(value: &Value<'_>) -> Vec<UnsupportedLeaf> {
    unsupported_with(value, &WriteOptions::new())
}

/// Returns the leaves of a state that an archive cannot hold under these options.
#[must_use]
pub fn unsupported_with(value: &Value<'_>, options: &WriteOptions) -> Vec<UnsupportedLeaf> {
    flat(value, options).refused
}

fn flat<'v, 'a, 'o>(value: &'v Value<'a>, options: &'o WriteOptions) -> Flat<'v, 'a, 'o> {
    let mut flat = Flat::new(value, None, &options.separator, &npy::refusal);
    let names: HashSet<String> = flat.arrays.iter().map(|named| named.name.clone()).collect();
    let mut refused = Vec::new();
    flat.arrays
        .retain(|named| match bad_name(&named.name, &names) {
            Some(reason) => {
                refused.push((named.path.clone(), named.array, reason));
                false
            }
            None => true,
        });
    for (path, array, reason) in refused {
        flat.refuse(path, &Value::Array(array.borrowed()), reason);
    }
    flat
}

/// Says why an archive cannot have a member of this name beside the others, if it cannot.
fn bad_name(name: &str, names: &HashSet<String>) -> Option<&'static str> {
    if name.contains('\0') {
        return Some("its name holds NUL, where zip names end");
    }
    if name.len() + SUFFIX.len() > LONGEST_NAME {
        return Some("its name has more than 65,531 bytes");
    }
    let shadowed = name.strip_suffix(SUFFIX)?;
    let reason = "NumPy takes its name for that of another array, which is the same without `.npy`";
    names.contains(shadowed).then_some(reason)
}
