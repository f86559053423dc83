//! Texts of a fixed number of characters.

use std::fmt;

use super::{Cast, Element, InvalidItem, ReaderError};
use crate::dtype::{ByteOrder, DType};

/// A text of at most `N` characters, NUL-padded: `U` of NumPy.
///
/// NULs at its end are padding, as they are for NumPy; those inside are kept. It is what columns of
/// rows hold; an array that is nothing but texts can be one of `String` as well. Files have to hold
/// the very length: `Text<8>` is `<U8` and does not read `<U5`.
///
/// ```
/// use npcodec::dtype::{Element, Text};
///
/// let text = <Text<4>>::from_text("漢字").ok_or("too long")?;
/// assert_eq!(text.to_string(), "漢字");
/// assert_eq!(<Text<4>>::dtype().text(), "'<U4'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text<const N: usize>([char; N]);

impl<const N: usize> Text<N> {
    /// Takes a text; none if it is longer than `N` characters.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let mut padded = ['\0'; N];
        let mut places = padded.iter_mut();
        for character in text.chars() {
            *places.next()? = character;
        }
        Some(Self(padded))
    }

    /// Returns the characters, without the NULs at their end.
    #[must_use]
    pub fn as_chars(&self) -> &[char] {
        let length = self.0.iter().rposition(|&character| character != '\0');
        let length = length.map_or(0, |last| last.saturating_add(1));
        self.0.get(..length).unwrap_or_default()
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self(['\0'; N])
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.as_chars().iter().collect::<String>())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

/// In which order the bytes of a character lie.
#[derive(Debug, Clone, Copy)]
pub struct TextReader {
    big: bool,
}

impl<const N: usize> Element for Text<N> {
    type Reader = TextReader;

    const SIZE: usize = N * 4;
    const ALIGN: usize = 4;

    fn dtype() -> DType {
        DType::Unicode(N, ByteOrder::Little)
    }

    fn reader(dtype: &DType, _cast: Cast) -> Result<TextReader, ReaderError> {
        match dtype {
            DType::Unicode(length, order) if *length == N => Ok(TextReader {
                big: *order == ByteOrder::Big,
            }),
            _ => Err(ReaderError::dtype(&Self::dtype(), dtype, None)),
        }
    }

    fn read(reader: &TextReader, item: &[u8]) -> Result<Self, InvalidItem> {
        if item.len() != Self::SIZE {
            return Err(InvalidItem::of_size(item.len(), Self::SIZE));
        }
        let mut text = Self::default();
        for (place, bytes) in text.0.iter_mut().zip(item.chunks_exact(4)) {
            let code = bytes.iter().enumerate().fold(0, |code, (at, &byte)| {
                let shift = if reader.big { 3 - at } else { at };
                code | u32::from(byte) << (8 * shift)
            });
            *place = char::from_u32(code)
                .ok_or_else(|| InvalidItem::new(format!("{code:#x}"), "a Unicode character"))?;
        }
        Ok(text)
    }

    fn write(&self, item: &mut [u8]) {
        if item.len() == Self::SIZE {
            for (place, &character) in item.chunks_exact_mut(4).zip(&self.0) {
                place.copy_from_slice(&u32::from(character).to_le_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trailing_nuls_are_padding() {
        let text = <Text<4>>::from_text("é\0漢").unwrap();
        assert_eq!(text.as_chars(), ['é', '\0', '漢']);
        assert_eq!(format!("{text:?}"), r#""é\0漢""#);
        assert_eq!(<Text<2>>::from_text("é\0漢"), None);
        assert_eq!(<Text<0>>::default().to_string(), "");
    }

    #[test]
    fn characters_are_four_bytes_of_either_order() {
        // np.array('a\u6f22', 'U3').tobytes(), and the same of '>U3'
        let little = [0x61, 0, 0, 0, 0x22, 0x6f, 0, 0, 0, 0, 0, 0];
        let big = [0, 0, 0, 0x61, 0, 0, 0x6f, 0x22, 0, 0, 0, 0];
        let text = <Text<3>>::from_text("a漢").unwrap();
        let mut item = [0; 12];
        text.write(&mut item);
        assert_eq!(item, little);
        let read = |order, bytes: &[u8]| {
            let reader = <Text<3>>::reader(&DType::Unicode(3, order), Cast::Exact).unwrap();
            <Text<3>>::read(&reader, bytes)
        };
        assert_eq!(read(ByteOrder::Little, &little), Ok(text));
        assert_eq!(read(ByteOrder::Big, &big), Ok(text));
        let error = read(ByteOrder::Big, &little).unwrap_err();
        assert_eq!(error.found(), "0x61000000");
        assert!(read(ByteOrder::Little, &little[1..]).is_err());
    }

    #[test]
    fn lengths_are_part_of_the_type() {
        let dtype = DType::Unicode(2, ByteOrder::Little);
        let error = <Text<3>>::reader(&dtype, Cast::Lossy).unwrap_err();
        assert_eq!(error.to_string(), "expected dtype `<U3`, found `<U2`");
    }
}
