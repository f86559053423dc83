//! The structured arrays of Python's as rows.

use npcodec::dtype::{Datetime64, Days, Milliseconds, Seconds, Timedelta64, Void};
use npcodec::half::f16;
use npcodec::num_complex::Complex;
use npcodec_tests::row;

use super::python_writes::Vector;
use super::typed::{by_columns, whole};

row! {
    struct Aligned {
        a: i8 => "a",
        b: f64 => "b",
        c: i16 => "c",
    }
}

row! {
    struct AlignedInner {
        x: i8 => "x",
        y: i32 => "y",
    }
}

row! {
    struct AlignedNested {
        k: u8 => "k",
        p: AlignedInner => "p",
    }
}

row! {
    struct NestedInner {
        y: i16 => "y",
        z: u64 => "z",
    }
}

row! {
    struct NestedOuter {
        x: f32 => "x",
        q: NestedInner => "q",
    }
}

row! {
    struct Nested {
        p: NestedOuter => "p",
        w: Complex<f32> => "w",
    }
}

row! {
    struct SubRow {
        x: i16 => "x",
        y: f32 => "y",
    }
}

row! {
    struct SubArray {
        m: [[u8; 3]; 2] => "m",
        v: [f32; 2] => "v",
        one: [i32; 1] => "one",
        none: [i32; 0] => "none",
        rows: [SubRow; 2] => "rows",
    }
}

row! {
    struct Titles {
        n: i32 => "n",
        m: f32 => "m",
    }
}

row! {
    struct Quotes {
        single: i32 => "a'b",
        double: i16 => "é \"c\"\\",
        both: u8 => "both ' and \"",
        control: i8 => "tab\tline\n\x01",
        unnamed: i8 => "f4",
    }
}

row! {
    struct BigEndian {
        a: i32 => "a",
        b: f64 => "b",
        c: u16 => "c",
    }
}

row! {
    struct Datetimes {
        t: Datetime64<Seconds> => "t",
        d: Timedelta64<Milliseconds> => "d",
        e: Datetime64<Days> => "e",
    }
}

row! {
    struct Opaque {
        raw: Void<3> => "raw",
        n: i16 => "n",
    }
}

row! {
    struct Halves {
        h: f16 => "h",
        c: Complex<f64> => "c",
    }
}

/// Restores a structured array as the rows that `tests/python/cases.py` says it has.
pub(super) fn check(vector: &Vector<'_>) -> &'static str {
    let name = vector.text("name").unwrap();
    let rows = "of rows";
    match name.strip_prefix("record_").unwrap_or(name) {
        name if name.starts_with("packed") || name == "training_state" => by_columns(vector),
        name if name.starts_with("aligned_nested") => whole::<AlignedNested>(vector, rows),
        name if name.starts_with("aligned") => whole::<Aligned>(vector, rows),
        name if name.starts_with("nested") => whole::<Nested>(vector, rows),
        name if name.starts_with("sub_array") => whole::<SubArray>(vector, rows),
        name if name.starts_with("titles") => whole::<Titles>(vector, rows),
        name if name.starts_with("quotes") => whole::<Quotes>(vector, rows),
        name if name.starts_with("big_endian") => whole::<BigEndian>(vector, rows),
        name if name.starts_with("datetimes") => whole::<Datetimes>(vector, rows),
        name if name.starts_with("opaque") => whole::<Opaque>(vector, rows),
        name if name.starts_with("halves") => whole::<Halves>(vector, rows),
        _ => panic!("{name} has no row here"),
    }
}
