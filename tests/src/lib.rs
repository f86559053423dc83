//! Helpers of the integration tests.

pub mod arrays;
pub mod compiler;
pub mod fact;
pub mod facts;
pub mod house;
pub mod kept;
pub mod manifest;
pub mod peer;
pub mod python;
pub mod replay;
pub mod states;
pub mod temporary;
pub mod vector;
pub mod wire;
