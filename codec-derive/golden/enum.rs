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
    impl<__M: __p::Ordinary> __p::Save<__p::Deep<__M>> for Schedule {
        fn save<'__a, __S: __p::Sink<'__a>>(
            &'__a self,
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            match self {
                Schedule::Constant {} => {
                    __p::Sink::string(__sink, ::std::borrow::Cow::Borrowed("Constant"))
                }
                Schedule::Step { .. } => __p::save_variant(self, "Step", __sink),
                Schedule::Linear { .. } => __p::save_variant(self, "Linear", __sink),
            }
        }
    }
    #[automatically_derived]
    impl __p::SaveVariant for Schedule {
        fn save_content<'__a, __S: __p::Sink<'__a>>(
            &'__a self,
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            match self {
                Schedule::Constant { .. } => __p::Sink::nil(__sink),
                Schedule::Step { 0: __f0, .. } => {
                    <u64 as __p::SaveField<__p::mode::Native>>::save_alone(__f0, __sink)
                }
                Schedule::Linear { from: __f1, to: __f2, .. } => {
                    let mut __open = __p::Sink::map_of_different(__sink, 2usize)?;
                    let __map = &mut __open;
                    <f64 as __p::SaveField<
                        __p::mode::Native,
                    >>::save_entry(__f1, "from", &mut *__map)?;
                    <f64 as __p::SaveField<
                        __p::mode::Native,
                    >>::save_entry(__f2, "to", &mut *__map)?;
                    __p::MapSink::end(__open)
                }
            }
        }
    }
    #[automatically_derived]
    impl<'__de, __M: __p::Ordinary> __p::Restore<'__de, __p::Deep<__M>> for Schedule {
        fn restore<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
            __p::restore_variant::<Self, __D>(__deserializer, "enum Schedule", __cx)
        }
        fn stage<'__s>(
            &'__s mut self,
            __value: &__p::Value<'__de>,
            __cx: &__p::Context<'_>,
            __plan: &mut __p::Plan<'__s>,
        )
        where
            '__de: '__s,
        {
            match (self, __p::variant(__value)) {
                (
                    Schedule::Step { 0: __f0, .. },
                    ::core::option::Option::Some((__name @ ("Step"), __content)),
                ) => {
                    let __cx = &__cx.field(__name);
                    <u64 as __p::RestoreField<
                        '__de,
                        __p::mode::Native,
                    >>::stage_alone(__f0, __content, &__cx, __plan);
                }
                (
                    __whole @ Schedule::Linear { .. },
                    ::core::option::Option::Some((__name @ ("Linear"), __content)),
                ) => {
                    let __cx = &__cx.field(__name);
                    __p::stage_map(
                        __content,
                        "variant Schedule::Linear",
                        false,
                        __cx,
                        __plan,
                        move |__entries, __cx, __plan| {
                            <Self as __p::RestoreFields<
                                '__de,
                                __Variant2,
                            >>::stage_fields(__whole, __entries, __cx, __plan);
                        },
                    );
                }
                (__whole, _) => {
                    __p::replace::<Self, __p::Deep<__M>>(__whole, __value, __cx, __plan)
                }
            }
        }
    }
    #[automatically_derived]
    impl<'__de> __p::RestoreVariant<'__de> for Schedule {
        const NAMES: &'static [&'static ::core::primitive::str] = &[
            "Constant",
            "Step",
            "Linear",
        ];
        fn find(
            __name: &::core::primitive::str,
        ) -> ::core::option::Option<__p::Found<Self>> {
            match __name {
                "Constant" => {
                    ::core::option::Option::Some(__p::Found::Unit(Schedule::Constant {}))
                }
                "Step" => ::core::option::Option::Some(__p::Found::Content(1usize)),
                "Linear" => ::core::option::Option::Some(__p::Found::Content(2usize)),
                _ => ::core::option::Option::None,
            }
        }
        fn restore_content<__D: __p::serde::Deserializer<'__de>>(
            __index: ::core::primitive::usize,
            __deserializer: __D,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
            match __index {
                1usize => {
                    ::core::result::Result::Ok(
                        match <u64 as __p::RestoreField<
                            '__de,
                            __p::mode::Native,
                        >>::restore_alone(__deserializer, &__cx)? {
                            ::core::option::Option::Some(__value) => {
                                ::core::option::Option::Some(Schedule::Step { 0: __value })
                            }
                            ::core::option::Option::None => ::core::option::Option::None,
                        },
                    )
                }
                2usize => {
                    __p::restore_map::<
                        Self,
                        __Variant2,
                        __D,
                    >(__deserializer, "variant Schedule::Linear", false, __cx)
                }
                _ => ::core::result::Result::Ok(::core::option::Option::None),
            }
        }
    }
    #[doc(hidden)]
    pub enum __Variant2 {}
    #[doc(hidden)]
    pub struct __Slots2<'__de> {
        __f1: __p::Slot<f64>,
        __f2: __p::Slot<f64>,
        __marker: ::core::marker::PhantomData<(&'__de (), Schedule)>,
    }
    #[automatically_derived]
    impl<'__de> __p::RestoreFields<'__de, __Variant2> for Schedule {
        type Slots = __Slots2<'__de>;
        fn slots() -> __Slots2<'__de> {
            __Slots2 {
                __f1: __p::Slot::Empty,
                __f2: __p::Slot::Empty,
                __marker: ::core::marker::PhantomData,
            }
        }
        fn take<__A: __p::serde::de::MapAccess<'__de>>(
            __slots: &mut __Slots2<'__de>,
            __key: &__p::Key<'__de>,
            __map: &mut __A,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::primitive::bool, __A::Error> {
            match __p::Key::as_str(__key) {
                ::core::option::Option::Some(__name @ ("from")) => {
                    <f64 as __p::RestoreField<
                        '__de,
                        __p::mode::Native,
                    >>::take_entry(&mut __slots.__f1, __map, &__cx.field(__name))?;
                    return ::core::result::Result::Ok(true);
                }
                ::core::option::Option::Some(__name @ ("to")) => {
                    <f64 as __p::RestoreField<
                        '__de,
                        __p::mode::Native,
                    >>::take_entry(&mut __slots.__f2, __map, &__cx.field(__name))?;
                    return ::core::result::Result::Ok(true);
                }
                _ => {}
            }
            ::core::result::Result::Ok(false)
        }
        fn finish(
            __slots: __Slots2<'__de>,
            __cx: &__p::Context<'_>,
        ) -> ::core::option::Option<Self> {
            let __f1 = __p::finish_field::<
                f64,
            >(
                __slots.__f1,
                "from",
                __cx,
                || <f64 as __p::RestoreField<'__de, __p::mode::Native>>::absent(),
            );
            let __f2 = __p::finish_field::<
                f64,
            >(
                __slots.__f2,
                "to",
                __cx,
                || <f64 as __p::RestoreField<'__de, __p::mode::Native>>::absent(),
            );
            ::core::option::Option::Some(Schedule::Linear {
                from: __f1?,
                to: __f2?,
            })
        }
        fn stage_fields<'__s>(
            &'__s mut self,
            __entries: &mut __p::Entries<'_, '__de>,
            __cx: &__p::Context<'_>,
            __plan: &mut __p::Plan<'__s>,
        )
        where
            '__de: '__s,
        {
            #[allow(irrefutable_let_patterns)]
            if let Schedule::Linear { from: __f1, to: __f2, .. } = self {
                let __taken = __p::Entries::take_named(__entries, &["from"], __cx);
                <f64 as __p::RestoreField<
                    '__de,
                    __p::mode::Native,
                >>::stage_field(
                    __f1,
                    __taken.value,
                    "from",
                    __cx,
                    &__cx.field(__taken.name),
                    __plan,
                    || {
                        if __taken.passed_over {
                            ::core::option::Option::None
                        } else {
                            <f64 as __p::RestoreField<
                                '__de,
                                __p::mode::Native,
                            >>::absent()
                        }
                    },
                );
                let __taken = __p::Entries::take_named(__entries, &["to"], __cx);
                <f64 as __p::RestoreField<
                    '__de,
                    __p::mode::Native,
                >>::stage_field(
                    __f2,
                    __taken.value,
                    "to",
                    __cx,
                    &__cx.field(__taken.name),
                    __plan,
                    || {
                        if __taken.passed_over {
                            ::core::option::Option::None
                        } else {
                            <f64 as __p::RestoreField<
                                '__de,
                                __p::mode::Native,
                            >>::absent()
                        }
                    },
                );
            }
        }
    }
    #[automatically_derived]
    impl __p::serde::Serialize for Schedule {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            __serializer: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::serialize::<Self, __S>(self, __serializer)
        }
    }
    #[automatically_derived]
    impl<'__de> __p::serde::Deserialize<'__de> for Schedule {
        fn deserialize<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            __p::deserialize::<Self, __D>(__deserializer)
        }
    }
    const _: () = ::core::assert!(
        ! < u64 as __p::SaveField < __p::mode::Native >> ::NESTED_NIL,
        "an Option of a value that can itself be nil cannot be told from None"
    );
    const _: () = ::core::assert!(
        ! < f64 as __p::SaveField < __p::mode::Native >> ::NESTED_NIL,
        "an Option of a value that can itself be nil cannot be told from None"
    );
    const _: () = ::core::assert!(
        ! < f64 as __p::SaveField < __p::mode::Native >> ::NESTED_NIL,
        "an Option of a value that can itself be nil cannot be told from None"
    );
};
