//! How a field is encoded, as a type: the second parameter of [`Save`](super::Save) and
//! [`Restore`](super::Restore).

use std::marker::PhantomData;

/// A form that reaches through every container to the leaves.
///
/// `Deep<Form>` of a `Vec<Option<T>>` is `Deep<Form>` of `T`. The other modes have the shape of the
/// type they encode: `Vec<Compressed>` is `Compressed` of each item.
#[derive(Debug)]
pub struct Deep<Form>(PhantomData<Form>);

/// Every type in its own form: what a field without an attribute has.
pub type Native = Deep<form::Native>;
/// Arrays as Snappy records: `#[checkpoint(compress)]`.
pub type Compressed = Deep<form::Compressed>;
/// Numbers as 0-d arrays, which is what NumPy's scalars become: `#[checkpoint(scalar)]`.
pub type Scalar = Deep<form::Scalar>;
/// Integers natively up to 64 bits and as decimal text beyond: `#[checkpoint(integer)]`.
pub type Integer = Deep<form::Integer>;
/// Vectors and fixed arrays of numbers as one NumPy array: `#[checkpoint(array)]`.
pub type Array = Deep<form::Array>;
/// Text arrays of a fixed number of characters: `#[checkpoint(width = N)]`.
pub type Width<const N: usize> = Deep<form::Width<N>>;

/// The forms of [`Deep`].
pub mod form {
    /// See [`Native`](super::Native).
    #[derive(Debug)]
    pub enum Native {}
    /// See [`Compressed`](super::Compressed).
    #[derive(Debug)]
    pub enum Compressed {}
    /// See [`Scalar`](super::Scalar).
    #[derive(Debug)]
    pub enum Scalar {}
    /// See [`Integer`](super::Integer).
    #[derive(Debug)]
    pub enum Integer {}
    /// See [`Array`](super::Array).
    #[derive(Debug)]
    pub enum Array {}
    /// See [`Width`](super::Width).
    #[derive(Debug)]
    pub enum Width<const N: usize> {}
}

/// The forms that leave a type alone if they do not concern it: structs, strings, maps.
///
/// Sealed: the forms of this crate are all there are.
#[diagnostic::on_unimplemented(
    message = "the type has no form `{Self}`",
    label = "`{Self}` does not apply here",
    note = "`compress` takes arrays, `scalar` and `integer` take numbers; they reach through containers"
)]
pub trait Ordinary: sealed::Sealed {
    /// Lists of NumPy's elements become arrays.
    const ARRAYS: bool = false;
    /// The number of characters of a text array, the longest text's if there is none.
    const WIDTH: Option<usize> = None;
}

impl Ordinary for form::Native {}

impl Ordinary for form::Array {
    const ARRAYS: bool = true;
}

impl<const N: usize> Ordinary for form::Width<N> {
    const ARRAYS: bool = true;
    const WIDTH: Option<usize> = Some(N);
}

mod sealed {
    use super::form;

    pub trait Sealed {}

    impl Sealed for form::Native {}
    impl Sealed for form::Array {}
    impl<const N: usize> Sealed for form::Width<N> {}
}

/// The field has a plain serde type: `#[checkpoint(serde)]`.
#[derive(Debug)]
pub enum SerdeForm {}

/// The field is written and read by an adapter: `#[checkpoint(with = "...")]`.
#[derive(Debug)]
pub struct With<Adapter>(PhantomData<Adapter>);
