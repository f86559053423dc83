//! NumPy's archives of arrays, `.npz`.
