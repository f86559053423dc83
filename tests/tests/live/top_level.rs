//! States that are no structs: one array, tuples and lists of arrays, a map, an integer.

use std::collections::BTreeMap;

use npcodec::ndarray::{Array1, Array2, ArrayD, IxDyn, arr0, array};
use npcodec_tests::facts::integer;
use npcodec_tests::manifest::{Manifest, map};
use serde_json::json;

pub(super) fn write(manifest: &mut Manifest<'_>) {
    let table = array![[1.5f32, -2.0, 0.1], [4.0, f32::MIN, 6.0]];
    let mut file = manifest.save_top("top_array", &table);
    file.restores(&table);
    file.array(json!([]), "'<f4'", Some("C"), table.view());

    let zero_d = arr0(7i16);
    manifest
        .save_top("top_zero_d", &zero_d)
        .array(json!([]), "'<i2'", None, zero_d.view());

    let pair = (table.clone(), array![1u8, 2, 3], array![[true], [false]]);
    let mut file = manifest.save_top("top_tuple", &pair);
    file.restores(&pair);
    file.array(json!([0]), "'<f4'", Some("C"), pair.0.view());
    file.array(json!([1]), "'|u1'", None, pair.1.view());
    file.array(json!([2]), "'|b1'", None, pair.2.view());

    let list: Vec<Array1<i64>> = (0..4).map(|n| Array1::from_iter(0..n)).collect();
    let mut file = manifest.save_top("top_list", &list);
    file.restores(&list);
    for (index, item) in list.iter().enumerate() {
        file.array(json!([index]), "'<i8'", None, item.view());
    }

    let deep: Vec<Vec<Option<ArrayD<f64>>>> = vec![
        vec![],
        vec![None, Some(ArrayD::from_elem(IxDyn(&[2, 2]), 0.5))],
    ];
    let mut file = manifest.save_top("top_nested", &deep);
    file.restores(&deep);
    file.plain(json!([0]), json!([]));
    file.plain(json!([1, 0]), json!(null));
    let inner = deep[1][1].as_ref().unwrap();
    file.array(json!([1, 1]), "'<f8'", Some("C"), inner.view());

    let maps: BTreeMap<String, Array2<f32>> =
        [("b".into(), table.clone()), ("a.\"b\"".into(), table)].into();
    let mut file = manifest.save_top("top_map", &maps);
    file.restores(&maps);
    for (key, array) in &maps {
        file.array(json!([key]), "'<f4'", Some("C"), array.view());
    }

    let keys: BTreeMap<i64, u64> = [(i64::MIN, 1), (-1, u64::MAX), (1 << 40, 0)].into();
    let mut file = manifest.save_top("top_integer_keys", &keys);
    file.restores(&keys);
    let expected = keys
        .iter()
        .map(|(&key, &value)| (integer(key), integer(value)));
    file.plain(json!([]), map(expected));

    let over = 1u128 << 64;
    let mut file = manifest.save_top("top_integer", &over);
    file.restores(&over);
    file.plain(json!([]), json!({ "int": "18446744073709551616" }));

    let nothing: Vec<String> = vec![];
    manifest
        .save_top("top_empty", &nothing)
        .plain(json!([]), json!([]));
    manifest
        .save_top("top_nil", &())
        .plain(json!([]), json!(null));
    manifest
        .save_top("top_text", &"é")
        .plain(json!([]), json!("é"));
}
