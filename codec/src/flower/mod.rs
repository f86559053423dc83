//! Flower's records, with the object ids that flwr computes.
