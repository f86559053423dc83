//! Texts and sizes as NumPy 2.4.6 gives them.
