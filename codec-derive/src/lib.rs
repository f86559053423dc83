//! The derives of npcodec.
