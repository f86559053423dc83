//! Helpers of the integration tests.

pub mod fact;
pub mod house;
pub mod vector;
pub mod wire;
