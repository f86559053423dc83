//! NumPy's files of one array, `.npy`.
