//! Priorities raised to the exponent, as Python does it for one and NumPy for many.
//!
//! Python's `**` of two floats is C's `pow`, as `powf` is. NumPy has shorter ways for the exponents
//! -1, 0, 0.5, 1 and 2, which round otherwise. For all others it uses `pow` only where the processor
//! has no AVX-512: with it, up to a quarter of its results differ from those here in the last bit.

use super::sampler::Priorities;

/// Returns what one priority becomes when it is added.
pub(super) fn of_one(priority: Option<f64>, exponent: f64) -> f64 {
    match priority {
        None | Some(0.0) => 0.0,
        Some(priority) => priority.powf(exponent),
    }
}

macro_rules! raised {
    ($name:ident, $type:ty) => {
        fn $name(priority: $type, exponent: f64) -> f64 {
            if priority == 0.0 {
                return 0.0;
            }
            f64::from(match exponent {
                -1.0 => 1.0 / priority,
                0.0 => 1.0,
                0.5 => priority.sqrt(),
                1.0 => priority,
                2.0 => priority * priority,
                _ => priority.powf(exponent as $type),
            })
        }
    };
}

raised!(raised_f64, f64);
raised!(raised_f32, f32);

/// Returns what the priorities of an update become.
pub(super) fn of_many(priorities: Priorities<'_>, exponent: f64) -> Vec<f64> {
    match priorities {
        Priorities::F64(many) => many.iter().map(|one| raised_f64(*one, exponent)).collect(),
        Priorities::F32(many) => many.iter().map(|one| raised_f32(*one, exponent)).collect(),
    }
}
