//! The protobuf forms that hold everything in one message: what Flower stores states in.

use bytes::Buf;

use super::protobuf::arrays::{self, ArrayItem, RecordItem, RecordKind};
use super::protobuf::write::Parts;
use super::protobuf::{collect, decode, fault, under};
use super::{Array, ArrayRecord, ConfigRecord, MetricRecord, Record, RecordDict};
use crate::error::{Error, ErrorKind};

/// The longest axis that the message of an array can state.
const LONGEST_AXIS: usize = i32::MAX as usize;

impl Array<'_> {
    /// Returns the protobuf message of the array, with its data.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for an axis or a message of more than 2,147,483,647, the most that
    /// protobuf has here.
    pub fn to_protobuf(&self) -> Result<Vec<u8>, Error> {
        self.parts()?.join()
    }

    /// Reads the protobuf message of an array. Of `bytes::Bytes` the data is shared, of anything else
    /// it is copied once.
    ///
    /// # Errors
    /// [`ErrorKind::Format`] for bytes that are no such message.
    pub fn from_protobuf(bytes: impl Buf) -> Result<Array<'static>, Error> {
        array(decode(bytes, "Array")?)
    }

    fn parts(&self) -> Result<Parts<'_>, Error> {
        let axis = |&length: &usize| {
            i32::try_from(length).map_err(|_| {
                let (what, limit) = ("items along an axis in protobuf", LONGEST_AXIS);
                let found = length;
                Error::from(ErrorKind::Limit { what, limit, found })
            })
        };
        let mut parts = Parts::of(&arrays::Array {
            dtype: self.dtype().to_owned(),
            shape: self.shape().iter().map(axis).collect::<Result<_, _>>()?,
            stype: self.stype().to_owned(),
            ..Default::default()
        });
        if !self.data().is_empty() {
            let mut data = Parts::default();
            self.data().pieces().for_each(|piece| data.push(piece));
            parts.field(4, data);
        }
        Ok(parts)
    }
}

impl ArrayRecord<'_> {
    /// Returns the protobuf message of the record, with the data of its arrays.
    ///
    /// # Errors
    /// Those of [`Array::to_protobuf`].
    pub fn to_protobuf(&self) -> Result<Vec<u8>, Error> {
        self.parts()?.join()
    }

    /// Reads the protobuf message of a record. Of `bytes::Bytes` the data of the arrays is shared, of
    /// anything else it is copied once.
    ///
    /// # Errors
    /// [`ErrorKind::Format`] for bytes that are no such message,
    /// [`ErrorKind::RepeatedKey`], where flwr keeps the last value.
    pub fn from_protobuf(bytes: impl Buf) -> Result<ArrayRecord<'static>, Error> {
        array_record(decode(bytes, "ArrayRecord")?)
    }

    fn parts(&self) -> Result<Parts<'_>, Error> {
        let mut parts = Parts::default();
        for (key, value) in self.iter() {
            let mut item = Parts::of(&ArrayItem {
                key: key.to_owned(),
                value: None,
            });
            item.field(2, value.parts().map_err(|error| under(error, key))?);
            parts.field(1, item);
        }
        Ok(parts)
    }
}

impl RecordDict<'_> {
    /// Returns the protobuf message of the records, with the data of their arrays.
    ///
    /// # Errors
    /// Those of [`Array::to_protobuf`].
    pub fn to_protobuf(&self) -> Result<Vec<u8>, Error> {
        self.parts()?.join()
    }

    /// Reads the protobuf message of records. Of `bytes::Bytes` the data of the arrays is shared, of
    /// anything else it is copied once.
    ///
    /// # Errors
    /// [`ErrorKind::Format`] for bytes that are no such message, and for a key without a record;
    /// [`ErrorKind::RepeatedKey`], where flwr keeps the last value.
    pub fn from_protobuf(bytes: impl Buf) -> Result<RecordDict<'static>, Error> {
        record_dict(decode(bytes, "RecordDict")?)
    }

    pub(super) fn parts(&self) -> Result<Parts<'_>, Error> {
        let mut parts = Parts::default();
        for (key, record) in self.iter() {
            let mut item = Parts::of(&RecordItem {
                key: key.to_owned(),
                value: None,
            });
            match record {
                Record::Arrays(record) => {
                    item.field(2, record.parts().map_err(|error| under(error, key))?);
                }
                Record::Metrics(record) => item.field(3, Parts::of(&record.message())),
                Record::Config(record) => item.field(4, Parts::of(&record.message())),
            }
            parts.field(1, item);
        }
        Ok(parts)
    }
}

fn array(message: arrays::Array) -> Result<Array<'static>, Error> {
    let axis = |&length: &i32| {
        let fault = |_| fault("the length of an axis", &length.to_string());
        usize::try_from(length).map_err(fault)
    };
    let shape = message
        .shape
        .iter()
        .map(axis)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Array::new(
        message.dtype,
        shape,
        message.stype,
        message.data,
    ))
}

fn array_record(message: arrays::ArrayRecord) -> Result<ArrayRecord<'static>, Error> {
    let items = message.items.into_iter().map(|item| {
        // An absent message is an empty one in Flower's reader.
        (item.key, array(*item.value.unwrap_or_default()))
    });
    Ok(collect(items)?.into_iter().collect())
}

pub(super) fn record_dict(message: arrays::RecordDict) -> Result<RecordDict<'static>, Error> {
    let items = message.items.into_iter();
    let items = items.map(|item| (item.key, item.value.map_or_else(no_record, record)));
    Ok(collect(items)?.into_iter().collect())
}

fn record(kind: RecordKind) -> Result<Record<'static>, Error> {
    Ok(match kind {
        RecordKind::Array(record) => array_record(record)?.into(),
        RecordKind::Metric(record) => MetricRecord::of(record)?.into(),
        RecordKind::Config(record) => ConfigRecord::of(record)?.into(),
    })
}

fn no_record() -> Result<Record<'static>, Error> {
    Err(fault(
        "a record",
        "none, or one of a class that is not known",
    ))
}
