//! A sampler that refuses what its check has let pass.

use npcodec::Error;
use npcodec::checkpoint::{Save, Sink};
use npcodec::ndarray::{Array1, array};
use npcodec::replay::{
    Faults, Generator, Priorities, ReplayBuffer, ReplayConfig, ReplayElement, ReplayError,
    ReplayItemId, SampleMetadata, SamplerState, SamplingDistribution, TransitionElement,
    UniformSampling,
};

/// Refuses the key 1 once.
struct Faithless {
    uniform: UniformSampling,
    refused: bool,
}

impl Save for Faithless {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        <UniformSampling as Save>::save(&self.uniform, sink)
    }
}

impl SamplingDistribution for Faithless {
    type Priority = ();
    type State = SamplerState;

    fn add(&mut self, key: ReplayItemId, (): ()) -> Result<(), Error> {
        if key == 1 && !std::mem::replace(&mut self.refused, true) {
            return Err(ReplayError::UnknownKey { key }.into());
        }
        self.uniform.add(key, ())
    }

    fn remove(&mut self, key: ReplayItemId) -> Result<(), Error> {
        self.uniform.remove(key)
    }

    fn check(&self, _: usize, (): &(), _: usize, _: &[ReplayItemId]) -> Result<(), Error> {
        Ok(())
    }

    fn update(&mut self, _: &[ReplayItemId], _: Priorities<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn sample(&mut self, size: usize) -> Result<SampleMetadata, Error> {
        self.uniform.sample(size)
    }

    fn clear(&mut self) {
        self.uniform.clear();
    }

    fn len(&self) -> usize {
        self.uniform.len()
    }

    fn generator(&self) -> &Generator {
        self.uniform.generator()
    }

    fn generator_mut(&mut self) -> &mut Generator {
        self.uniform.generator_mut()
    }

    fn faults(&self) -> Faults {
        self.uniform.faults()
    }

    fn set_faults(&mut self, faults: Faults) {
        self.uniform.set_faults(faults);
    }

    fn fits(&self, _: &SamplerState) -> Result<(), Error> {
        Ok(())
    }

    fn set_state(&mut self, state: SamplerState) {
        self.uniform.set_state(state);
    }

    fn keys(state: &SamplerState) -> &[ReplayItemId] {
        state.keys()
    }
}

#[test]
fn states_are_those_of_their_steps_after_a_sampler_has_failed() {
    let sampler = Faithless {
        uniform: UniformSampling::new(Generator::seeded(1)),
        refused: false,
    };
    let config = ReplayConfig::new(9, 1);
    let mut buffer = ReplayBuffer::<ReplayElement<Array1<u8>>, _>::new(config, sampler).unwrap();
    let added: Vec<bool> = (0..5)
        .map(|step| {
            let transition = TransitionElement {
                observation: array![step],
                action: i64::from(step),
                reward: 1.0,
                is_terminal: false,
                episode_end: false,
            };
            buffer.add(transition).is_ok()
        })
        .collect();
    assert_eq!(added, [true, true, false, true, true]);
    let states = buffer.iter().map(|(key, element)| {
        let [state, next] = [&element.state, &element.next_state].map(|state| state.unpack());
        (key, state.unwrap()[[0, 0]], next.unwrap()[[0, 0]])
    });
    // The key of the step that failed is that of the next one.
    assert_eq!(
        states.collect::<Vec<_>>(),
        [(0, 0, 1), (1, 2, 3), (2, 3, 4)]
    );
}
