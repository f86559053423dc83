//! Writing messages around data that is copied into them, and nowhere else.

use std::borrow::Cow;

use prost::Message;

use crate::error::{Error, ErrorKind};

/// The most bytes that protobuf allows in a message.
const MOST: usize = i32::MAX as usize;

/// A message in parts, of which the large ones are borrowed.
#[derive(Default)]
pub(in crate::flower) struct Parts<'m> {
    parts: Vec<Cow<'m, [u8]>>,
    length: usize,
}

impl<'m> Parts<'m> {
    /// Starts with the fields of a message.
    pub(in crate::flower) fn of(fields: &impl Message) -> Self {
        let mut parts = Self::default();
        parts.push(fields.encode_to_vec());
        parts
    }

    /// Puts bytes at the end.
    pub(in crate::flower) fn push(&mut self, bytes: impl Into<Cow<'m, [u8]>>) {
        let bytes = bytes.into();
        if !bytes.is_empty() {
            self.length = self.length.saturating_add(bytes.len());
            self.parts.push(bytes);
        }
    }

    /// Puts a message or bytes at the end, as a field of a number below 16.
    pub(in crate::flower) fn field(&mut self, number: u8, value: Self) {
        const LENGTH_DELIMITED: u8 = 2;
        let mut head = vec![number << 3 | LENGTH_DELIMITED];
        let mut length = value.length;
        while length > 0x7f {
            head.push(length as u8 | 0x80);
            length >>= 7;
        }
        head.push(length as u8);
        self.push(head);
        self.append(value);
    }

    /// Puts the fields of another part of the message at the end.
    pub(in crate::flower) fn append(&mut self, more: Self) {
        self.length = self.length.saturating_add(more.length);
        self.parts.extend(more.parts);
    }

    /// Joins the parts.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] for more than the 2,147,483,647 bytes that a message can have.
    pub(in crate::flower) fn join(self) -> Result<Vec<u8>, Error> {
        if self.length > MOST {
            let (what, limit, found) = ("bytes of a protobuf message", MOST, self.length);
            return Err(ErrorKind::Limit { what, limit, found }.into());
        }
        let mut bytes = Vec::new();
        bytes.reserve_exact(self.length);
        self.parts
            .iter()
            .for_each(|part| bytes.extend_from_slice(part));
        Ok(bytes)
    }
}
