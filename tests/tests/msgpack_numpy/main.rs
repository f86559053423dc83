//! The files of msgpack-numpy: those that Python wrote, and what is refused.

mod refused;
mod vectors;
