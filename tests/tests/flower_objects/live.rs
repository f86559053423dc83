//! With the real flwr: what we deflate it inflates, with equal ids, and the other way round.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;

use npcodec::bytes::Bytes;
use npcodec::dtype::{DType, Order};
use npcodec::flower::{
    Array, ArrayRecord, ConfigRecord, DeflateOptions, Inflatable, MetricRecord, Object, ObjectId,
    Record, RecordDict,
};
use npcodec::ndarray::{Array1, Array2, arr0};
use npcodec::{Error, NumpyEncoding};
use npcodec_tests::python::{Python, Scratch, say};
use serde_json::{Value as Json, json};

use super::cases::{list, shape, text, unhex};
use super::writing::each;

const SCRIPT: &str = "flower_live.py";

fn small() -> DeflateOptions {
    DeflateOptions::new().chunk_bytes(NonZeroUsize::new(100).unwrap())
}

/// Returns the arrays of whatever holds some, under the paths that the Python side gives them.
fn arrays_of<'o>(object: &'o Object<'static>) -> Vec<(String, &'o Array<'static>)> {
    fn of_record<'o>(
        start: &str,
        record: &'o ArrayRecord<'static>,
    ) -> Vec<(String, &'o Array<'static>)> {
        let arrays = record.iter();
        arrays
            .map(|(key, array)| (format!("{start}/{key}"), array))
            .collect()
    }
    fn of_records<'o>(records: &'o RecordDict<'static>) -> Vec<(String, &'o Array<'static>)> {
        let arrays = records.array_records();
        arrays
            .flat_map(|(key, record)| of_record(&format!("/{key}"), record))
            .collect()
    }
    match object {
        Object::ArrayRecord(record) => of_record("", record),
        Object::RecordDict(records) => of_records(records),
        Object::Message(message) => message.content.as_ref().map(of_records).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Returns the items in row-major order; of structured arrays those of one field after the other.
fn items(encoding: &NumpyEncoding<'_>) -> Vec<u8> {
    let rows = encoding.row_major();
    let DType::Record(record) = encoding.dtype() else {
        return rows.into_owned();
    };
    let field = |field: &npcodec::dtype::Field| {
        let (start, size) = (field.offset(), field.size());
        let rows = rows.chunks(record.itemsize());
        let bytes = rows.flat_map(|row| row[start..start + size].iter().copied());
        bytes.collect::<Vec<_>>()
    };
    record.fields().iter().flat_map(field).collect()
}

/// Checks an array that flwr made, and returns it as we would make it.
fn check(name: &str, array: &Array<'_>, entry: &Json) -> Array<'static> {
    let encoding = array
        .to_encoding()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(encoding.shape(), shape(entry), "{name}");
    assert_eq!(items(&encoding), unhex(&entry["items"]), "{name}");
    assert_eq!(array.dtype(), text(&entry["dtype"]), "{name}");
    let by_columns = encoding.order() == Some(Order::F);
    assert_eq!(Some(by_columns), entry["fortran"].as_bool(), "{name}");
    let dtype = DType::from_name(array.dtype()).unwrap_or_else(|| panic!("{name}"));
    let payload = encoding.data().to_vec();
    let order = encoding.order();
    let again = NumpyEncoding::from_dtype(shape(entry), payload, dtype, order).unwrap();
    Array::from_encoding(again).unwrap()
}

/// Reads what flwr wrote, and makes all of it anew.
fn read(directory: &Path, options: &DeflateOptions) -> usize {
    let file = |name: &str| Bytes::from(std::fs::read(directory.join(name)).unwrap());
    let roots: Json = serde_json::from_slice(&file("roots.json")).unwrap();
    let mut count = 0;
    for root in list(&roots) {
        let class = text(&root["class"]);
        let id: ObjectId = text(&root["id"]).parse().unwrap();
        let contents = |id: ObjectId| Some(file(&id.to_string()));
        let object = Object::inflate_all(id, contents).unwrap_or_else(|e| panic!("{class}: {e}"));
        assert_eq!(object.class().name(), class);
        let ids: Vec<_> = list(&root["objects"]).iter().map(text).collect();
        each!(&object, object => {
            assert!(!object.is_dirty());
            let tree = object.object_tree_with(options);
            assert_eq!(tree.to_protobuf(), unhex(&root["tree"]), "{class}");
            assert!(tree.post_order().iter().map(ToString::to_string).eq(ids), "{class}");
        });
        let arrays = arrays_of(&object);
        assert_eq!(arrays.len(), root["arrays"].as_object().unwrap().len());
        for (path, array) in arrays {
            let again = check(&path, array, &root["arrays"][&path]);
            let ids = (again.object_id_with(options), array.object_id());
            assert_eq!(ids.0, ids.1, "{path}");
            count += 1;
        }
        if let (Object::ArrayRecord(record), Some(bytes)) = (&object, root["count_bytes"].as_u64())
        {
            assert_eq!(record.count_bytes(), bytes);
        }
    }
    count
}

#[test]
fn what_flwr_deflates_is_inflated_and_made_anew() {
    let Some(python) = Python::flower("what_flwr_deflates_is_inflated_and_made_anew", SCRIPT)
    else {
        return;
    };
    for (command, options) in [
        ("flwr_writes", DeflateOptions::new()),
        ("flwr_writes_small", small()),
    ] {
        let scratch = Scratch::new("flower-reads");
        python.live(command, scratch.path());
        let count = read(scratch.path(), &options);
        say(&format!("{count} arrays of flwr are equal"));
        assert!(count > 300, "only {count} arrays");
    }
}

/// Arrays of every dtype that flwr can read as what it is, in every layout.
fn everything() -> Result<RecordDict<'static>, Error> {
    let mut arrays = ArrayRecord::new();
    for text in [
        "'|b1'",
        "'|i1'",
        "'<i2'",
        "'<i4'",
        "'<i8'",
        "'|u1'",
        "'<u2'",
        "'<u4'",
        "'<u8'",
        "'<f2'",
        "'<f4'",
        "'<f8'",
        "'<c8'",
        "'<c16'",
        "'>i2'",
        "'>f4'",
        "'>c16'",
        "'|S3'",
        "'<U2'",
        "'<M8[ns]'",
        "'<m8[25s]'",
        "'bfloat16'",
        "'float8_e4m3fn'",
        "'int4'",
        "[('', '|V5')]",
        "[('a', '<i4'), ('b', '>f8', (2,))]",
        "{'names': ['a', 'b'], 'formats': ['|u1', '<f4'], 'offsets': [0, 4], 'itemsize': 8, 'aligned': True}",
    ] {
        let dtype: DType = text.parse().unwrap();
        let shapes: [&[usize]; 6] = [&[], &[0], &[5], &[3, 4], &[2, 1, 3], &[3, 0]];
        for (shape, order) in shapes
            .iter()
            .flat_map(|shape| [(shape, Order::C), (shape, Order::F)])
        {
            let bytes = shape.iter().product::<usize>() * dtype.itemsize();
            // Small, so that they are characters and bools of their dtypes.
            let payload: Vec<u8> = (0..bytes).map(|n| u8::from(n % 4 == 0)).collect();
            let encoding =
                NumpyEncoding::from_dtype(shape.to_vec(), payload, dtype.clone(), Some(order))?;
            let key = format!("{text} {shape:?} {order:?}");
            arrays.insert(key, Array::from_encoding(encoding)?);
        }
    }
    let square = Array2::from_shape_fn((10, 10), |(row, column)| (row * column) as f32);
    let list = [
        Array::from_ndarray(square.reversed_axes())?,
        Array::from_ndarray(Array1::<f64>::zeros(1000))?,
        Array::from_ndarray(arr0(7i64))?,
    ];
    let mut config = ConfigRecord::new();
    config.insert("lr", 0.1);
    config.insert("names", vec!["a", "\u{e9}"]);
    let mut metrics = MetricRecord::new();
    metrics.insert("loss", 0.25);
    let mut records = RecordDict::new();
    records.insert("arrays", arrays);
    records.insert("\u{e9}\"\u{7f}\u{1f600}", ArrayRecord::from_list(list));
    records.insert("config", config.clone());
    records.insert("again", config);
    records.insert("metrics", metrics);
    Ok(records)
}

fn fact(array: &Array<'_>) -> Json {
    let encoding = array.to_encoding().unwrap();
    let items = items(&encoding);
    let items: String = items.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "dtype": array.dtype(),
        "shape": encoding.shape(),
        "fortran": encoding.order() == Some(Order::F),
        "items": items,
    })
}

fn write(directory: &Path, records: &RecordDict<'static>, options: &DeflateOptions) {
    let mut roots = Vec::new();
    let mut root = |object: Object<'static>| {
        let arrays = arrays_of(&object);
        // The Python side compares the order of the keys too.
        let arrays: Vec<_> = arrays
            .iter()
            .map(|(path, array)| (path.clone(), fact(array)))
            .collect();
        each!(&object, one => {
            let objects = one.objects_with(options);
            for (id, content) in &objects {
                let file = std::fs::File::create(directory.join(id.to_string())).unwrap();
                content.write_to(file).unwrap();
            }
            let ids: Vec<_> = objects.keys().map(ToString::to_string).collect();
            let tree = one.object_tree_with(options).to_protobuf();
            let tree: String = tree.iter().map(|byte| format!("{byte:02x}")).collect();
            roots.push(json!({
                "id": one.object_id_with(options).to_string(), "class": object.class().name(),
                "objects": ids, "tree": tree, "arrays": arrays,
            }));
        });
        if let Object::ArrayRecord(record) = &object {
            let last = roots.last_mut().unwrap();
            last["count_bytes"] = record.count_bytes().into();
        }
    };
    for record in records.values().cloned() {
        match record {
            Record::Arrays(record) => root(record.into()),
            Record::Config(record) => root(record.into()),
            Record::Metrics(record) => root(record.into()),
            other => panic!("{other:?}"),
        }
    }
    root(records.clone().into());
    let roots = serde_json::to_vec(&roots).unwrap();
    std::fs::write(directory.join("roots.json"), roots).unwrap();
}

#[test]
fn what_we_deflate_flwr_inflates() -> Result<(), Error> {
    let Some(python) = Python::flower("what_we_deflate_flwr_inflates", SCRIPT) else {
        return Ok(());
    };
    let records = everything()?;
    for (command, options) in [
        ("flwr_reads", DeflateOptions::new()),
        ("flwr_reads_small", small()),
    ] {
        let scratch = Scratch::new("flower-writes");
        write(scratch.path(), &records, &options);
        python.live(command, scratch.path());
    }
    // Nothing of it depends on how it was made.
    let contents: HashMap<_, _> = records.objects().into_iter().collect();
    let contents = |id| contents.get(&id).cloned().map(Bytes::from);
    let again = RecordDict::inflate_all(records.object_id(), contents)?;
    assert_eq!(again, records);
    Ok(())
}
