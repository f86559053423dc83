//! The messages of values in Flower's `recorddict.proto`, in the order of their numbers.

use prost::{Message, Oneof};

/// Makes the message of a list: its values under the number 1, packed where they are numbers.
macro_rules! lists {
    ($($name:ident: $kind:ident $type:ty;)*) => {$(
        #[derive(Clone, PartialEq, Message)]
        pub(in crate::flower) struct $name {
            #[prost($kind, repeated, tag = "1")]
            pub(in crate::flower) vals: Vec<$type>,
        }

        impl From<&[$type]> for $name {
            fn from(vals: &[$type]) -> Self {
                Self { vals: vals.to_vec() }
            }
        }
    )*};
}

lists! {
    DoubleList: double f64;
    SintList: sint64 i64;
    UintList: uint64 u64;
    BoolList: bool bool;
    StringList: string String;
}

/// Bytes are a type with a parameter to prost.
#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct BytesList {
    #[prost(bytes = "vec", repeated, tag = "1")]
    pub(in crate::flower) vals: Vec<Vec<u8>>,
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct ConfigRecordValue {
    #[prost(
        oneof = "ConfigKind",
        tags = "1, 2, 3, 4, 5, 6, 21, 22, 23, 24, 25, 26"
    )]
    pub(in crate::flower) value: Option<ConfigKind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(in crate::flower) enum ConfigKind {
    #[prost(double, tag = "1")]
    Double(f64),
    #[prost(sint64, tag = "2")]
    Sint64(i64),
    #[prost(uint64, tag = "3")]
    Uint64(u64),
    #[prost(bool, tag = "4")]
    Bool(bool),
    #[prost(string, tag = "5")]
    String(String),
    #[prost(bytes = "vec", tag = "6")]
    Bytes(Vec<u8>),
    #[prost(message, tag = "21")]
    DoubleList(DoubleList),
    #[prost(message, tag = "22")]
    SintList(SintList),
    #[prost(message, tag = "23")]
    UintList(UintList),
    #[prost(message, tag = "24")]
    BoolList(BoolList),
    #[prost(message, tag = "25")]
    StringList(StringList),
    #[prost(message, tag = "26")]
    BytesList(BytesList),
}

#[derive(Clone, PartialEq, Message)]
pub(in crate::flower) struct MetricRecordValue {
    #[prost(oneof = "MetricKind", tags = "1, 2, 3, 21, 22, 23")]
    pub(in crate::flower) value: Option<MetricKind>,
}

#[derive(Clone, PartialEq, Oneof)]
pub(in crate::flower) enum MetricKind {
    #[prost(double, tag = "1")]
    Double(f64),
    #[prost(sint64, tag = "2")]
    Sint64(i64),
    #[prost(uint64, tag = "3")]
    Uint64(u64),
    #[prost(message, tag = "21")]
    DoubleList(DoubleList),
    #[prost(message, tag = "22")]
    SintList(SintList),
    #[prost(message, tag = "23")]
    UintList(UintList),
}

/// Makes the message of a record: items of a key and a value.
macro_rules! records {
    ($($record:ident of $item:ident: $value:ty;)*) => {$(
        #[derive(Clone, PartialEq, Message)]
        pub(in crate::flower) struct $record {
            #[prost(message, repeated, tag = "1")]
            pub(in crate::flower) items: Vec<$item>,
        }

        #[derive(Clone, PartialEq, Message)]
        pub(in crate::flower) struct $item {
            #[prost(string, tag = "1")]
            pub(in crate::flower) key: String,
            #[prost(message, optional, tag = "2")]
            pub(in crate::flower) value: Option<$value>,
        }
    )*};
}

records! {
    ConfigRecord of ConfigItem: ConfigRecordValue;
    MetricRecord of MetricItem: MetricRecordValue;
}
