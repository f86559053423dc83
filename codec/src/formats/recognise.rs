//! Which format a file has, by what only that format has.

use super::Format;
use super::fault::fault;
use crate::error::{Error, ErrorKind};
use crate::file::{Slice, Token, Tokens};
use crate::limits::Limits;

/// Says which format a file has, never by its name and never by a guess.
///
/// NumPy's files, zip archives and safetensors show themselves by their first bytes; everything else is
/// MessagePack, whose three kinds are told apart by their arrays: extensions of the codes 1 to 3 are
/// Flax's, maps with the byte strings `nd` or `complex` among their keys are msgpack-numpy's, and maps
/// of a list under `shape`, bytes under `data`, a text under `dtype` and at most `order` and `pad` beside
/// them are [`Format::MessagePack`]'s. A file without any array is plain MessagePack, which the three read alike.
///
/// The whole structure of a MessagePack file is gone through for that, but no payload. No feature is
/// needed: a format is recognised also where it cannot be read.
///
/// ```
/// use npcodec::formats::{Format, recognise};
///
/// assert_eq!(recognise(b"\x93NUMPY\x01\x00")?, Format::Npy);
/// assert_eq!(recognise(b"\x81\xa4step\x07")?, Format::MessagePack);
/// // flax.serialization.to_bytes({'w': np.array([1, 2], 'u1')})
/// let bytes = b"\x81\xa1w\xc7\x0d\x01\x93\x91\x02\xa5uint8\xc4\x02\x01\x02";
/// assert_eq!(recognise(bytes)?, Format::Flax);
/// # Ok::<(), npcodec::Error>(())
/// ```
///
/// # Errors
/// [`Format`](ErrorKind::Format) for a file with arrays of two kinds, and those of
/// [`decode`](crate::decode) for bytes that are no MessagePack value.
pub fn recognise(bytes: &[u8]) -> Result<Format, Error> {
    if bytes.starts_with(b"\x93NUMPY") {
        return Ok(Format::Npy);
    }
    // The first member, or the end of an archive that has none.
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Ok(Format::Npz);
    }
    if is_safetensors(bytes) {
        return Ok(Format::Safetensors);
    }
    let mut marks = Marks::default();
    marks.walk(bytes)?;
    Ok(marks
        .first
        .map_or(Format::MessagePack, |(format, _)| format))
}

/// Tells a file that begins with the length of a JSON map from every MessagePack value.
///
/// A map or list whose bytes 4 to 7 are zeros, as they are in a length below 2^32, has a key twice or is
/// a list of small numbers; of the latter none has a JSON map where its first bytes say. Any other
/// value ends with the file, as Flax's array alone does whose ninth byte is the length of an axis, 123.
fn is_safetensors(bytes: &[u8]) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk() else {
        return false;
    };
    if rest.first() != Some(&b'{') {
        return false;
    }
    if !matches!(length[0], 0x80..=0x9f | 0xdc..=0xdf) {
        // One that was cut off is still no MessagePack if it begins with a whole value.
        return !is_one_value(bytes);
    }
    let length = usize::try_from(u64::from_le_bytes(*length));
    let header = length.ok().and_then(|length| rest.get(..length));
    let begins = matches!(
        rest.get(1),
        Some(b'"' | b'}' | b' ' | b'\t' | b'\n' | b'\r')
    );
    begins && header.is_some_and(|header| header.trim_ascii_end().ends_with(b"}"))
}

/// Returns true if the bytes are one MessagePack value and nothing else, which is no list or map.
fn is_one_value(bytes: &[u8]) -> bool {
    let mut tokens = Tokens::new(Slice::new(bytes));
    let payload = match tokens.next() {
        Ok(Token::Text(length) | Token::Bytes(length) | Token::Extension(_, length)) => length,
        Ok(Token::List(_) | Token::Map(_)) | Err(_) => return false,
        Ok(_) => 0,
    };
    tokens.offset().checked_add(payload as u64) == Some(bytes.len() as u64)
}

/// The kinds of arrays in a MessagePack file, up to the second kind.
#[derive(Default)]
struct Marks {
    /// The kind, and the byte at which the first of its arrays is.
    first: Option<(Format, u64)>,
}

/// A list or map that was entered.
struct Level {
    /// The values that are still to come, those under keys among them.
    left: usize,
    map: Option<Keys>,
}

/// What of a map has been seen.
struct Keys {
    start: u64,
    next_is_key: bool,
    /// The part of an array that the last key names.
    part: Option<Part>,
    /// Which parts there are, of the kinds that an array has.
    of_array: [bool; 3],
    /// True if there are keys that no array has.
    others: bool,
}

/// A part that every array has.
#[derive(Clone, Copy)]
enum Part {
    Shape,
    Data,
    Dtype,
}

impl Marks {
    fn walk(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let limit = Limits::default().depth;
        let mut tokens = Tokens::new(Slice::new(bytes));
        let mut levels: Vec<Level> = Vec::new();
        loop {
            let start = tokens.offset();
            let is_key = enter(&mut levels);
            let token = tokens.next().map_err(|error| error.at(start))?;
            let mut keys = levels.last_mut().and_then(|level| level.map.as_mut());
            match &mut keys {
                Some(keys) if is_key => keys.others |= !matches!(token, Token::Text(_)),
                Some(keys) => keys.note_value(token),
                None => {}
            }
            match token {
                Token::Text(length) | Token::Bytes(length) | Token::Extension(_, length) => {
                    let content = tokens.bytes(length).map_err(|error| error.at(start))?;
                    match (token, keys) {
                        (Token::Text(_), Some(keys)) if is_key => keys.note_text(&content),
                        (Token::Bytes(_), Some(keys)) if is_key => {
                            if matches!(&*content, b"nd" | b"complex") {
                                self.mark(Format::MsgpackNumpy, keys.start)?;
                            }
                        }
                        (Token::Extension(1..=3, _), _) => self.mark(Format::Flax, start)?,
                        _ => {}
                    }
                }
                Token::List(left) => levels.push(Level { left, map: None }),
                Token::Map(count) => {
                    let keys = Keys {
                        start,
                        next_is_key: true,
                        part: None,
                        of_array: [false; 3],
                        others: false,
                    };
                    levels.push(Level {
                        left: count.saturating_mul(2),
                        map: Some(keys),
                    });
                }
                _ => {}
            }
            if levels.len() > limit {
                return Err(Error::from(ErrorKind::TooDeep { limit }).at(start));
            }
            while levels.last().is_some_and(|level| level.left == 0) {
                let keys = levels.pop().and_then(|level| level.map);
                if let Some(keys) = keys.filter(Keys::are_of_an_array) {
                    self.mark(Format::MessagePack, keys.start)?;
                }
            }
            if levels.is_empty() {
                return Ok(());
            }
        }
    }

    fn mark(&mut self, format: Format, at: u64) -> Result<(), Error> {
        let (first, before) = *self.first.get_or_insert((format, at));
        if first == format {
            return Ok(());
        }
        let found = format!("one of {format} behind one of {first} at byte {before}");
        Err(fault("messagepack", "arrays of one kind", found).at(at))
    }
}

/// Counts a value of the innermost list or map; returns true if it is a key.
fn enter(levels: &mut [Level]) -> bool {
    let Some(level) = levels.last_mut() else {
        return false;
    };
    level.left = level.left.saturating_sub(1);
    let Some(keys) = &mut level.map else {
        return false;
    };
    keys.next_is_key = !keys.next_is_key;
    !keys.next_is_key
}

impl Keys {
    /// Takes a key that is a text.
    fn note_text(&mut self, key: &[u8]) {
        self.part = match key {
            b"shape" => Some(Part::Shape),
            b"data" => Some(Part::Data),
            b"dtype" => Some(Part::Dtype),
            _ => None,
        };
        self.others |= self.part.is_none() && !matches!(key, b"order" | b"pad");
    }

    /// Takes what stands under the last key.
    fn note_value(&mut self, value: Token) {
        let [shape, data, dtype] = &mut self.of_array;
        match (self.part.take(), value) {
            (Some(Part::Shape), Token::List(_)) => *shape = true,
            (Some(Part::Data), Token::Bytes(_)) => *data = true,
            (Some(Part::Dtype), Token::Text(_)) => *dtype = true,
            _ => {}
        }
    }

    /// Returns true for what is read as an array, or refused for being a broken one.
    fn are_of_an_array(&self) -> bool {
        self.of_array == [true; 3] && !self.others
    }
}
