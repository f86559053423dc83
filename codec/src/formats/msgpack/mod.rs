//! What the formats share that are MessagePack: values read from its tokens, and written to it.

mod check;
mod dimensions;
#[cfg(feature = "flax")]
mod locate;
mod output;
mod reader;
mod target;

pub(super) use check::{Refused, Rules, unsupported};
#[cfg(feature = "flax")]
pub(super) use check::{is_long, leaf};
pub(super) use dimensions::Dimensions;
#[cfg(feature = "flax")]
pub(super) use locate::locate;
pub(super) use output::Output;
pub(super) use reader::{Dialect, Reader, read};
pub(super) use target::{Measure, Stream, Target, in_one_allocation};
