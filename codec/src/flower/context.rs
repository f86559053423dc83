//! What a node keeps between the messages of a run.

use bytes::Buf;

use super::inline::record_dict;
use super::protobuf::arrays;
use super::protobuf::write::Parts;
use super::protobuf::{decode, under};
use super::user_config::{config, entries};
use super::{RecordDict, UserConfig};
use crate::error::Error;

/// What a node keeps between the messages of a run: its state, as records, and the settings.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Context<'a> {
    /// The run.
    pub run_id: u64,
    /// The node.
    pub node_id: u64,
    /// The settings of the node.
    pub node_config: UserConfig,
    /// The records that the node keeps.
    pub state: RecordDict<'a>,
    /// The settings of the run.
    pub run_config: UserConfig,
    /// The series of runs that the run belongs to, 0 for none; absent in flwr 1.28.
    pub series_id: u64,
}

impl Context<'_> {
    /// Returns the protobuf message, with the data of the arrays.
    ///
    /// The settings are in the order that Python's protobuf gives them in its deterministic form; flwr
    /// itself writes them in any.
    ///
    /// # Errors
    /// Those of [`RecordDict::to_protobuf`].
    pub fn to_protobuf(&self) -> Result<Vec<u8>, Error> {
        let mut parts = Parts::of(&arrays::Context {
            run_id: self.run_id,
            node_id: self.node_id,
            node_config: entries(&self.node_config),
            ..Default::default()
        });
        parts.field(4, self.state.parts()?);
        parts.append(Parts::of(&arrays::Context {
            run_config: entries(&self.run_config),
            series_id: self.series_id,
            ..Default::default()
        }));
        parts.join()
    }

    /// Reads the protobuf message. Of `bytes::Bytes` the data of the arrays is shared, of anything else it
    /// is copied once.
    ///
    /// # Errors
    /// [`ErrorKind::Format`](crate::ErrorKind::Format) for bytes that are no such message, and for a
    /// setting that is no bool, integer of 64 bits, float or text;
    /// [`ErrorKind::RepeatedKey`](crate::ErrorKind::RepeatedKey), where flwr keeps the last value; those of
    /// [`RecordDict::from_protobuf`].
    pub fn from_protobuf(bytes: impl Buf) -> Result<Context<'static>, Error> {
        let message: arrays::Context = decode(bytes, "Context")?;
        Ok(Context {
            run_id: message.run_id,
            node_id: message.node_id,
            node_config: at("node_config", config(message.node_config))?,
            state: at("state", record_dict(message.state.unwrap_or_default()))?,
            run_config: at("run_config", config(message.run_config))?,
            series_id: message.series_id,
        })
    }
}

fn at<T>(field: &str, read: Result<T, Error>) -> Result<T, Error> {
    read.map_err(|error| under(error, field))
}
