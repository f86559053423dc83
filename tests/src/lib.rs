//! Helpers of the integration tests.

pub mod facts;
pub mod manifest;
pub mod python;
