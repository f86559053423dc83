//! What came of a call, in the words of the recordings.

use npcodec::replay::{
    Generator, Observation, ReplayBatch, ReplayElement, ReplayError, Reward, Stack,
    TransitionElement,
};
use npcodec::{Error, ErrorKind};
use serde_json::{Value as Json, json};

use crate::leaf::{Leaf, array};

/// Enters the exceptions that Python may have for an error.
pub(crate) fn fail(found: &mut Json, result: Result<(), Error>) {
    let Err(error) = result else {
        return;
    };
    let ErrorKind::Replay(error) = error.kind() else {
        panic!("{error}");
    };
    found["error"] = match error {
        ReplayError::NoKeys | ReplayError::SampleSize { .. } => json!(["ValueError"]),
        ReplayError::UniformRange { .. } => json!(["ValueError"]),
        ReplayError::Drift { .. } => json!(["AssertionError", "ValueError", "IndexError"]),
        ReplayError::TreeFull { .. } => json!(["IndexError"]),
        ReplayError::LargeKey { .. } => json!(["OverflowError"]),
        ReplayError::MissingElement { .. } => json!(["KeyError"]),
        ReplayError::UnknownKey { .. } => json!(["ValueError", "KeyError"]),
        other => panic!("{other}"),
    };
}

pub(crate) fn rng(generator: &Generator) -> Json {
    let Generator::Pcg64(rng) = generator else {
        panic!("{generator:?}");
    };
    json!({
        "state": rng.state.to_string(),
        "inc": rng.inc.to_string(),
        "has_uint32": u8::from(rng.has_uint32),
        "uinteger": rng.uinteger,
    })
}

pub(crate) fn element_json<O, A, R>(key: i64, element: &ReplayElement<O, A, R>) -> Json
where
    O: Observation,
    A: Stack + Leaf,
    R: Reward,
    R::Return: Leaf,
{
    json!({
        "key": key,
        "state": array(element.state.unpack().unwrap().view()),
        "action": element.action.json(),
        "reward": element.reward.json(),
        "next_state": array(element.next_state.unpack().unwrap().view()),
        "is_terminal": element.is_terminal,
        "episode_end": element.episode_end,
    })
}

pub(crate) fn step_json<O: Leaf, A: Leaf, R: Leaf>(step: &TransitionElement<O, A, R>) -> Json {
    json!([
        step.observation.json(),
        step.action.json(),
        step.reward.json(),
        step.is_terminal,
        step.episode_end,
    ])
}

pub(crate) fn batch_json<O: Observation, A: Stack, R: Reward>(
    batch: &ReplayBatch<O, A, R>,
) -> Json {
    json!({
        "state": array(batch.state.view()),
        "action": array(batch.action.view()),
        "reward": array(batch.reward.view()),
        "next_state": array(batch.next_state.view()),
        "is_terminal": array(batch.is_terminal.view()),
        "episode_end": array(batch.episode_end.view()),
    })
}
