::core::compile_error! {
    "`compres` is no field attribute; did you mean `compress`?"
}
#[doc(hidden)]
#[allow(
    non_upper_case_globals,
    unused_qualifications,
    deprecated,
    clippy::absolute_paths
)]
const _: () = {
    use ::npcodec::__private as __p;
    #[allow(unused_imports)]
    use __p::AbsentFallback as _;
    #[automatically_derived]
    impl<T, __M: __p::Ordinary> __p::Save<__p::Deep<__M>> for Faulty<T> {
        fn save<'__a, __S: __p::Sink<'__a>>(
            &'__a self,
            _: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl<T> __p::SaveFields for Faulty<T> {
        fn count(&self) -> ::core::primitive::usize {
            ::core::unreachable!()
        }
        fn save_fields<'__a, __S: __p::MapSink<'__a>>(
            &'__a self,
            _: &mut __S,
        ) -> ::core::result::Result<(), __S::Error> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl<'__de, T, __M: __p::Ordinary> __p::Restore<'__de, __p::Deep<__M>>
    for Faulty<T> {
        fn restore<__D: __p::serde::Deserializer<'__de>>(
            _: __D,
            _: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl<'__de, T> __p::RestoreFields<'__de> for Faulty<T> {
        type Slots = ();
        fn slots() {}
        fn take<__A: __p::serde::de::MapAccess<'__de>>(
            _: &mut (),
            _: &__p::Key<'__de>,
            _: &mut __A,
            _: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::primitive::bool, __A::Error> {
            ::core::unreachable!()
        }
        fn finish(_: (), _: &__p::Context<'_>) -> ::core::option::Option<Self> {
            ::core::unreachable!()
        }
        fn stage_fields<'__s>(
            &'__s mut self,
            _: &mut __p::Entries<'_, '__de>,
            _: &__p::Context<'_>,
            _: &mut __p::Plan<'__s>,
        )
        where
            '__de: '__s,
        {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl<T> __p::serde::Serialize for Faulty<T> {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            _: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl<'__de, T> __p::serde::Deserialize<'__de> for Faulty<T> {
        fn deserialize<__D: __p::serde::Deserializer<'__de>>(
            _: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            ::core::unreachable!()
        }
    }
};
