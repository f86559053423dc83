//! Flower's objects against those that flwr 1.42.0 made: equal bytes, equal ids, equal values.
//!
//! What they hold is taken from their index, never from what this library made of them.

mod arrays;
mod cases;
mod changes;
mod claims;
mod live;
mod reading;
mod refusals;
mod writing;
