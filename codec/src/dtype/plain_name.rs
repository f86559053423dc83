//! NumPy's names of dtypes, `float32`, and the codes of its array protocol, `<f4`.

#[cfg(feature = "flax")]
use std::borrow::Cow;

#[cfg(feature = "flax")]
use super::name::NAMES;
use super::scalar;
use super::{DType, DTypeError, MlType};

impl DType {
    /// Returns `dtype.name`, which leaves the byte order out; none where NumPy does not take its own
    /// name for a dtype again: texts, byte strings, voids, records.
    #[cfg(feature = "flax")]
    pub(crate) fn plain_name(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Number(number, _) => {
                let found = NAMES.iter().find(|(_, known)| known == number);
                found.map(|(name, _)| Cow::Borrowed(*name))
            }
            Self::Ml(ml) => Some(Cow::Borrowed(ml.name())),
            Self::Datetime(unit, _) => Some(Cow::Owned(format!("datetime64{unit}"))),
            Self::Timedelta(unit, _) => Some(Cow::Owned(format!("timedelta64{unit}"))),
            Self::Unicode(..) | Self::Bytes(_) | Self::Void(..) | Self::Record(_) => None,
        }
    }

    /// Returns the dtype of a name or code, little-endian unless the code says otherwise.
    ///
    /// # Errors
    /// A [`DTypeError`] for any other text, objects among them.
    pub(crate) fn from_plain_name(text: &str) -> Result<Self, DTypeError> {
        if let Some(dtype) = Self::of_name(text) {
            return Ok(dtype);
        }
        if let Some(ml) = MlType::from_name(text) {
            return Ok(Self::Ml(ml));
        }
        Self::from_code(text)
    }

    /// Returns the dtype of a code of the array protocol, `<f4`.
    ///
    /// # Errors
    /// A [`DTypeError`] for any other text, objects among them.
    pub(crate) fn from_code(code: &str) -> Result<Self, DTypeError> {
        scalar::parse(code).map_err(|kind| DTypeError::at(kind, 0, code))
    }
}

#[cfg(feature = "flax")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::{ByteOrder, Number};

    /// What `np.dtype(text).name` is in NumPy 2.4.6, with ml_dtypes 0.6.0.
    #[test]
    fn names_are_those_of_numpy() {
        for (text, name) in [
            ("'|b1'", "bool"),
            ("'<u2'", "uint16"),
            ("'<f2'", "float16"),
            ("'<c16'", "complex128"),
            ("'<f16'", "float128"),
            ("'<c32'", "complex256"),
            ("'<M8[D]'", "datetime64[D]"),
            ("'<m8[25s]'", "timedelta64[25s]"),
            ("'<M8'", "datetime64"),
            ("'bfloat16'", "bfloat16"),
            ("'float8_e4m3b11fnuz'", "float8_e4m3b11fnuz"),
            ("'int4'", "int4"),
        ] {
            let dtype: DType = text.parse().unwrap();
            assert_eq!(dtype.plain_name().as_deref(), Some(name));
            assert_eq!(DType::from_plain_name(name).unwrap(), dtype);
        }
        for text in ["'<U2'", "'|S2'", "[('', '|V2')]", "[('a', '<i4')]"] {
            assert_eq!(text.parse::<DType>().unwrap().plain_name(), None);
        }
        for text in [
            "str64",
            "void16",
            "float",
            "i1,i1",
            "O",
            "object",
            "datetime64[x]",
            "",
        ] {
            assert!(DType::from_plain_name(text).is_err(), "{text}");
        }
        let big = DType::Number(Number::Float32, ByteOrder::Big);
        assert_eq!(DType::from_plain_name(">f4").unwrap(), big);
    }
}
