//! Every dtype, structured ones of any layout among them.

use npcodec::dtype::{DType, Record};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// The texts of types without fields, as NumPy prints them.
fn plain() -> impl Strategy<Value = String> {
    let small = ["|b1", "|i1", "|u1"].map(str::to_owned);
    let codes = "i2 i4 i8 u2 u4 u8 f2 f4 f8 f16 c8 c16 c32";
    let numbers = codes
        .split(' ')
        .flat_map(|code| [format!("<{code}"), format!(">{code}")]);
    let named = "bfloat16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz \
                 float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float6_e2m3fn float6_e3m2fn \
                 float4_e2m1fn int1 int2 int4 uint1 uint2 uint4";
    let named = named.split(' ').map(str::to_owned);
    let units = [
        "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as",
    ];
    let fixed: Vec<_> = small.into_iter().chain(numbers).chain(named).collect();
    prop_oneof![
        6 => select(fixed),
        1 => (select(vec!['<', '>']), 0..9).prop_map(|(order, size)| format!("{order}U{size}")),
        1 => (0..9).prop_map(|size| format!("|S{size}")),
        1 => (0..9).prop_map(|size| format!("|V{size}")),
        1 => (select(vec!["<M8", ">M8", "<m8", ">m8"]), 1..99, select(units.to_vec())).prop_map(
            |(code, multiple, unit)| match multiple {
                1 => format!("{code}[{unit}]"),
                2 => code.to_owned(),
                _ => format!("{code}[{multiple}{unit}]"),
            }
        ),
    ]
}

/// Any dtype that a file can have.
pub(crate) fn dtype() -> impl Strategy<Value = DType> {
    let plain = plain().prop_map(|text| format!("'{text}'").parse::<DType>().unwrap());
    plain.prop_recursive(3, 12, 4, |inner| {
        let name = prop_oneof![3 => "[a-e]", 1 => "[ -~é漢\u{1f600}\n'\"\\\\]{1,4}"];
        let field = (name, inner, vec(0..4usize, 0..3));
        (vec(field, 0..4), any::<bool>()).prop_map(|(mut fields, aligned)| {
            // Names are distinct.
            for (place, (name, ..)) in fields.iter_mut().enumerate() {
                name.push_str(&place.to_string());
            }
            let record = if aligned {
                Record::aligned(fields)
            } else {
                Record::packed(fields)
            };
            DType::Record(record.unwrap())
        })
    })
}

proptest! {
    #![proptest_config(super::values::config(500))]

    #[test]
    fn what_is_printed_is_read(dtype in dtype()) {
        let text = dtype.text();
        let again: DType = text.parse().unwrap();
        prop_assert_eq!(&again, &dtype, "{}", text);
        prop_assert_eq!(again.text(), text);
        prop_assert_eq!(again.itemsize(), dtype.itemsize());
    }
}
