//! Every name that generated code could lean on by accident.

#![allow(non_camel_case_types, missing_docs)]

pub struct Result;
pub struct Option;
pub struct Vec;
pub struct String;
pub struct Box;
pub struct Default;
pub struct Sized;
pub struct Clone;
pub struct Cow;
pub struct Key;
pub struct Value;
pub struct Sink;
pub struct Save;
pub struct Restore;
pub struct Context;
pub struct Plan;
pub struct Serialize;
pub struct Deserialize;
pub struct Serializer;
pub struct PhantomData;
pub struct bool;
pub struct str;
pub struct u8;
pub struct usize;
#[allow(non_snake_case)]
pub fn Some() {}
#[allow(non_snake_case)]
pub fn Ok() {}
#[allow(non_snake_case)]
pub fn Err() {}
#[allow(non_upper_case_globals)]
pub const None: () = ();
pub mod core {}
pub mod std {}
pub mod serde {}
pub mod npcodec {}

#[allow(unused_macros)]
macro_rules! assert {
    () => {};
}
#[allow(unused_macros)]
macro_rules! matches {
    () => {};
}
#[allow(unused_macros)]
macro_rules! unreachable {
    () => {};
}
#[allow(unused_imports)]
pub(crate) use {assert, matches, unreachable};

/// A trait whose items have the names of those that the derive calls.
pub trait Everything {
    fn save(&self) {}
    fn restore(&self) {}
    fn stage(&self) {}
    fn take(&self) {}
    fn finish(&self) {}
    fn absent(&self) {}
    fn field(&self) {}
    fn item(&self) {}
    fn entry(&self) {}
    fn end(&self) {}
    fn get(&self) {}
    fn with_cast(&self) {}
}
impl<T: ?::core::marker::Sized> Everything for T {}

fn yes<T>(_: &T) -> ::core::primitive::bool {
    false
}

#[derive(::npcodec::Checkpoint, PartialEq, Debug)]
#[checkpoint(rename_all = "camelCase")]
pub struct Named {
    pub first_one: ::core::primitive::u8,
    #[checkpoint(default, skip_serializing_if = "yes", alias = "other")]
    pub second_one: ::std::option::Option<::std::string::String>,
    #[checkpoint(skip)]
    pub third: ::core::primitive::u8,
    #[checkpoint(cast = "lossy", fortran = "row_major", replace)]
    pub fourth: ::std::vec::Vec<::core::primitive::u8>,
    #[checkpoint(flatten)]
    pub fifth: Inner,
}

#[derive(::npcodec::Checkpoint, PartialEq, Debug, Default)]
#[checkpoint(default)]
pub struct Inner {
    pub a: ::core::primitive::u8,
    #[checkpoint(skip)]
    pub b: ::core::primitive::u8,
}

impl ::core::default::Default for Named {
    fn default() -> Self {
        Named {
            first_one: 1,
            second_one: ::core::option::Option::None,
            third: 0,
            fourth: ::std::vec::Vec::new(),
            fifth: Inner { a: 1, b: 0 },
        }
    }
}

#[derive(::npcodec::Checkpoint, PartialEq, Debug)]
pub struct Pair(
    pub ::core::primitive::u8,
    #[checkpoint(cast)] pub ::core::primitive::u8,
);

#[derive(::npcodec::Checkpoint, PartialEq, Debug)]
pub struct New(
    pub ::core::primitive::u8,
    #[checkpoint(skip)] pub ::core::primitive::u8,
);

#[derive(::npcodec::Checkpoint, PartialEq, Debug)]
pub struct Unit;

#[derive(::npcodec::Checkpoint, PartialEq, Debug)]
pub enum Enum {
    Ok,
    Some(::core::primitive::u8),
    Slots(::core::primitive::u8, ::core::primitive::u8),
    Err {
        a: ::core::primitive::u8,
        #[checkpoint(flatten)]
        b: Inner,
    },
}
