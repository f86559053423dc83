//! Options, lists, tuples, sets, pointers and maps, of arrays and of what is none.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use npcodec::Checkpoint;
use npcodec::indexmap::IndexMap;
use npcodec::ndarray::{Array1, Array2, array};
use npcodec_tests::facts::integer;
use npcodec_tests::manifest::{Manifest, map};
use serde_json::json;

pub(super) fn write(manifest: &mut Manifest<'_>) {
    containers(manifest);
    maps(manifest);
}

type Masks = (String, Vec<Array1<bool>>);

#[derive(Checkpoint, Debug, PartialEq)]
struct Containers {
    none: Option<Array1<f32>>,
    some: Option<Array1<f32>>,
    options: Vec<Option<u32>>,
    deep: Vec<Vec<Array2<i16>>>,
    tuple: (Array1<u8>, Option<f64>, Masks),
    fixed: [Array1<f64>; 2],
    grid: [[u16; 2]; 3],
    boxed: Box<Array1<f32>>,
    shared: (Arc<Array1<f32>>, Rc<Array1<f32>>),
    queue: VecDeque<Array1<u32>>,
    set: BTreeSet<String>,
    hashed: HashSet<i64>,
    empty: Vec<Array1<f32>>,
    units: Vec<()>,
}

fn containers(manifest: &mut Manifest<'_>) {
    let line = array![0.5f32, -1.0];
    let table = array![[1i16, 2], [3, 4]];
    let mut queue: VecDeque<_> = [array![2u32], array![3]].into();
    queue.push_front(array![1]);
    let state = Containers {
        none: None,
        some: Some(line.clone()),
        options: vec![None, Some(7), None],
        deep: vec![vec![], vec![table.clone(), table.t().to_owned()]],
        tuple: (array![1], Some(2.0), ("t".into(), vec![array![true]])),
        fixed: [array![0.5], array![]],
        grid: [[1, 2], [3, 4], [5, u16::MAX]],
        boxed: Box::new(line.clone()),
        shared: (Arc::new(line.clone()), Rc::new(line.clone())),
        queue,
        set: ["b".to_owned(), "a".to_owned()].into(),
        hashed: (-20..20).rev().collect(),
        empty: vec![],
        units: vec![(), ()],
    };
    let mut file = manifest.save("containers", &state);
    file.restores(&state);
    file.plain(json!(["none"]), json!(null));
    file.array(json!(["some"]), "'<f4'", None, line.view());
    file.plain(json!(["options"]), json!([null, 7, null]));
    file.plain(json!(["deep", 0]), json!([]));
    file.array(json!(["deep", 1, 0]), "'<i2'", Some("C"), table.view());
    file.array(json!(["deep", 1, 1]), "'<i2'", Some("F"), table.t());
    file.array(json!(["tuple", 0]), "'|u1'", None, array![1u8].view());
    file.plain(json!(["tuple", 1]), json!(2.0));
    file.plain(json!(["tuple", 2, 0]), json!("t"));
    file.array(
        json!(["tuple", 2, 1, 0]),
        "'|b1'",
        None,
        array![true].view(),
    );
    file.array(json!(["fixed", 0]), "'<f8'", None, array![0.5].view());
    file.array(json!(["fixed", 1]), "'<f8'", None, state.fixed[1].view());
    file.plain(json!(["grid"]), json!([[1, 2], [3, 4], [5, 65535]]));
    file.array(json!(["boxed"]), "'<f4'", None, line.view());
    file.array(json!(["shared", 0]), "'<f4'", None, line.view());
    file.array(json!(["shared", 1]), "'<f4'", None, line.view());
    for index in 0..3u32 {
        let item = array![index + 1];
        file.array(json!(["queue", index]), "'<u4'", None, item.view());
    }
    file.plain(json!(["set"]), json!(["a", "b"]));
    file.plain(json!(["hashed"]), (-20..20).map(integer).collect());
    file.plain(json!(["empty"]), json!([]));
    file.plain(json!(["units"]), json!([null, null]));
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Maps {
    sorted: BTreeMap<String, f64>,
    hashed: HashMap<String, u8>,
    inserted: IndexMap<String, Option<bool>>,
    small_keys: BTreeMap<i8, String>,
    large_keys: IndexMap<u64, u64>,
    hashed_keys: HashMap<i32, Vec<i32>>,
    arrays: IndexMap<u32, Vec<Array1<f32>>>,
    nested: BTreeMap<String, BTreeMap<i64, Array2<u8>>>,
    odd_keys: IndexMap<String, u8>,
    empty: HashMap<u16, u16>,
}

fn maps(manifest: &mut Manifest<'_>) {
    let line = array![0.5f32, 1.0];
    let frame = array![[1u8, 2], [3, 4]];
    let odd = ["", "integers", "shape", "é", "a.b[0]", "__class__"];
    let state = Maps {
        sorted: [("b".into(), 1.0), ("a".into(), f64::INFINITY)].into(),
        hashed: (0..20).map(|n| (format!("{n:02}"), n)).collect(),
        inserted: [("z".into(), Some(true)), ("a".into(), None)].into(),
        small_keys: [
            (i8::MIN, "low".into()),
            (-1, "m".into()),
            (i8::MAX, "high".into()),
        ]
        .into(),
        large_keys: [(u64::MAX, 1), (0, u64::MAX), (1 << 63, 2)].into(),
        hashed_keys: (-10..10).map(|n| (n, vec![n])).collect(),
        arrays: [(9, vec![line.clone()]), (1, vec![])].into(),
        nested: [("p".into(), [(-3, frame.clone())].into())].into(),
        odd_keys: odd.iter().map(|key| ((*key).to_owned(), 1)).collect(),
        empty: HashMap::new(),
    };
    let mut file = manifest.save("maps", &state);
    file.restores(&state);
    let path = |key: &str| json!([key]);
    file.plain(
        path("sorted"),
        map([("a", json!("inf")), ("b", json!(1.0))]),
    );
    let hashed = (0..20).map(|n| (format!("{n:02}"), json!(n)));
    file.plain(path("hashed"), map(hashed));
    let inserted = [("z", json!(true)), ("a", json!(null))];
    file.plain(path("inserted"), map(inserted));
    let small = [(-128, json!("low")), (-1, json!("m")), (127, json!("high"))];
    file.plain(path("small_keys"), map(small));
    let large = [(u64::MAX, 1), (0, u64::MAX), (1 << 63, 2)];
    let large = large.map(|(key, value)| (integer(key), integer(value)));
    file.plain(path("large_keys"), map(large));
    let hashed = (-10..10).map(|n| (n, json!([n])));
    file.plain(path("hashed_keys"), map(hashed));
    file.array(json!(["arrays", 9, 0]), "'<f4'", None, line.view());
    file.plain(json!(["arrays", 1]), json!([]));
    file.array(json!(["nested", "p", -3]), "'|u1'", Some("C"), frame.view());
    file.plain(path("odd_keys"), map(odd.map(|key| (key, json!(1)))));
    file.plain(path("empty"), map::<&str>([]));
}
