//! A recording, driven through our buffer.

use npcodec::replay::{
    Element, Faults, Generator, MaxRecorded, Observation, PrioritizedSampling, ReplayBuffer,
    ReplayConfig, ReplayElement, Reward, SamplingDistribution, SequentialSampling, Stack, SumTree,
    TransitionElement, UniformSampling,
};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use crate::forms::{batch_json, element_json, fail, rng, step_json};
use crate::json::{bits, float, integer, list};
use crate::leaf::Leaf;

/// A sampler that a recording is of.
pub(crate) trait Driven: SamplingDistribution {
    fn make(config: &Json, generator: Generator) -> Self;
    fn priority(call: &Json) -> Self::Priority;

    fn tree(&self) -> Option<&SumTree> {
        None
    }
}

impl Driven for UniformSampling {
    fn make(_: &Json, generator: Generator) -> Self {
        Self::new(generator)
    }

    fn priority(_: &Json) {}
}

impl Driven for SequentialSampling {
    fn make(config: &Json, generator: Generator) -> Self {
        Self::new(generator, config["sort_samples"].as_bool().unwrap())
    }

    fn priority(_: &Json) {}
}

impl Driven for PrioritizedSampling {
    fn make(config: &Json, generator: Generator) -> Self {
        let exponent = config["priority_exponent"].as_f64().unwrap();
        Self::new(generator, integer(&config["max_capacity"]))
            .unwrap()
            .priority_exponent(exponent)
            .max_recorded(MaxRecorded::Forgotten)
    }

    fn priority(call: &Json) -> Option<f64> {
        match &call["priority"] {
            Json::Null => None,
            priority => Some(float(priority)),
        }
    }

    fn tree(&self) -> Option<&SumTree> {
        Some(self.sum_tree())
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How a recording is driven.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    pub(crate) faults: Faults,
    /// Whether the buffer is restored from every file that it writes.
    pub(crate) reload: bool,
}

type Buffer<O, A, R, S> = ReplayBuffer<ReplayElement<O, A, R>, S>;

pub(crate) struct Drive<'r, O: Observation, A: Stack, R: Reward, S: Driven> {
    recording: &'r Json,
    config: Json,
    mode: Mode,
    buffer: Buffer<O, A, R, S>,
    reloaded: bool,
    /// How many results were compared.
    pub(crate) compared: usize,
}

impl<'r, O, A, R, S> Drive<'r, O, A, R, S>
where
    O: Observation + Leaf,
    A: Stack + Leaf,
    R: Reward + Leaf,
    R::Return: Leaf,
    S: Driven,
{
    /// A new buffer with the generator of the recording.
    pub(crate) fn new(recording: &'r Json, mode: Mode) -> Self {
        let config = recording["config"].clone();
        let generator = crate::json::pcg64(&recording["rng_initial"]).into();
        let mut buffer = build(&config, mode.faults, generator);
        let add_count = integer(&recording["initial_add_count"]);
        if add_count > 0 {
            let mut state = read::<O, A, R, S>(&npcodec::to_vec(&buffer).unwrap());
            state.add_count = add_count;
            buffer.resume(state).unwrap();
        }
        Self {
            recording,
            config,
            mode,
            buffer,
            reloaded: false,
            compared: 0,
        }
    }

    /// Does everything that was done from here on, and compares what comes of it.
    pub(crate) fn run(&mut self, calls: &[Json]) {
        for call in calls {
            self.call(call);
        }
        self.end();
    }

    /// Does what was done once.
    pub(crate) fn call(&mut self, call: &Json) {
        let found = match call["op"].as_str().unwrap() {
            "save" => return self.save(call),
            "add" => self.add(call),
            "sample" => self.sample(call),
            "update" => self.update(call),
            "clear" => self.clear(),
            other => panic!("{other}"),
        };
        let mut expected = call["out"].as_object().unwrap().clone();
        let unbroken = expected.remove("max_unbroken");
        let restored = expected.remove("max_restored");
        let largest = if self.reloaded { restored } else { unbroken };
        if let (Some(tree), Some(largest)) = (self.buffer.sampler().tree(), largest) {
            let found = bits(tree.max_recorded_priority());
            assert_eq!(found, largest, "{}", self.place(call));
        }
        if let Some(error) = expected.remove("error") {
            let known = found["error"].as_array();
            let known = known.unwrap_or_else(|| panic!("{error}, {}", self.place(call)));
            assert!(known.contains(&error), "{known:?}, {}", self.place(call));
        } else {
            assert!(
                found.get("error").is_none(),
                "{found}, {}",
                self.place(call)
            );
        }
        for (key, expected) in expected {
            assert_eq!(found[&key], expected, "{key} of {}", self.place(call));
            self.compared += 1;
        }
    }

    /// Returns the file of the buffer as it is.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        npcodec::to_vec(&self.buffer).unwrap()
    }

    fn place(&self, call: &Json) -> String {
        let (name, mode) = (&self.recording["name"], self.mode);
        let calls = list(&self.recording["ops"]);
        let at = calls.iter().position(|other| std::ptr::eq(other, call));
        format!("{name}, call {at:?} {}, {mode:?}", call["op"])
    }

    fn save(&mut self, call: &Json) {
        let bytes = self.bytes();
        assert_eq!(sha256(&bytes), call["sha256"], "{}", self.place(call));
        self.compared += 1;
        if self.mode.reload || call.get("restore_with").is_some() {
            self.load(call, &bytes);
        }
    }

    /// Goes on with a file under the configuration that was given there.
    pub(crate) fn load(&mut self, call: &Json, bytes: &[u8]) {
        if let Some(changes) = call.get("restore_with") {
            for (key, value) in changes.as_object().unwrap() {
                self.config[key] = value.clone();
            }
        }
        self.buffer = build(
            &self.config,
            self.mode.faults,
            Generator::seeded(987_654_321),
        );
        let state = read::<O, A, R, S>(bytes);
        if let Err(error) = self.buffer.resume(state) {
            panic!("{error}, {}", self.place(call));
        }
        self.buffer.verify().unwrap();
        self.reloaded = true;
    }

    fn add(&mut self, call: &Json) -> Json {
        let step = list(&call["step"]);
        let before: Vec<i64> = self.buffer.iter().map(|(key, _)| key).collect();
        let transition = TransitionElement {
            observation: O::read(&step[0]),
            action: A::read(&step[1]),
            reward: R::read(&step[2]),
            is_terminal: bool::read(&step[3]),
            episode_end: bool::read(&step[4]),
        };
        let added = self.buffer.add_with_priority(transition, S::priority(call));
        let now: Vec<i64> = self.buffer.iter().map(|(key, _)| key).collect();
        let new = self.buffer.iter().filter(|(key, _)| !before.contains(key));
        let new: Vec<Json> = new
            .map(|(key, element)| element_json(key, element))
            .collect();
        let gone: Vec<i64> = before
            .into_iter()
            .filter(|key| !now.contains(key))
            .collect();
        let mut found = json!({
            "added": new,
            "evicted": gone,
            "add_count": self.buffer.add_count(),
            "size": self.buffer.len(),
            "root": self.root(),
        });
        fail(&mut found, added);
        found
    }

    fn root(&self) -> Json {
        let tree = self.buffer.sampler().tree();
        tree.map_or(Json::Null, |tree| bits(tree.root()).into())
    }

    fn sample(&mut self, call: &Json) -> Json {
        let size = call["size"].as_u64().map(|size| size as usize);
        let sampled = self.buffer.sample(size);
        let mut found = json!({"rng": rng(self.buffer.sampler().generator())});
        match sampled {
            Ok((batch, metadata)) => {
                found["keys"] = metadata.keys.into();
                if let Some(probabilities) = metadata.probabilities {
                    let bits: Vec<_> = probabilities.into_iter().map(bits).collect();
                    found["probabilities"] = bits.into();
                }
                found["batch"] = batch_json(&batch);
            }
            failed => fail(&mut found, failed.map(drop)),
        }
        found
    }

    fn update(&mut self, call: &Json) -> Json {
        use npcodec::ndarray::Array1;

        let keys: Vec<i64> = list(&call["keys"]).iter().map(integer).collect();
        let priorities = &call["priorities"];
        let updated = match priorities["np"].as_str().unwrap() {
            "<f8" => {
                let priorities = Array1::<f64>::read(priorities).to_vec();
                self.buffer.update(&keys, &priorities)
            }
            "<f4" => {
                let priorities = Array1::<f32>::read(priorities).to_vec();
                self.buffer.update(&keys, &priorities)
            }
            other => panic!("{other}"),
        };
        let mut found = json!({"root": self.root()});
        fail(&mut found, updated);
        found
    }

    fn clear(&mut self) -> Json {
        self.buffer.clear();
        json!({"rng": rng(self.buffer.sampler().generator()), "root": self.root()})
    }

    /// Compares what there is in the end, and the file of it.
    fn end(&mut self) {
        let end = &self.recording["final"];
        let (buffer, name) = (&self.buffer, &self.recording["name"]);
        let keys: Vec<i64> = buffer.iter().map(|(key, _)| key).collect();
        assert_eq!(json!(keys), end["memory_keys"], "{name}");
        assert_eq!(json!(buffer.add_count()), end["add_count"], "{name}");
        assert_eq!(rng(buffer.sampler().generator()), end["rng"], "{name}");
        if let Some(tree) = buffer.sampler().tree() {
            let nodes: Vec<_> = tree.nodes().iter().map(|node| bits(*node)).collect();
            assert_eq!(json!(nodes), end["nodes"], "{name}");
        }
        let steps = buffer.accumulator().trajectory().iter();
        let steps: Vec<Json> = steps.map(step_json).collect();
        assert_eq!(json!(steps), end["trajectory"], "{name}");
        let bytes = npcodec::to_vec(buffer).unwrap();
        assert_eq!(
            sha256(&bytes),
            self.recording["final_file_sha256"],
            "{name}"
        );
        self.compared += 6;
    }
}

fn build<E: Element, S: Driven>(
    config: &Json,
    faults: Faults,
    generator: Generator,
) -> ReplayBuffer<E, S> {
    let size = |key: &str| integer(&config[key]);
    let own = ReplayConfig::new(size("max_capacity"), size("batch_size"))
        .stack_size(size("stack_size"))
        .update_horizon(size("update_horizon"))
        .gamma(float(&config["gamma_bits"]))
        .compress(config["compress"].as_bool().unwrap())
        .faults(faults);
    ReplayBuffer::new(own, S::make(&config["sampler"], generator)).unwrap()
}

type State<O, A, R, S> = npcodec::replay::ReplayState<
    ReplayElement<O, A, R>,
    TransitionElement<O, A, R>,
    <S as SamplingDistribution>::State,
>;

fn read<O: Observation, A: Stack, R: Reward, S: Driven>(bytes: &[u8]) -> State<O, A, R, S> {
    npcodec::from_slice(bytes).unwrap_or_else(|error| panic!("{error}"))
}
