//! Observations that are `np.float64`: Dopamine's own file of five of them.

use npcodec::ndarray::array;
use npcodec::replay::{
    Generator, ReplayBuffer, ReplayConfig, ReplayElement, TransitionElement, UniformSampling,
};

use crate::drive::sha256;

type Buffer = ReplayBuffer<ReplayElement<f64>, UniformSampling>;

fn fresh(compress: bool) -> Buffer {
    let config = ReplayConfig::new(9, 2).stack_size(2).compress(compress);
    Buffer::new(config, UniformSampling::new(Generator::seeded(7))).unwrap()
}

fn add(buffer: &mut Buffer, observation: f64, action: i64) {
    let added = buffer.add(TransitionElement {
        observation,
        action,
        reward: 1.0,
        is_terminal: false,
        episode_end: false,
    });
    added.unwrap();
}

#[test]
fn observations_that_are_numbers_are_stacked_and_written_as_dopamine_does_it() {
    for (compress, files) in [
        (
            false,
            [
                "989252920efcb3178b50b2d6ee79db71dade2bc8d6b1085c7d091e2f1b9fe2da",
                "e1c10c362be7a61e967dd1d3c7e8ce7546e83323c1496dc8ff0eac977ac269ff",
            ],
        ),
        (
            true,
            [
                "020ef921c63bccdcd2ef56f706c02ff595ebd24db5ef89065626245b7eafbd81",
                "3b90c2ff733595f20a08485b857d5c65c5837ac003a64308fc23298539b179ed",
            ],
        ),
    ] {
        let mut buffer = fresh(compress);
        (0..5).for_each(|step| add(&mut buffer, step as f64 / 2.0, step));
        let bytes = npcodec::to_vec(&buffer).unwrap();
        assert_eq!(sha256(&bytes), files[0]);
        let (batch, _) = buffer.sample(None).unwrap();
        assert_eq!(batch.state, array![[1.0, 1.5], [0.5, 1.0]]);
        let mut other = fresh(compress);
        other.resume(npcodec::from_slice(&bytes).unwrap()).unwrap();
        add(&mut other, 9.5, 9);
        assert_eq!(sha256(&npcodec::to_vec(&other).unwrap()), files[1]);
    }
}
