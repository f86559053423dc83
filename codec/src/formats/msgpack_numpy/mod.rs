//! The files of Python's msgpack-numpy.
