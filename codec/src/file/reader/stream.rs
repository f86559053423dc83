//! A reader that can only go on: nothing is known of what is still to come.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use super::input::{Input, truncated};
use crate::error::{Error, ErrorKind};

/// Reads each byte once, and makes room only for what has arrived.
pub(crate) struct Stream<R> {
    reader: BufReader<R>,
    offset: u64,
    /// How many bytes there may be.
    limit: usize,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 16, reader),
            offset: 0,
            limit,
        }
    }

    /// Refuses to go on to where the limit has been passed.
    fn allow(&self, count: usize) -> Result<(), Error> {
        let (limit, end) = (self.limit, self.offset.saturating_add(count as u64));
        if end > limit as u64 {
            let found = usize::try_from(end).unwrap_or(usize::MAX);
            let what = "bytes of input";
            return Err(ErrorKind::Limit { what, limit, found }.into());
        }
        Ok(())
    }
}

impl<'de, R: Read> Input<'de> for Stream<R> {
    fn offset(&self) -> u64 {
        self.offset
    }

    fn left(&self) -> Option<u64> {
        None
    }

    fn rest(&mut self) -> Result<u64, Error> {
        io::copy(&mut self.reader, &mut io::sink()).map_err(|error| ErrorKind::io(error).into())
    }

    fn peek(&mut self) -> Result<Option<u8>, Error> {
        loop {
            return match self.reader.fill_buf() {
                Ok(bytes) => Ok(bytes.first().copied()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(ErrorKind::io(error).into()),
            };
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.allow(N)?;
        let (mut bytes, mut found) = ([0; N], 0);
        while found < N {
            match self.reader.read(&mut bytes[found..]) {
                Ok(0) => return Err(truncated(N, found)),
                Ok(count) => found += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ErrorKind::io(error).into()),
            }
        }
        self.offset += N as u64;
        Ok(bytes)
    }

    fn take(&mut self, count: usize) -> Result<Cow<'de, [u8]>, Error> {
        self.allow(count)?;
        let mut bytes = Vec::new();
        let mut part = (&mut self.reader).take(count as u64);
        part.read_to_end(&mut bytes).map_err(ErrorKind::io)?;
        if bytes.len() < count {
            return Err(truncated(count, bytes.len()));
        }
        self.offset += count as u64;
        Ok(Cow::Owned(bytes))
    }

    fn skip(&mut self, count: usize) -> Result<(), Error> {
        self.allow(count)?;
        let mut part = (&mut self.reader).take(count as u64);
        let passed = io::copy(&mut part, &mut io::sink()).map_err(ErrorKind::io)?;
        if passed < count as u64 {
            return Err(truncated(count, usize::try_from(passed).unwrap_or(count)));
        }
        self.offset += count as u64;
        Ok(())
    }
}
