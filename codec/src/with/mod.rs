//! Adapters for plain serde structs: `#[serde(with = "npcodec::with::array")]`.
//!
//! Each module has a form as a type, which nests: `#[serde(with = "npcodec::with::As::<Vec<Compressed>>")]`
//! compresses each array of a vector. The same types are what `#[checkpoint(as = "...")]` takes.
//!
//! ```
//! use npcodec::ndarray::{Array1, Array3};
//! use npcodec::with::{As, Compressed};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Plain {
//!     #[serde(with = "npcodec::with::array")]
//!     weights: Array1<f32>,
//!     #[serde(with = "As::<Vec<Compressed>>")]
//!     frames: Vec<Array3<u8>>,
//!     #[serde(with = "npcodec::with::integer")]
//!     seed: u128,
//! }
//!
//! let plain = Plain { weights: Array1::zeros(2), frames: vec![Array3::zeros((4, 4, 1))], seed: 1 << 100 };
//! let bytes = rmp_serde::to_vec_named(&plain)?;
//! let back: Plain = rmp_serde::from_slice(&bytes)?;
//! assert_eq!((back.weights, back.seed), (plain.weights, plain.seed));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `rmp_serde::to_vec_named` writes such a struct as a map, which is what Python expects; `to_vec` makes a list of its
//! fields. Errors have no path: the struct that knows the names is serde's.
//!
//! An `Option` field needs `#[serde(default)]` beside the adapter to be absent, as with every `with` of
//! serde's own derive.

use std::marker::PhantomData;

use serde::{Deserializer, Serializer};

use crate::checkpoint::{Restore, Save, restore_as, save_as};

pub use crate::checkpoint::mode::{Array, Compressed, Integer, Native, Scalar, Width};

/// An adapter for any mode: `As::<Vec<Compressed>>`.
#[derive(Debug)]
pub struct As<M>(PhantomData<M>);

impl<M> As<M> {
    /// Writes a value in the mode.
    ///
    /// # Errors
    /// Those of the serializer, and what cannot be written, as its custom error.
    pub fn serialize<T: Save<M> + ?Sized, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        save_as::<T, M, S>(value, serializer)
    }

    /// Reads a value in the mode.
    ///
    /// # Errors
    /// Those of the deserializer, and what does not fit, as its custom error.
    pub fn deserialize<'de, T: Restore<'de, M>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        restore_as::<T, M, D>(deserializer)
    }
}

macro_rules! adapters {
    ($($(#[$doc:meta])* $name:ident => $mode:ident;)*) => {$(
        $(#[$doc])*
        pub mod $name {
            use serde::{Deserializer, Serializer};

            use crate::checkpoint::{Restore, Save};

            /// Writes a value.
            ///
            /// # Errors
            /// Those of the serializer, and what cannot be written, as its custom error.
            pub fn serialize<T: Save<super::$mode> + ?Sized, S: Serializer>(
                value: &T,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                super::As::<super::$mode>::serialize(value, serializer)
            }

            /// Reads a value.
            ///
            /// # Errors
            /// Those of the deserializer, and what does not fit, as its custom error.
            pub fn deserialize<'de, T: Restore<'de, super::$mode>, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<T, D::Error> {
                super::As::<super::$mode>::deserialize(deserializer)
            }
        }
    )*};
}

adapters! {
    /// ndarray's arrays, and vectors and fixed arrays of numbers, as one NumPy array.
    array => Array;
    /// Numbers as 0-d arrays, which is what NumPy's scalars become.
    scalar => Scalar;
    /// Integers natively up to 64 bits and as decimal text beyond.
    integer => Integer;
    /// Arrays as Snappy records, as Dopamine's `elements.compress` makes them.
    compressed => Compressed;
}
