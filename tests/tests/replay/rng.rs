//! NumPy's generator, draw for draw.

use npcodec::replay::{Generator, Pcg64, ReplayError};
use npcodec::{ErrorKind, Value};
use rand_core::{Rng, TryRng};

use crate::json::{bits, float, integer, list, pcg64, read};

/// The state and increment of `np.random.default_rng(2**100 + 12345)`.
const SEEDED: [u128; 2] = [
    194974820047497407603308355942756337385,
    255824499444561730563096388189622439243,
];

/// `np.random.default_rng(3).bytes(7)`
const BYTES: [u8; 7] = [248, 194, 190, 207, 147, 26, 237];

#[test]
fn every_draw_is_the_one_that_numpy_made() {
    let mut draws = 0;
    for recording in list(&read("rng.json")) {
        let mut generator = pcg64(&recording["start"]);
        for drawn in list(&recording["raw64"]) {
            assert_eq!(generator.next_u64(), integer::<u64>(drawn));
            draws += 1;
        }
        assert_eq!(generator, pcg64(&recording["after_raw64"]));
        let mut generator = pcg64(&recording["start"]);
        for call in list(&recording["script"]) {
            let out = list(&call["out"]);
            assert_eq!(out.len(), integer::<usize>(&call["size"]));
            for drawn in out {
                draws += 1;
                if let Some(high) = call.get("integers") {
                    let high = integer(high);
                    let found = generator.integers(high).unwrap();
                    assert_eq!(found, integer::<i64>(drawn), "below {high}");
                } else {
                    let [low, high] = [0, 1].map(|end| float(&call["uniform"][end]));
                    let found = generator.uniform(low, high).unwrap();
                    assert_eq!(bits(found), *drawn, "from {low} to {high}");
                }
            }
        }
        assert_eq!(generator, pcg64(&recording["after"]));
    }
    assert!(draws > 5_000, "{draws}");
}

#[test]
fn a_seed_gives_the_generator_of_default_rng() {
    for name in [
        "uniform_u8",
        "uniform_f4_plain",
        "prio_sqrt_f32",
        "seq_sorted",
    ] {
        let recording = read(&format!("{name}.json"));
        let generator = Pcg64::seeded(integer(&recording["config"]["seed"]));
        assert_eq!(generator, pcg64(&recording["rng_initial"]), "{name}");
    }
    let generator = Pcg64::seeded((1 << 100) + 12345);
    assert_eq!(generator.state, SEEDED[0]);
    assert_eq!(generator.inc, SEEDED[1]);
}

#[test]
fn what_cannot_be_drawn_is_refused_and_nothing_is_drawn() {
    let mut generator = Pcg64::seeded(1);
    let before = generator.clone();
    for high in [0, (1 << 63) + 1, u64::MAX] {
        let error = generator.integers(high).unwrap_err();
        let kind = ErrorKind::Replay(ReplayError::IntegersHigh { high });
        assert_eq!(*error.kind(), kind);
    }
    for (low, high) in [
        (0.0, -1e-300),
        (0.0, f64::INFINITY),
        (0.0, f64::NAN),
        (-1e308, 1e308),
    ] {
        let error = generator.uniform(low, high).unwrap_err();
        assert!(matches!(
            error.kind(),
            ErrorKind::Replay(ReplayError::UniformRange { .. })
        ));
    }
    assert_eq!(generator, before);
    assert!(generator.integers(1 << 63).is_ok());
}

#[test]
fn bytes_and_words_are_those_of_rand_core() {
    let mut generator = Pcg64::seeded(3);
    let mut bytes = [0; 7];
    generator.fill_bytes(&mut bytes);
    assert_eq!(bytes, BYTES);
    let mut twin = Generator::seeded(3);
    twin.try_fill_bytes(&mut bytes).unwrap();
    assert_eq!(bytes, BYTES);
    assert_eq!(twin.try_next_u32().unwrap(), Rng::next_u32(&mut generator));
    assert_eq!(twin.try_next_u64().unwrap(), Rng::next_u64(&mut generator));
    assert_eq!(twin, Generator::Pcg64(generator));
}

#[test]
fn the_state_goes_in_and_out_exactly() {
    for stale in [false, true] {
        let generator = Generator::Pcg64(Pcg64 {
            state: 5,
            inc: u128::MAX,
            has_uint32: stale,
            uinteger: 77,
        });
        let bytes = npcodec::to_vec(&generator).unwrap();
        assert_eq!(npcodec::from_slice::<Generator>(&bytes).unwrap(), generator);
        // The dict of NumPy's `rng.bit_generator.state`, in its order.
        let text = format!("{:?}", npcodec::decode(&bytes).unwrap());
        let order = [
            "bit_generator",
            "\"state\"",
            "inc",
            "has_uint32",
            "uinteger",
        ];
        let places = order.map(|key| text.find(key).unwrap());
        assert!(places.is_sorted(), "{text}");
    }
}

#[test]
fn other_generators_are_carried_and_refused() {
    let state = |kind: &str| {
        let mut dict = npcodec::StateDict::new();
        dict.insert("bit_generator", kind.to_owned());
        dict.insert("state", Value::List(vec![1.into(), 2.into()]));
        npcodec::encode(&Value::Map(dict)).unwrap()
    };
    for kind in ["MT19937", "PCG64DXSM", "Philox"] {
        let bytes = state(kind);
        let mut carried: Generator = npcodec::from_slice(&bytes).unwrap();
        assert_eq!(npcodec::to_vec(&carried).unwrap(), bytes);
        let error = carried.pcg64().unwrap_err().to_string();
        assert!(error.contains(kind), "{error}");
    }
    // What says that it is a PCG64 has to be one.
    let error = npcodec::from_slice::<Generator>(&state("PCG64")).unwrap_err();
    let report = error.report().unwrap();
    assert_eq!(report.mismatched[0].path.to_string(), "state");
    assert_eq!(report.missing.len(), 2);
}
