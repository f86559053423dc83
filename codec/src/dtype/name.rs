//! Python's `str(dtype)`, under which people know a dtype: `float32`, `>f4`, `[('a', '<i4')]`.

use std::fmt::{self, Display};

use super::layout::Layout;
use super::parser::Parser;
use super::repr::{Repr, Shape, commas};
use super::scalar::{self, Code};
use super::{ByteOrder, DType, Number, Record};

pub(super) const NAMES: [(&str, Number); 18] = [
    ("bool", Number::Bool),
    ("int8", Number::Int8),
    ("int16", Number::Int16),
    ("int32", Number::Int32),
    ("int64", Number::Int64),
    ("uint8", Number::UInt8),
    ("uint16", Number::UInt16),
    ("uint32", Number::UInt32),
    ("uint64", Number::UInt64),
    ("float16", Number::Float16),
    ("float32", Number::Float32),
    ("float64", Number::Float64),
    ("float96", Number::LongDouble(12)),
    ("float128", Number::LongDouble(16)),
    ("complex64", Number::Complex64),
    ("complex128", Number::Complex128),
    ("complex192", Number::ComplexLongDouble(12)),
    ("complex256", Number::ComplexLongDouble(16)),
];

impl DType {
    /// Returns the text that Python's `str` gives for the dtype on a little-endian machine.
    ///
    /// `float32`, `>f4`, `|S3`, `datetime64[ns]`, `bfloat16`; of a record the list of its fields, or
    /// the dict if they have padding between them.
    ///
    /// ```
    /// use npcodec::dtype::DType;
    ///
    /// let dtype: DType = "'<f4'".parse()?;
    /// assert_eq!(dtype.name(), "float32");
    /// assert_eq!(DType::from_name("float32"), Some(dtype));
    /// # Ok::<(), npcodec::dtype::DTypeError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> String {
        Named(self).to_string()
    }

    /// Returns the dtype of such a text; none if it is none, or names objects.
    ///
    /// Codes without a name are taken too: `<f4`. Of fields that are records themselves the text does
    /// not say whether they are padded; they are taken for packed, and in an aligned record for aligned if
    /// they can be.
    #[must_use]
    pub fn from_name(text: &str) -> Option<Self> {
        if let Some(dtype) = Self::of_name(text) {
            return Some(dtype);
        }
        if !text.starts_with(['[', '{', '(']) {
            return scalar::parse(text).ok();
        }
        Parser::named(text).ok()
    }

    /// Returns the dtype of a name that is no code.
    pub(super) fn of_name(text: &str) -> Option<Self> {
        if let Some((_, number)) = NAMES.iter().find(|(name, _)| *name == text) {
            let order = if number.itemsize() == 1 {
                ByteOrder::NotApplicable
            } else {
                ByteOrder::Little
            };
            return Some(Self::Number(*number, order));
        }
        let (letter, unit) = match (
            text.strip_prefix("datetime64"),
            text.strip_prefix("timedelta64"),
        ) {
            (Some(unit), _) => ('M', unit),
            (_, Some(unit)) => ('m', unit),
            _ => return None,
        };
        scalar::parse(&format!("<{letter}8{unit}")).ok()
    }

    /// Returns this dtype with the types of ml_dtypes that `name` gives to its opaque bytes; none if
    /// the two are different types.
    ///
    /// Padding is not compared: `name` does not always say it.
    #[cfg(feature = "flower")]
    pub(crate) fn named(&self, name: &Self) -> Option<Self> {
        match (self, name) {
            (Self::Void(length, _), Self::Ml(ml)) if *length == ml.itemsize() => Some(name.clone()),
            (Self::Void(found, _), Self::Void(wanted, _)) => {
                (found == wanted).then(|| self.clone())
            }
            (Self::Record(found), Self::Record(wanted)) => found.named(wanted).map(Self::Record),
            _ => (self == name).then(|| self.clone()),
        }
    }
}

impl Record {
    /// See [`DType::named`].
    #[cfg(feature = "flower")]
    fn named(&self, name: &Self) -> Option<Self> {
        if self.fields().len() != name.fields().len() {
            return None;
        }
        let fields = self
            .fields()
            .iter()
            .zip(name.fields())
            .map(|(found, wanted)| {
                let same = found.name() == wanted.name()
                    && found.shape() == wanted.shape()
                    && found.title() == wanted.title();
                let dtype = found.dtype().named(wanted.dtype()).filter(|_| same)?;
                Some(found.with_dtype(dtype))
            });
        Self::new(fields.collect::<Option<_>>()?, self.itemsize()).ok()
    }

    /// Returns true if nothing but the alignment of C lies between the fields.
    fn is_laid_out(&self) -> bool {
        let mut layout = Layout::new(self.is_aligned());
        let in_place = self.fields().iter().all(|field| {
            layout.place(field.size(), field.dtype().alignment()) == Some(field.offset())
        });
        in_place && layout.itemsize() == Some(self.itemsize())
    }
}

/// A dtype on its own.
struct Named<'a>(&'a DType);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DType::Number(number, order) if *order != ByteOrder::Big => {
                match NAMES.iter().find(|(_, named)| named == number) {
                    Some((name, _)) => f.write_str(name),
                    None => Code(self.0).fmt(f),
                }
            }
            DType::Ml(ml) => ml.fmt(f),
            DType::Datetime(unit, order) if *order != ByteOrder::Big => {
                write!(f, "datetime64{unit}")
            }
            DType::Timedelta(unit, order) if *order != ByteOrder::Big => {
                write!(f, "timedelta64{unit}")
            }
            DType::Void(length, _) => write!(f, "|V{length}"),
            DType::Record(record) if record.is_aligned() => dict(f, record, ", 'aligned': True"),
            other => Short(other).fmt(f),
        }
    }
}

/// The dtype of a field, and what is like it on its own.
struct Short<'a>(&'a DType);

impl Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DType::Record(record) if record.is_laid_out() => list(f, record),
            DType::Record(record) => dict(f, record, ""),
            code => Code(code).fmt(f),
        }
    }
}

/// The format of a field of a record.
struct Format<'a>(&'a DType);

impl Display for Format<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            DType::Record(_) => Short(self.0).fmt(f),
            DType::Ml(ml) => ml.fmt(f),
            DType::Number(Number::Bool, _) => f.write_str("'?'"),
            DType::Void(0, _) => f.write_str("'V'"),
            DType::Bytes(0) => f.write_str("'S'"),
            DType::Unicode(0, order) => write!(f, "'{}U'", order.as_char()),
            DType::Void(length, _) => write!(f, "'V{length}'"),
            code => write!(f, "'{}'", Code(code).to_string().trim_start_matches('|')),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, record: &Record) -> fmt::Result {
    f.write_str("[")?;
    commas(f, record.fields(), |f, field| {
        match field.title() {
            Some(title) => write!(f, "(({}, {}), ", Repr(title), Repr(field.name()))?,
            None => write!(f, "({}, ", Repr(field.name()))?,
        }
        Format(field.dtype()).fmt(f)?;
        if !field.shape().is_empty() {
            write!(f, ", {}", Shape(field.shape()))?;
        }
        f.write_str(")")
    })?;
    f.write_str("]")
}

fn dict(f: &mut fmt::Formatter<'_>, record: &Record, end: &str) -> fmt::Result {
    let fields = record.fields();
    f.write_str("{'names': [")?;
    commas(f, fields, |f, field| Repr(field.name()).fmt(f))?;
    f.write_str("], 'formats': [")?;
    commas(f, fields, |f, field| match field.shape() {
        [] => Format(field.dtype()).fmt(f),
        shape => write!(f, "({}, {})", Format(field.dtype()), Shape(shape)),
    })?;
    f.write_str("], 'offsets': [")?;
    commas(f, fields, |f, field| field.offset().fmt(f))?;
    if fields.iter().any(|field| field.title().is_some()) {
        f.write_str("], 'titles': [")?;
        commas(f, fields, |f, field| match field.title() {
            Some(title) => Repr(title).fmt(f),
            None => f.write_str("None"),
        })?;
    }
    write!(f, "], 'itemsize': {}{end}}}", record.itemsize())
}
