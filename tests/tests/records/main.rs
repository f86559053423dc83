//! Flower's records of values, their protobuf, and states as records: against what flwr wrote, in
//! `tests/data/flower`.

mod inline;
mod live;
mod memory;
mod messages;
mod properties;
mod states;
mod values;
mod vectors;
