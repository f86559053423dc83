//! A federated round: parameters go out as Flower's records, under flwr's object ids, and come back changed.

use std::collections::HashMap;

use npcodec::Error;
use npcodec::bytes::Bytes;
use npcodec::flower::{
    Array, ArrayRecord, ConfigRecord, Inflatable, MetricRecord, ObjectId, RecordDict,
};
use npcodec::ndarray::{Array1, Array2, Ix1, Ix2, array};

/// What a SuperLink keeps: the bytes of objects under their ids.
type Store = HashMap<ObjectId, Bytes>;

/// Pushes the objects that the store lacks; returns the id of the root.
fn push(store: &mut Store, records: &RecordDict<'_>) -> ObjectId {
    let announced = records.object_tree().post_order();
    let lacking: Vec<_> = announced
        .into_iter()
        .filter(|id| !store.contains_key(id))
        .collect();
    let mut objects = records.objects();
    for id in lacking {
        if let Some(content) = objects.swap_remove(&id) {
            store.insert(id, content.into());
        }
    }
    records.object_id()
}

fn pull(store: &Store, id: ObjectId) -> Result<RecordDict<'static>, Error> {
    RecordDict::inflate_all(id, |id| store.get(&id).cloned())
}

fn main() -> Result<(), Error> {
    let mut store = Store::new();

    // The server lends its parameters: nothing of them is copied before the store has them.
    let kernel: Array2<f32> = array![[1.0, 2.0], [3.0, 4.0]];
    let bias: Array1<f32> = array![0.5, -0.5];
    let mut parameters = ArrayRecord::new();
    parameters.insert("kernel", Array::from_view(kernel.view())?);
    parameters.insert("bias", Array::from_view(bias.view())?);
    let mut config = ConfigRecord::new();
    config.insert("lr", 0.1);
    let mut records = RecordDict::new();
    records.insert("arrays", parameters);
    records.insert("config", config);
    let sent = push(&mut store, &records);
    assert_eq!(store.len(), 7); // two chunks, two arrays, two records, their map

    // A client trains one of the arrays, and says how it went.
    let mut records = pull(&store, sent)?;
    assert!(!records.is_dirty());
    let rate: f64 = match records.config_record("config") {
        Some(config) => config.read("lr")?,
        None => 0.0,
    };
    let mut parameters = ArrayRecord::new();
    if let Some(arrays) = records.array_record("arrays") {
        parameters = arrays.clone();
    }
    if let Some(array) = parameters.get_mut("bias") {
        let bias: Array1<f32> = array.to_ndarray()?;
        *array = Array::from_ndarray(bias.mapv(|value| value - rate as f32))?;
    }
    let mut metrics = MetricRecord::new();
    metrics.insert("loss", 0.25);
    records.insert("arrays", parameters);
    records.insert("metrics", metrics);
    assert!(records.is_dirty());
    let replied = push(&mut store, &records);
    // The kernel is the object that it was: only what changed was pushed.
    assert_eq!(store.len(), 7 + 5);

    // The server takes the memory of the reply apart by name.
    let mut reply = pull(&store, replied)?;
    let Some(parameters) = reply.array_record_mut("arrays") else {
        panic!("the reply has no arrays");
    };
    let kernel_again = parameters
        .pop("kernel")
        .map(Array::into_ndarray::<f32, Ix2>);
    let trained = parameters.pop("bias").map(Array::into_ndarray::<f32, Ix1>);
    assert_eq!(kernel_again.transpose()?, Some(kernel));
    assert_eq!(trained.transpose()?, Some(array![0.4, -0.6]));
    println!("a round of 12 objects, one array of two trained");
    Ok(())
}
