//! The files of safetensors.
