//! Structured arrays, as arrays of rows.

use npcodec::dtype::{Datetime64, Order, Seconds, Text};
use npcodec::ndarray::{Array0, Array1, Array2};
use npcodec::{Structured, dtype::Element};
use npcodec_tests::fact::Fact;
use npcodec_tests::vector::Vector;
use serde_json::Value as Json;

use crate::check::{Form, Scalar, X, both, fortran};

/// Makes rows that can be read from the index by the names of their columns.
macro_rules! rows {
    ($($(#[$row:meta])* $name:ident { $($(#[$column:meta])* $key:literal $field:ident: $type:ty,)* })*) => {$(
        #[derive(Debug, Clone, PartialEq, Structured)]
        $(#[$row])*
        struct $name {
            $($(#[$column])* $field: $type,)*
        }

        impl Fact for $name {
            const FLAT: bool = true;

            fn fact(json: &Json) -> Self {
                let row = json.as_object().unwrap_or_else(|| panic!("{json} is no row"));
                let mut keys: Vec<&str> = vec![$($key),*];
                keys.sort_unstable();
                let mut found: Vec<&str> = row.keys().map(String::as_str).collect();
                found.sort_unstable();
                assert_eq!(found, keys);
                Self { $($field: Fact::fact(&json[$key]),)* }
            }

            fn same(&self, other: &Self) -> bool {
                $(self.$field.same(&other.$field))&&*
            }
        }
    )*};
}

rows! {
    Mixed {
        "string" string: Text<1>,
        "int" int: i32,
        "float" float: f32,
    }
    Point {
        "x" x: f32,
        "y" y: f32,
    }
    Nested {
        "p" p: Point,
        "m" m: [[u8; 3]; 2],
    }
    #[structured(align)]
    Aligned {
        "a" a: i8,
        "b" b: f64,
    }
    Titled {
        "n" n: i32,
    }
    Quoted {
        #[structured(rename = "a'b")]
        "a'b" apostrophe: i32,
        #[structured(rename = "é \"c\"\\")]
        "é \"c\"\\" others: i16,
    }
    Pair {
        "a" a: i32,
        "b" b: f64,
    }
    Dated {
        "f" f: bool,
        "t" t: Datetime64<Seconds>,
    }
    One {
        "a" a: [i32; 1],
    }
}

fn list<T>(vector: &Vector, form: Form)
where
    T: Fact + Element + std::fmt::Debug,
{
    both::<X<Array1<T>>>(vector, vector.array("values", "shape"), form);
}

pub(crate) fn check(vector: &Vector) -> bool {
    let v = vector;
    match &*v.name {
        "structured_mixed" => list::<Mixed>(v, Form::File),
        "structured_0d" => {
            both::<X<Array0<Mixed>>>(v, v.array("values", "shape"), Form::File);
            both::<Scalar<Mixed>>(v, Fact::fact(&v.entry["values"]), Form::File);
        }
        "structured_2d" => both::<X<Array2<Mixed>>>(v, v.array("values", "shape"), Form::File),
        "structured_nested" => list::<Nested>(v, Form::File),
        "structured_aligned_padding" => {
            let dict = "{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], \
                        'offsets': [0, 8], 'itemsize': 16}";
            list::<Aligned>(v, Form::Own(dict, None));
            // The same columns in a row without padding.
            #[derive(Debug, Clone, PartialEq, Structured)]
            struct Packed {
                a: i8,
                b: f64,
            }
            let packed: X<Array1<Packed>> = rmp_serde::from_slice(&v.bytes).unwrap();
            let aligned: Array1<Aligned> = v.array("values", "shape");
            assert_eq!(packed.x, aligned.map(|row| Packed { a: row.a, b: row.b }));
        }
        "structured_titles" => list::<Titled>(v, Form::Own("[('n', '<i4')]", None)),
        "structured_quotes" => list::<Quoted>(v, Form::File),
        "structured_big_endian" => {
            list::<Pair>(v, Form::Own("[('a', '<i4'), ('b', '<f8')]", None));
        }
        "structured_bool_datetime" => list::<Dated>(v, Form::File),
        "structured_F_order" => {
            let as_labelled: Array2<Pair> = v.array("dopamine_decodes_to", "shape");
            let as_saved = v.array("values", "shape");
            assert_eq!(v.entry["wire_order"].as_str(), Some(Order::F.as_str()));
            fortran(v, "[('a', '<i4'), ('b', '<f8')]", as_labelled, as_saved);
        }
        "subarray_1" => list::<One>(v, Form::File),
        _ => return false,
    }
    true
}
