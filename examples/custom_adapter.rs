//! Puts a type of another crate into a checkpoint, by an adapter: `#[checkpoint(with = "module")]`.

use std::ops::Range;
use std::time::{Duration, SystemTime};

use npcodec::ndarray::{Array1, array};
use npcodec::{Checkpoint, Value};

/// An adapter is a module with serde's two functions, as for serde's own `with`.
mod unix_seconds {
    use std::time::{Duration, SystemTime};

    use serde::{Deserialize, Deserializer, Serializer, de, ser};

    pub(super) fn serialize<S: Serializer>(time: &SystemTime, to: S) -> Result<S::Ok, S::Error> {
        let since = time
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_err(ser::Error::custom)?;
        to.serialize_f64(since.as_secs_f64())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SystemTime, D::Error> {
        let since =
            Duration::try_from_secs_f64(f64::deserialize(from)?).map_err(de::Error::custom)?;
        Ok(SystemTime::UNIX_EPOCH + since)
    }
}

#[derive(Checkpoint, Debug, PartialEq)]
struct Run {
    weights: Array1<f32>,
    #[checkpoint(with = "unix_seconds")]
    started: SystemTime,
    // A type that has serde's traits needs no adapter.
    #[checkpoint(serde)]
    shard: Range<u64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run = Run {
        weights: array![0.5, -1.5],
        started: SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_250),
        shard: 1000..2000,
    };
    let bytes = rmp_serde::to_vec(&run)?;
    let dict = run.to_state_dict()?;
    println!("started = {:?}", dict.get("started"));
    println!("shard = {:?}", dict.get("shard"));
    assert_eq!(dict.get("started"), Some(&Value::Float64(1_700_000_000.25)));
    assert_eq!(rmp_serde::from_slice::<Run>(&bytes)?, run);

    // What an adapter refuses is one line of the report, with the path of the field.
    let mut broken = dict.borrowed();
    broken.insert("started", f64::NAN);
    broken.insert("weights", 1);
    let error = Run::from_state_dict(broken)
        .map(drop)
        .map_err(|error| error.to_string());
    let text = error.expect_err("NaN is no time");
    println!("{text}");
    assert!(text.contains("started: ") && text.contains("weights: "));

    println!("custom_adapter: the run that was read back equals the one that was written");
    Ok(())
}
