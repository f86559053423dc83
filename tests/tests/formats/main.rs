//! Every format through one door: recognised, read, written, converted; and what each of them holds.

mod convert;
mod matrix;
mod recognise;
mod restored;
mod samples;
