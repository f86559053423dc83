//! Every fault is reported in one compile, and the type can still be used.

use npcodec::Checkpoint;

#[derive(Checkpoint)]
struct State {
    #[checkpoint(compres)]
    frames: Vec<u8>,
    #[checkpoint(width = "8")]
    name: String,
    #[checkpoint(skip, scalar)]
    step: u64,
}

#[derive(Checkpoint)]
struct Outer {
    #[checkpoint(flatten)]
    state: State,
    states: Vec<State>,
}

fn main() {
    let state = State { frames: vec![], name: String::new(), step: 0 };
    let bytes = rmp_serde::to_vec(&state).unwrap();
    let _: State = rmp_serde::from_slice(&bytes).unwrap();
}
