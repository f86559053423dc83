//! The derive in crates that do not make it easy: hostile names, raw identifiers, macros, generics.
//!
//! That this file compiles without a warning is most of the test.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]
#![deny(
    unreachable_pub,
    unused_qualifications,
    unused_lifetimes,
    elided_lifetimes_in_paths,
    trivial_casts,
    trivial_numeric_casts,
    unused_results
)]
#![allow(dead_code)]

use rmp_serde::{from_slice, to_vec};

pub mod hostile;

pub mod bare;

macro_rules! make {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($field:ident: $ty:ty = $key:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(npcodec::Checkpoint, Debug, PartialEq)]
        $vis struct $name { $(#[checkpoint(rename = $key)] $field: $ty),* }
    };
}

make! {
    /// Made by a macro.
    pub struct Made { a: u8 = "A", b: Option<u8> = "B", c: Vec<Option<u8>> = "C" }
}

macro_rules! hidden_names {
    ($name:ident, $ty:ty) => {
        /// The names come from the macro.
        #[derive(npcodec::Checkpoint, Debug, PartialEq)]
        pub struct $name {
            inner: $ty,
            #[checkpoint(default = "seven")]
            other: u8,
        }
        fn seven() -> u8 {
            7
        }
    };
}
hidden_names!(Hidden, Option<u8>);

/// Raw identifiers.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Raw {
    r#type: u8,
    r#match: u8,
}

/// A raw type name with raw variants.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
#[allow(non_camel_case_types)]
pub enum r#virtual {
    /// No content.
    r#do,
    /// Fields.
    r#final {
        /// A field.
        r#in: u8,
    },
}

/// Every kind of parameter.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Generic<'a, T: Copy = u8, P: ?Sized = str, const N: usize = 2>
where
    T: PartialEq,
{
    items: Vec<T>,
    fixed: [u8; N],
    text: &'a str,
    phantom: std::marker::PhantomData<P>,
}

/// A type that is neither `Copy` nor savable, for phantom parameters.
#[derive(Debug, PartialEq)]
pub struct Opaque;

/// A lifetime and a name that the derive could use itself.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Lifetimes<'de, 'a, 's> {
    a: &'de str,
    b: &'a str,
    c: &'s str,
}

/// Recursion with a parameter, by name and as `Self`.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Tree<T> {
    value: T,
    left: Option<Box<Tree<T>>>,
    right: Option<Box<Self>>,
    rest: Vec<Tree<T>>,
}

/// The parameter stands only beside the container.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Chain<T> {
    next: Vec<Entry<T, Chain<T>>>,
}

/// Two parameters.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Entry<A, B>(A, B);

/// A recursive newtype.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub struct Nest(Vec<Nest>);

/// A recursive enum.
#[derive(npcodec::Checkpoint, Debug, PartialEq)]
pub enum List<T> {
    /// The end.
    Nil,
    /// An item and the rest.
    Cons(T, Box<List<T>>),
    /// The same with names.
    Named {
        /// The item.
        head: T,
        /// The rest.
        tail: Box<Self>,
    },
}

struct Private(u8);

impl serde::Serialize for Private {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl<'de> serde::Deserialize<'de> for Private {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u8::deserialize(deserializer).map(Self)
    }
}

#[derive(npcodec::Checkpoint)]
struct PrivateFields {
    x: u8,
}

/// A public type of private parts.
#[derive(npcodec::Checkpoint)]
pub struct Public<T> {
    #[checkpoint(serde)]
    private: Private,
    #[checkpoint(flatten)]
    fields: PrivateFields,
    parameter: Vec<T>,
}

/// The same as an enum.
#[derive(npcodec::Checkpoint)]
pub enum PublicEnum {
    /// A variant.
    #[allow(private_interfaces)]
    A {
        #[doc(hidden)]
        #[checkpoint(flatten)]
        fields: PrivateFields,
    },
}

/// The library under another name.
pub mod renamed {
    pub use npcodec as other;

    /// A struct.
    #[derive(npcodec::Checkpoint)]
    #[checkpoint(crate = "crate::renamed::other")]
    pub struct Renamed {
        a: u8,
    }
}

/// An alias of an option is an option; someone else's `Option` is not.
pub mod aliases {
    /// An alias.
    pub type Maybe<T> = Option<T>;

    /// A struct.
    #[derive(npcodec::Checkpoint, Debug, PartialEq)]
    pub struct Aliased {
        /// A field.
        pub a: Maybe<u8>,
        /// A field.
        #[checkpoint(serde)]
        pub b: Maybe<u8>,
    }
}

/// A deprecated field.
#[derive(npcodec::Checkpoint)]
pub struct Deprecated {
    /// A field.
    #[deprecated]
    pub old: u8,
}

#[test]
fn raw_identifiers_lose_their_prefix() {
    let raw = Raw {
        r#type: 1,
        r#match: 2,
    };
    let bytes = to_vec(&raw).unwrap();
    assert_eq!(bytes, b"\x82\xa4type\x01\xa5match\x02");
    assert_eq!(from_slice::<Raw>(&bytes).unwrap(), raw);
    assert_eq!(to_vec(&r#virtual::r#do).unwrap(), b"\xa2do");
    assert_eq!(
        to_vec(&r#virtual::r#final { r#in: 3 }).unwrap(),
        b"\x81\xa5final\x81\xa2in\x03"
    );
}

#[test]
fn macros_may_make_the_struct() {
    let made = Made {
        a: 1,
        b: None,
        c: vec![Some(2)],
    };
    let bytes = to_vec(&made).unwrap();
    assert_eq!(bytes, b"\x83\xa1A\x01\xa1B\xc0\xa1C\x91\x02");
    assert_eq!(from_slice::<Made>(&bytes).unwrap(), made);
    let absent = from_slice::<Made>(b"\x82\xa1A\x01\xa1C\x90").unwrap();
    assert_eq!(
        absent,
        Made {
            a: 1,
            b: None,
            c: vec![]
        }
    );
    assert_eq!(
        from_slice::<Hidden>(b"\x80").unwrap(),
        Hidden {
            inner: None,
            other: 7
        }
    );
    assert_eq!(
        from_slice::<aliases::Aliased>(b"\x80").unwrap(),
        aliases::Aliased { a: None, b: None }
    );
}

#[test]
fn phantom_parameters_are_free() {
    let generic = Generic::<u8, Opaque> {
        items: vec![1],
        fixed: [2, 3],
        text: "t",
        phantom: std::marker::PhantomData,
    };
    let bytes = to_vec(&generic).unwrap();
    assert_eq!(
        from_slice::<Generic<'_, u8, Opaque>>(&bytes).unwrap(),
        generic
    );
}

#[test]
fn recursive_types_are_bounded_by_their_parts() {
    let leaf = |value| Tree {
        value,
        left: None,
        right: None,
        rest: vec![],
    };
    let tree = Tree {
        value: 1_u8,
        left: Some(Box::new(leaf(2))),
        right: None,
        rest: vec![leaf(3)],
    };
    let bytes = to_vec(&tree).unwrap();
    assert_eq!(from_slice::<Tree<u8>>(&bytes).unwrap(), tree);
    let chain = Chain {
        next: vec![Entry(1_u8, Chain { next: vec![] })],
    };
    assert_eq!(
        to_vec(&chain).unwrap(),
        b"\x81\xa4next\x91\x92\x01\x81\xa4next\x90"
    );
    assert_eq!(
        to_vec(&Nest(vec![Nest(vec![]), Nest(vec![])])).unwrap(),
        b"\x92\x90\x90"
    );
    let list = List::Named {
        head: 1_u8,
        tail: Box::new(List::Cons(2, Box::new(List::Nil))),
    };
    let bytes = to_vec(&list).unwrap();
    assert_eq!(from_slice::<List<u8>>(&bytes).unwrap(), list);
}

#[test]
fn hostile_names_do_not_reach_the_expansion() {
    let named = hostile::Named::default();
    let bytes = to_vec(&named).unwrap();
    assert_eq!(
        bytes,
        b"\x84\xa8firstOne\x01\xa9secondOne\xc0\xa6fourth\xc4\x00\xa1a\x01"
    );
    assert_eq!(from_slice::<hostile::Named>(&bytes).unwrap(), named);
    let variant = hostile::Enum::Slots(1, 2);
    assert_eq!(
        from_slice::<hostile::Enum>(&to_vec(&variant).unwrap()).unwrap(),
        variant
    );
}
