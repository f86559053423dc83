//! The map of records: what a message holds.

use super::object::{Inflatable, Object, sealed};
use super::typed_dict::record;
use super::walk::{Origin, Walk};
use super::{ArrayRecord, Class, ConfigRecord, MetricRecord, ObjectId, TypedDict, head};
use crate::error::Error;

/// A record of any of the three kinds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Record<'a> {
    /// A map of arrays.
    Arrays(ArrayRecord<'a>),
    /// A map of settings.
    Config(ConfigRecord),
    /// A map of measurements.
    Metrics(MetricRecord),
}

/// A map of names to records, as Flower's `RecordDict`.
///
/// ```
/// use npcodec::flower::{ArrayRecord, ConfigRecord, RecordDict};
///
/// let mut records = RecordDict::new();
/// records.insert("arrays", ArrayRecord::new());
/// records.insert("config", ConfigRecord::from_iter([("lr", 0.1)]));
/// assert_eq!(records.array_records().count(), 1);
/// assert_eq!(records.config_record("config").and_then(|config| config.get("lr")), Some(&0.1.into()));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordDict<'a>(pub(super) TypedDict<Record<'a>>, pub(super) Origin);

record!(RecordDict<'a>, Record<'a>; 'a);

macro_rules! kinds {
    ($($kind:ident $record:ty, $one:ident $one_mut:ident $all:ident, $what:literal;)*) => {
        impl<'a> RecordDict<'a> {
            $(
                #[doc = concat!("Returns the record of ", $what, " under a key; none if there is no such one.")]
                #[must_use]
                pub fn $one(&self, key: &str) -> Option<&$record> {
                    match self.get(key) {
                        Some(Record::$kind(record)) => Some(record),
                        _ => None,
                    }
                }

                #[doc = concat!("Returns the record of ", $what, " under a key, to be changed.")]
                #[must_use]
                pub fn $one_mut(&mut self, key: &str) -> Option<&mut $record> {
                    match self.get_mut(key) {
                        Some(Record::$kind(record)) => Some(record),
                        _ => None,
                    }
                }

                #[doc = concat!("Iterates over the records of ", $what, " and their keys, in their order.")]
                pub fn $all(&self) -> impl Iterator<Item = (&str, &$record)> {
                    self.iter().filter_map(|(key, record)| match record {
                        Record::$kind(record) => Some((key, record)),
                        _ => None,
                    })
                }
            )*
        }

        $(impl<'a> From<$record> for Record<'a> {
            fn from(record: $record) -> Self {
                Self::$kind(record)
            }
        })*
    };
}

kinds! {
    Arrays ArrayRecord<'a>, array_record array_record_mut array_records, "arrays";
    Config ConfigRecord, config_record config_record_mut config_records, "settings";
    Metrics MetricRecord, metric_record metric_record_mut metric_records, "measurements";
}

impl<'a> Record<'a> {
    fn known_id(&self) -> Option<ObjectId> {
        match self {
            Self::Arrays(record) => record.known_id(),
            Self::Config(record) => record.known_id(),
            Self::Metrics(record) => record.known_id(),
        }
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        match self {
            Self::Arrays(record) => record.walk(walk),
            Self::Config(record) => record.walk(walk),
            Self::Metrics(record) => record.walk(walk),
        }
    }
}

impl<'a> From<Record<'a>> for Object<'a> {
    fn from(record: Record<'a>) -> Self {
        match record {
            Record::Arrays(record) => record.into(),
            Record::Config(record) => record.into(),
            Record::Metrics(record) => record.into(),
        }
    }
}

impl<'a> TryFrom<Object<'a>> for Record<'a> {
    type Error = Error;

    /// # Errors
    /// [`FlowerError::Class`](crate::FlowerError::Class).
    fn try_from(object: Object<'a>) -> Result<Self, Error> {
        match object {
            Object::ArrayRecord(record) => Ok(record.into()),
            Object::ConfigRecord(record) => Ok(record.into()),
            Object::MetricRecord(record) => Ok(record.into()),
            other => Err(head::class_error(
                "ArrayRecord, ConfigRecord or MetricRecord",
                other.class().name(),
            )),
        }
    }
}

impl<'a> RecordDict<'a> {
    /// Returns the same records with memory of their own for what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> RecordDict<'static> {
        let Self(records, origin) = self;
        let records = records.into_iter().map(|(key, record)| {
            let record = match record {
                Record::Arrays(record) => Record::Arrays(record.into_owned()),
                Record::Config(record) => Record::Config(record),
                Record::Metrics(record) => Record::Metrics(record),
            };
            (key, record)
        });
        RecordDict(records.collect(), origin)
    }
}

impl sealed::Sealed for RecordDict<'_> {}

impl<'a> Inflatable<'a> for RecordDict<'a> {
    const CLASS: Class = Class::RecordDict;

    fn known_id(&self) -> Option<ObjectId> {
        self.1.found()?;
        let known = self
            .iter()
            .map(|(key, record)| Some((key, record.known_id()?)));
        let entries = known.collect::<Option<Vec<_>>>()?;
        self.1.of_entries(&entries).map(|found| found.id)
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        let entries: Vec<_> = self
            .iter()
            .map(|(key, record)| (key, record.walk(walk)))
            .collect();
        walk.record(Class::RecordDict, &self.1, &entries)
    }

    fn child_objects(&self, _: &Walk<'_, 'a>) -> Vec<Object<'a>> {
        self.values().cloned().map(Object::from).collect()
    }
}
