//! Nothing is imported but what is named.

#![no_implicit_prelude]

/// A struct.
#[derive(::npcodec::Checkpoint)]
pub struct Named {
    a: ::core::primitive::u8,
    #[checkpoint(default)]
    b: ::std::vec::Vec<u8>,
    #[checkpoint(with = "adapter")]
    c: u8,
    #[checkpoint(serde)]
    d: ::core::option::Option<u8>,
}

mod adapter {
    pub(super) fn serialize<S: ::serde::Serializer>(
        value: &u8,
        serializer: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        serializer.serialize_u8(*value)
    }
    pub(super) fn deserialize<'de, D: ::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::core::result::Result<u8, D::Error> {
        ::serde::Deserialize::deserialize(deserializer)
    }
}

/// An enum.
#[derive(::npcodec::Checkpoint)]
pub enum Enum {
    /// No content.
    A,
    /// A field.
    B(u8),
    /// Fields.
    C {
        /// A field.
        x: u8,
    },
}

/// No variants.
#[derive(::npcodec::Checkpoint)]
pub enum Never {}
