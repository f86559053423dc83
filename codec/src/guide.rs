//! How to use the crate, page by page.

#[doc = include_str!("../docs/attributes.md")]
pub mod attributes {}

#[doc = include_str!("../docs/wire_format.md")]
pub mod wire_format {}

#[doc = include_str!("../docs/states.md")]
pub mod states {}

#[doc = include_str!("../docs/files.md")]
pub mod files {}

#[doc = include_str!("../docs/dopamine.md")]
pub mod dopamine {}

#[cfg(feature = "replay")]
#[doc = include_str!("../docs/replay.md")]
pub mod replay {}

#[cfg(feature = "flower")]
#[doc = include_str!("../docs/flower.md")]
pub mod flower {}

#[doc = include_str!("../docs/safety.md")]
pub mod safety {}

// Its examples are of these features too.
#[cfg(all(
    doctest,
    feature = "flax",
    feature = "flower",
    feature = "npy",
    feature = "replay"
))]
#[doc = include_str!("../../README.md")]
mod readme {}
