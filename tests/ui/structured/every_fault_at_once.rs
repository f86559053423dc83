use npcodec::Structured;

#[derive(Clone, Structured)]
#[structured(alined, packed = 4, align, align)]
#[structured(crate = "::npcodec")]
struct Row {
    #[structured(rename = "b", rename = "c", skip(now))]
    a: f32,
    c: f64,
    #[structured(rename = "")]
    d: u8,
}

#[derive(Clone, Structured)]
struct Tuple(f32, f64);

#[derive(Clone, Structured)]
struct Nothing;

#[derive(Clone, Structured)]
enum Either {
    One,
}

fn main() {
    fn element<T: npcodec::dtype::Element>() {}
    element::<Row>();
    element::<Tuple>();
    element::<Nothing>();
    element::<Either>();
}
