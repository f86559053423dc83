//! NumPy's files of one array, `.npy`.

#[allow(dead_code, reason = "each format uses a part of it")]
pub(crate) mod header;
