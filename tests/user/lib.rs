//! A crate that knows npcodec by another name, and is strict with what is generated into it.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]
#![deny(
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    future_incompatible,
    let_underscore,
    missing_debug_implementations,
    non_ascii_idents,
    nonstandard_style,
    redundant_lifetimes,
    rust_2024_compatibility,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unreachable_pub,
    unused,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]

use np::dtype::Bytes;
use np::ndarray::{Array1, Array2, Array3, ArrayD};
use np::{Checkpoint, Structured};

/// Rows of a structured array.
#[derive(Structured, Clone, Debug, Default, PartialEq)]
#[structured(crate = "np", align)]
pub struct Transition {
    /// A column.
    pub reward: f32,
    /// A column with another name.
    #[structured(rename = "is terminal")]
    pub terminal: bool,
    /// A column of bytes.
    pub tag: Bytes<4>,
    /// A column of sub-arrays.
    pub position: [[i16; 3]; 2],
    /// A column of rows.
    pub inner: Inner,
}

/// Rows in rows.
#[derive(Structured, Clone, Debug, Default, PartialEq)]
#[structured(crate = "np")]
pub struct Inner {
    /// A column.
    pub id: u64,
}

/// A struct with names.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(crate = "np", rename_all = "camelCase", allow_unknown_fields)]
pub struct Named {
    /// Plain.
    pub weights: Array2<f32>,
    /// Compressed.
    #[checkpoint(compress)]
    pub frames: Vec<Array3<u8>>,
    /// A 0-d array.
    #[checkpoint(scalar)]
    pub loss: f32,
    /// Of any size.
    #[checkpoint(integer)]
    pub seed: u128,
    /// One array.
    #[checkpoint(array)]
    pub losses: Vec<f32>,
    /// One text array.
    #[checkpoint(width = 16)]
    pub names: Vec<String>,
    /// By type.
    #[checkpoint(as = "(np::with::Native, Vec<np::with::Compressed>)")]
    pub episode: (u64, Vec<Array3<u8>>),
    /// By an adapter.
    #[checkpoint(with = "text")]
    pub version: Version,
    /// By an adapter, perhaps.
    #[checkpoint(with = "perhaps", default)]
    pub maybe: Option<Version>,
    /// By serde.
    #[checkpoint(serde)]
    pub range: (u8, Option<String>),
    /// Not at all.
    #[checkpoint(skip)]
    pub scratch: Vec<f32>,
    /// Not at all, with a value.
    #[checkpoint(skip, default = "seven")]
    pub cache: u8,
    /// Perhaps missing.
    #[checkpoint(default = "seven")]
    pub epoch: u8,
    /// Renamed.
    #[checkpoint(rename = "lr", alias = "learning_rate", alias = "rate", default)]
    pub learning_rate: f64,
    /// Among the others.
    #[checkpoint(flatten)]
    pub more: More,
    /// Converted.
    #[checkpoint(cast)]
    pub wide: Array1<f64>,
    /// Rounded.
    #[checkpoint(cast = "lossy")]
    pub narrow: Array1<f32>,
    /// Of Dopamine's encoder.
    #[checkpoint(fortran = "row_major")]
    pub columns: Array2<f32>,
    /// Not always written.
    #[checkpoint(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Rebuilt.
    #[checkpoint(replace)]
    pub buffer: Vec<Array1<f32>>,
    /// Rows.
    pub transitions: Array1<Transition>,
    /// A keyword.
    pub r#type: u8,
}

fn seven() -> u8 {
    7
}

/// What stands among the fields of another.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(crate = "np", default)]
pub struct More {
    /// A field.
    pub first: Option<u16>,
    /// Another.
    pub second: Box<ArrayD<f64>>,
}

/// A struct that no derive sees.
#[derive(Clone, Debug, Default)]
pub struct Version(pub String);

mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Version;

    pub(crate) fn serialize<S: Serializer>(version: &Version, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&version.0)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Version, D::Error> {
        String::deserialize(from).map(Version)
    }
}

mod perhaps {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Version;

    pub(crate) fn serialize<S: Serializer>(it: &Option<Version>, to: S) -> Result<S::Ok, S::Error> {
        it.as_ref().map(|version| &version.0).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Version>, D::Error> {
        Ok(Option::<String>::deserialize(from)?.map(Version))
    }
}

/// A list.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(crate = "np", array)]
pub struct Tuple(pub Vec<f32>, pub [[f64; 2]; 3], #[checkpoint(skip)] pub u8);

/// Its field.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(crate = "np")]
pub struct Newtype(pub Array1<f32>);

/// Nothing.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(crate = "np")]
pub struct Unit;

/// A map of nothing.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(crate = "np")]
pub struct Empty {}

/// One of many.
#[derive(Checkpoint, Debug, Default)]
#[checkpoint(
    crate = "np",
    rename_all = "snake_case",
    rename_all_fields = "kebab-case"
)]
pub enum Schedule {
    /// No content.
    #[default]
    Constant,
    /// One value.
    Step(u32),
    /// Two values.
    #[checkpoint(rename = "lin", alias = "linear")]
    Linear(f32, f32),
    /// Named values.
    #[checkpoint(rename_all = "UPPERCASE")]
    Cosine {
        /// A field.
        period: u32,
        /// Another.
        #[checkpoint(default)]
        minimum: f32,
    },
}

/// An enum that nobody makes.
#[derive(Checkpoint, Debug)]
#[checkpoint(crate = "np")]
pub enum Never {}

/// A generic struct.
#[derive(Checkpoint, Debug)]
#[checkpoint(crate = "np")]
pub struct Pair<T, U = u8, const N: usize = 2>
where
    T: Clone,
{
    /// Of one type.
    pub first: Vec<T>,
    /// Of another.
    pub second: [U; N],
    /// Of none.
    #[checkpoint(skip)]
    pub none: std::marker::PhantomData<T>,
}

/// A generic enum.
#[derive(Checkpoint, Debug)]
#[checkpoint(crate = "np")]
pub enum Either<L, R> {
    /// One.
    Left(L),
    /// The other.
    Right {
        /// What it is.
        it: R,
    },
}

/// What is borrowed.
#[derive(Checkpoint, Debug)]
#[checkpoint(crate = "np")]
pub struct View<'a, T> {
    /// Only to be saved.
    pub state: &'a T,
    /// Borrowed from the file.
    pub name: &'a str,
}

/// A struct with its own serde form.
#[derive(Checkpoint, serde::Serialize, serde::Deserialize, Debug, Default)]
#[checkpoint(crate = "np", no_serde)]
pub struct Own {
    /// With two names.
    #[serde(rename = "theirs")]
    #[checkpoint(rename = "ours")]
    pub it: u8,
}

macro_rules! made {
    ($name:ident, $type:ty) => {
        /// Made by a macro.
        #[derive(Checkpoint, Debug, Default)]
        #[checkpoint(crate = "np")]
        pub struct $name {
            /// Its field.
            pub it: $type,
        }
    };
}

made!(Made, Option<Vec<u8>>);

mod private {
    use np::Checkpoint;

    #[derive(Checkpoint, Debug, Default)]
    #[checkpoint(crate = "np")]
    pub(crate) struct Hidden {
        pub(super) it: u8,
    }
}

/// Uses what was generated.
///
/// # Errors
/// None.
pub fn round() -> Result<u8, np::Error> {
    let hidden = private::Hidden::default();
    let named = Named::default();
    let back = Named::from_state_dict(named.to_state_dict()?)?;
    Ok(back.epoch + hidden.it + back.version.0.len() as u8)
}
