//! Files that Rust writes are read by Dopamine itself, and files that Dopamine writes are read here.
//!
//! The Python side is `tests/python/live.py`; `scripts/test` says which Python has the packages.

mod live {
    mod arrays;
    mod attributes;
    mod containers;
    mod forms;
    mod kinds;
    mod layouts;
    mod neighbours;
    mod python_writes;
    mod records;
    mod replay;
    mod rows;
    mod rust_writes;
    mod saved;
    mod top_level;
    mod training;
    mod typed;
    mod untyped;
}
