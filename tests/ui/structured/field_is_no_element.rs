use npcodec::Structured;

#[derive(Clone, Structured)]
struct Row {
    a: f32,
    b: String,
}

fn main() {}
