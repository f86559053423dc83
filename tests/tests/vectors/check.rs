//! One file and one Rust value: reading, writing, reading again.

use npcodec::checkpoint::{RestoreOwned, Save};
use npcodec::dtype::Order;
use npcodec::{Checkpoint, Fortran, NumpyEncoding, ReadOptions, Value, decode, encode};
use npcodec_tests::fact::Fact;
use npcodec_tests::vector::Vector;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A field without attributes.
#[derive(Checkpoint, Debug)]
pub(crate) struct X<T> {
    pub(crate) x: T,
}

/// A number that is a 0-d array.
#[derive(Checkpoint, Debug)]
pub(crate) struct Scalar<T> {
    #[checkpoint(scalar)]
    pub(crate) x: T,
}

/// An array whose bytes are rows under any label.
#[derive(Checkpoint, Debug)]
pub(crate) struct RowMajor<T> {
    #[checkpoint(fortran = "row_major")]
    pub(crate) x: T,
}

/// What every derived state is.
pub(crate) trait State: Checkpoint + RestoreOwned + Serialize + DeserializeOwned {}

impl<T: Checkpoint + RestoreOwned + Serialize + DeserializeOwned> State for T {}

/// A state whose field `x` is the value of a file.
pub(crate) trait Holder: State {
    type Field: Fact + std::fmt::Debug;

    fn new(field: Self::Field) -> Self;
    fn field(&self) -> &Self::Field;
}

macro_rules! holders {
    ($($holder:ident),*) => {$(
        impl<T: npcodec_tests::fact::Fact + std::fmt::Debug> $crate::check::Holder for $holder<T>
        where
            Self: $crate::check::State,
        {
            type Field = T;

            fn new(x: T) -> Self {
                Self { x }
            }

            fn field(&self) -> &T {
                &self.x
            }
        }
    )*};
}

pub(crate) use holders;

holders!(X, Scalar, RowMajor);

/// How the value is written again.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// As the very bytes of the file, whose form is the one we write.
    File,
    /// As an array of this dtype and order: ours, which is not that of the file.
    Own(&'static str, Option<Order>),
    /// As something other than an array.
    Native,
}

#[track_caller]
pub(crate) fn same<T: Fact + std::fmt::Debug>(vector: &Vector, read: &T, expected: &T) {
    assert!(
        read.same(expected),
        "{}: {read:?} is not {expected:?}",
        vector.name
    );
}

/// Reads the file into the type, through serde and through a value.
#[track_caller]
pub(crate) fn reads<H: Holder>(vector: &Vector, expected: &H::Field) -> H {
    let Vector { name, bytes, .. } = vector;
    let read: H = rmp_serde::from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    same(vector, read.field(), expected);
    let value = decode(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let untyped = H::from_value(value).unwrap_or_else(|error| panic!("{name}: {error}"));
    same(vector, untyped.field(), expected);
    read
}

/// Reads the file, and writes the value that the index states.
#[track_caller]
pub(crate) fn both<H: Holder>(vector: &Vector, expected: H::Field, form: Form) {
    let read = reads::<H>(vector, &expected);
    let stated = H::new(expected);
    for state in [&stated, &read] {
        writes(vector, state, stated.field(), form);
    }
}

#[track_caller]
fn writes<H: Holder>(vector: &Vector, state: &H, expected: &H::Field, form: Form) {
    let Vector { name, bytes, .. } = vector;
    let written = rmp_serde::to_vec(state).unwrap_or_else(|error| panic!("{name}: {error}"));
    let value = state
        .to_value()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(&encode(&value).unwrap(), &written, "{name}");
    let (dtype, order) = match form {
        Form::File => {
            assert_eq!(
                written.escape_ascii().to_string(),
                bytes.escape_ascii().to_string()
            );
            return;
        }
        Form::Own(dtype, order) => (Some(dtype), order),
        Form::Native => (None, None),
    };
    assert_ne!(&written, bytes, "{name} is in our form");
    let value = decode(&written).unwrap_or_else(|error| panic!("{name}: {error}"));
    let field = value.as_map().and_then(|map| map.get("x"));
    let array = field.and_then(Value::as_array);
    assert_eq!(array.map(NumpyEncoding::dtype_text), dtype, "{name}");
    assert_eq!(array.and_then(NumpyEncoding::order), order, "{name}");
    let again: H =
        rmp_serde::from_slice(&written).unwrap_or_else(|error| panic!("{name}: {error}"));
    same(vector, again.field(), expected);
}

/// Reads an array under the label `F`: as the label says, which is what Dopamine's decoder does,
/// and as what was saved, by either of the ways to ask for it.
#[track_caller]
pub(crate) fn fortran<T>(vector: &Vector, dtype: &'static str, as_labelled: T, as_saved: T)
where
    T: Fact + Clone + std::fmt::Debug + Save,
    X<T>: Holder<Field = T>,
    RowMajor<T>: Holder<Field = T>,
{
    let name = &vector.name;
    assert!(!as_labelled.same(&as_saved), "{name} shows no difference");

    // Read with the label, it keeps its memory order, and with it the bytes of the file.
    let columns = reads::<X<T>>(vector, &as_labelled);
    writes(vector, &columns, &as_labelled, Form::File);
    writes(
        vector,
        &X::new(as_labelled.clone()),
        &as_labelled,
        Form::Own(dtype, Some(Order::C)),
    );

    let rows = reads::<RowMajor<T>>(vector, &as_saved);
    writes(vector, &rows, &as_saved, Form::Own(dtype, Some(Order::C)));

    let value = decode(&vector.bytes).unwrap();
    let options = ReadOptions::new().fortran(Fortran::RowMajor);
    let (rows, report) = <X<T>>::from_value_with(value, &options).unwrap();
    assert!(report.is_clean(), "{name}: {report}");
    same(vector, rows.field(), &as_saved);
}
