//! What a test needs until the end of its process, since states may only be loaded from what outlives them.

use std::any::Any;
use std::sync::{Mutex, PoisonError};

/// What is still referred to is no leak to AddressSanitizer.
static KEPT: Mutex<Vec<&(dyn Any + Send + Sync)>> = Mutex::new(Vec::new());

/// Keeps a value for as long as the process lives.
pub fn kept<T: Any + Send + Sync>(value: T) -> &'static T {
    let value: &'static T = Box::leak(Box::new(value));
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(value);
    value
}
