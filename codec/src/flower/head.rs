//! The first part of an object's bytes: `<class> <ids> <length>` before a NUL.

use super::ObjectId;
use super::data::Data;
use crate::error::{Error, FlowerError};
use crate::path::excerpt;

/// The classes of Flower's objects, by the names that stand in their heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Class {
    /// A part of the data of an array.
    ArrayChunk,
    /// An array.
    Array,
    /// A map of arrays.
    ArrayRecord,
    /// A map of settings.
    ConfigRecord,
    /// A map of measurements.
    MetricRecord,
    /// A map of records.
    RecordDict,
    /// What is sent: a map of records, or an error, and where to.
    Message,
}

impl Class {
    pub(super) const ALL: [Self; 7] = [
        Self::ArrayChunk,
        Self::Array,
        Self::ArrayRecord,
        Self::ConfigRecord,
        Self::MetricRecord,
        Self::RecordDict,
        Self::Message,
    ];

    /// Returns the name in the head of an object.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ArrayChunk => "ArrayChunk",
            Self::Array => "Array",
            Self::ArrayRecord => "ArrayRecord",
            Self::ConfigRecord => "ConfigRecord",
            Self::MetricRecord => "MetricRecord",
            Self::RecordDict => "RecordDict",
            Self::Message => "Message",
        }
    }

    /// Returns the classes that the children may have.
    pub(super) fn children(self) -> &'static [Self] {
        match self {
            Self::ArrayChunk | Self::ConfigRecord | Self::MetricRecord => &[],
            Self::Array => &[Self::ArrayChunk],
            Self::ArrayRecord => &[Self::Array],
            Self::RecordDict => &[Self::ArrayRecord, Self::ConfigRecord, Self::MetricRecord],
            Self::Message => &[Self::RecordDict],
        }
    }
}

/// What the head of an object says.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) class: Class,
    /// Each child once.
    pub(super) children: Vec<ObjectId>,
    /// How many bytes come before the body.
    pub(super) body: usize,
}

impl Head {
    /// Reads the head of an object, and sees that the body is as long as it says.
    ///
    /// # Errors
    /// [`FlowerError::Head`], [`FlowerError::Class`], [`FlowerError::ObjectId`],
    /// [`FlowerError::Children`] and [`FlowerError::BodyLength`].
    pub(super) fn read(content: &[u8]) -> Result<Self, Error> {
        let end = content.iter().position(|&byte| byte == 0);
        let head = content
            .get(..end.unwrap_or(content.len()))
            .unwrap_or_default();
        let lossy =
            || excerpt(&String::from_utf8_lossy(head.get(..200).unwrap_or(head))).into_owned();
        let fault = |expected| {
            Error::from(FlowerError::Head {
                expected,
                found: lossy(),
            })
        };
        let end = end.ok_or_else(|| fault("a NUL after the length"))?;
        let text = std::str::from_utf8(head).map_err(|_| fault("text"))?;
        let mut fields = text.split(' ');
        let (Some(class), Some(ids), Some(length), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(fault(
                "a class, ids and a length, with a blank between each",
            ));
        };
        let known = Class::ALL.into_iter().find(|known| known.name() == class);
        let class = known.ok_or_else(|| class_error("one of Flower's", class))?;
        let is_decimal = length.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = is_decimal && (length == "0" || !length.starts_with('0'));
        let stated = length.parse().ok().filter(|_| is_plain);
        let stated: u64 = stated.ok_or_else(|| fault("a decimal length"))?;
        let body = end + 1;
        let found = content.len() - body;
        if stated != found as u64 {
            return Err(FlowerError::BodyLength { stated, found }.into());
        }
        Ok(Self {
            class,
            children: read_ids(ids)?,
            body,
        })
    }
}

fn read_ids(text: &str) -> Result<Vec<ObjectId>, Error> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let ids = text
        .split(',')
        .map(str::parse)
        .collect::<Result<Vec<_>, Error>>()?;
    let mut seen = std::collections::HashSet::new();
    match ids.iter().find(|id| !seen.insert(**id)) {
        Some(id) => Err(children("is listed twice in the head", *id)),
        None => Ok(ids),
    }
}

pub(super) fn children(reason: &'static str, id: ObjectId) -> Error {
    let id = id.to_string();
    FlowerError::Children { reason, id }.into()
}

pub(super) fn class_error(expected: &'static str, found: &str) -> Error {
    let found = excerpt(found).into_owned();
    FlowerError::Class { expected, found }.into()
}

/// Puts the head before the body of an object.
pub(super) fn framed<'a>(class: Class, children: &[ObjectId], body: Data<'a>) -> Data<'a> {
    let mut head = format!("{} ", class.name());
    for (position, id) in children.iter().enumerate() {
        if position > 0 {
            head.push(',');
        }
        head.push_str(&id.to_string());
    }
    head.push_str(&format!(" {}\0", body.len()));
    let mut content = Data::from(head.into_bytes());
    content.append(body);
    content
}
