//! Bytes as the state of a replay buffer: what is loaded can be sampled and written, or nothing has changed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use npcodec::ndarray::Array2;
use npcodec::replay::{
    Generator, PrioritizedSampling, ReplayBuffer, ReplayConfig, ReplayElement, SamplingDistribution,
    SequentialSampling, UniformSampling,
};

type Buffer<S> = ReplayBuffer<ReplayElement<Array2<u8>>, S>;

fn run<S: SamplingDistribution>(bytes: &[u8], sampler: S, compress: bool)
where
    Buffer<S>: npcodec::checkpoint::Save + npcodec::checkpoint::RestoreOwned,
{
    let config = ReplayConfig::new(10, 4).stack_size(2).compress(compress);
    let Ok(mut buffer) = Buffer::new(config, sampler) else { return };
    let before = npcodec::to_vec(&buffer).ok();
    let loaded = npcodec::load_into_from(
        std::io::Cursor::new(bytes),
        &mut buffer,
        &npcodec::ReadOptions::new(),
    );
    match loaded {
        Ok(_) => {
            let _ = buffer.verify();
            let _ = buffer.sample(Some(3));
            let _ = npcodec::to_vec(&buffer);
        }
        Err(_) => assert_eq!(npcodec::to_vec(&buffer).ok(), before),
    }
}

fuzz_target!(|bytes: &[u8]| {
    for compress in [true, false] {
        run(bytes, UniformSampling::new(Generator::seeded(0)), compress);
        run(bytes, SequentialSampling::new(Generator::seeded(0), true), compress);
        if let Ok(sampler) = PrioritizedSampling::new(Generator::seeded(0), 10) {
            run(bytes, sampler, compress);
        }
    }
});
