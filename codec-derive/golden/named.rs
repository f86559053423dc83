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
    impl<'a, T, __M: __p::Ordinary> __p::Save<__p::Deep<__M>> for Train<'a, T>
    where
        Array2<T>: __p::Save<__p::mode::Native>,
    {
        fn save<'__a, __S: __p::Sink<'__a>>(
            &'__a self,
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            let mut __map = __p::Sink::map_of_different(
                __sink,
                <Self as __p::SaveFields>::count(self),
            )?;
            <Self as __p::SaveFields>::save_fields(self, &mut __map)?;
            __p::MapSink::end(__map)
        }
    }
    #[automatically_derived]
    impl<'a, T> __p::SaveFields for Train<'a, T>
    where
        Array2<T>: __p::Save<__p::mode::Native>,
    {
        fn count(&self) -> ::core::primitive::usize {
            4usize
        }
        fn save_fields<'__a, __S: __p::MapSink<'__a>>(
            &'__a self,
            __map: &mut __S,
        ) -> ::core::result::Result<(), __S::Error> {
            const {
                ::core::assert!(
                    ! < Array2 < T > as __p::SaveField < __p::mode::Native >>
                    ::NESTED_NIL,
                    "an Option of a value that can itself be nil cannot be told from None"
                )
            };
            <Array2<
                T,
            > as __p::SaveField<
                __p::mode::Native,
            >>::save_entry(&self.weights, "weights", &mut *__map)?;
            <Vec<
                Array3<u8>,
            > as __p::SaveField<
                __p::mode::Compressed,
            >>::save_entry(&self.frames, "frames", &mut *__map)?;
            __p::MapSink::reserve(&mut *__map, "screens")?;
            <f64 as __p::SaveField<
                __p::mode::Native,
            >>::save_entry(&self.learning_rate, "lr", &mut *__map)?;
            const {
                ::core::assert!(
                    ! < Cow < 'a, str > as __p::SaveField < __p::mode::Native >>
                    ::NESTED_NIL,
                    "an Option of a value that can itself be nil cannot be told from None"
                )
            };
            <Cow<
                'a,
                str,
            > as __p::SaveField<
                __p::mode::Native,
            >>::save_entry(&self.name, "name", &mut *__map)?;
            ::core::result::Result::Ok(())
        }
    }
    #[automatically_derived]
    impl<'__de: 'a, 'a, T, __M: __p::Ordinary> __p::Restore<'__de, __p::Deep<__M>>
    for Train<'a, T>
    where
        Array2<T>: __p::Restore<'__de, __p::mode::Native>,
        Cow<'a, str>: __p::Restore<'__de, __p::mode::Native>,
    {
        fn restore<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
            __p::restore_map::<
                Self,
                (),
                __D,
            >(__deserializer, "struct Train", false, __cx)
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
            __p::stage_map(
                __value,
                "struct Train",
                false,
                __cx,
                __plan,
                move |__entries, __cx, __plan| {
                    <Self as __p::RestoreFields<
                        '__de,
                        (),
                    >>::stage_fields(self, __entries, __cx, __plan);
                },
            );
        }
    }
    #[doc(hidden)]
    pub struct __Slots<'__de: 'a, 'a, T>
    where
        Array2<T>: __p::Restore<'__de, __p::mode::Native>,
        Cow<'a, str>: __p::Restore<'__de, __p::mode::Native>,
    {
        __f0: __p::Slot<Array2<T>>,
        __f1: __p::Slot<Vec<Array3<u8>>>,
        __f2: __p::Slot<f64>,
        __f4: __p::Slot<Cow<'a, str>>,
        __marker: ::core::marker::PhantomData<(&'__de (), Train<'a, T>)>,
    }
    #[automatically_derived]
    impl<'__de: 'a, 'a, T> __p::RestoreFields<'__de, ()> for Train<'a, T>
    where
        Array2<T>: __p::Restore<'__de, __p::mode::Native>,
        Cow<'a, str>: __p::Restore<'__de, __p::mode::Native>,
    {
        type Slots = __Slots<'__de, 'a, T>;
        fn slots() -> __Slots<'__de, 'a, T> {
            __Slots {
                __f0: __p::Slot::Empty,
                __f1: __p::Slot::Empty,
                __f2: __p::Slot::Empty,
                __f4: __p::Slot::Empty,
                __marker: ::core::marker::PhantomData,
            }
        }
        fn take<__A: __p::serde::de::MapAccess<'__de>>(
            __slots: &mut __Slots<'__de, 'a, T>,
            __key: &__p::Key<'__de>,
            __map: &mut __A,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::primitive::bool, __A::Error> {
            match __p::Key::as_str(__key) {
                ::core::option::Option::Some(__name @ ("weights")) => {
                    <Array2<
                        T,
                    > as __p::RestoreField<
                        '__de,
                        __p::mode::Native,
                    >>::take_entry(&mut __slots.__f0, __map, &__cx.field(__name))?;
                    return ::core::result::Result::Ok(true);
                }
                ::core::option::Option::Some(__name @ ("frames" | "screens")) => {
                    <Vec<
                        Array3<u8>,
                    > as __p::RestoreField<
                        '__de,
                        __p::mode::Compressed,
                    >>::take_entry(&mut __slots.__f1, __map, &__cx.field(__name))?;
                    return ::core::result::Result::Ok(true);
                }
                ::core::option::Option::Some(__name @ ("lr")) => {
                    <f64 as __p::RestoreField<
                        '__de,
                        __p::mode::Native,
                    >>::take_entry(&mut __slots.__f2, __map, &__cx.field(__name))?;
                    return ::core::result::Result::Ok(true);
                }
                ::core::option::Option::Some(__name @ ("name")) => {
                    <Cow<
                        'a,
                        str,
                    > as __p::RestoreField<
                        '__de,
                        __p::mode::Native,
                    >>::take_entry(&mut __slots.__f4, __map, &__cx.field(__name))?;
                    return ::core::result::Result::Ok(true);
                }
                _ => {}
            }
            ::core::result::Result::Ok(false)
        }
        fn finish(
            __slots: __Slots<'__de, 'a, T>,
            __cx: &__p::Context<'_>,
        ) -> ::core::option::Option<Self> {
            let __f0 = __p::finish_field::<
                Array2<T>,
            >(
                __slots.__f0,
                "weights",
                __cx,
                || <Array2<T> as __p::RestoreField<'__de, __p::mode::Native>>::absent(),
            );
            let __f1 = __p::finish_field::<
                Vec<Array3<u8>>,
            >(
                __slots.__f1,
                "frames",
                __cx,
                || <Vec<
                    Array3<u8>,
                > as __p::RestoreField<'__de, __p::mode::Compressed>>::absent(),
            );
            let __f2 = __p::finish_field::<
                f64,
            >(
                __slots.__f2,
                "lr",
                __cx,
                || ::core::option::Option::<
                    f64,
                >::Some(<f64 as ::core::default::Default>::default()),
            );
            let __f3 = ::core::option::Option::<
                Vec<f32>,
            >::Some(<Vec<f32> as ::core::default::Default>::default());
            let __f4 = __p::finish_field::<
                Cow<'a, str>,
            >(
                __slots.__f4,
                "name",
                __cx,
                || <Cow<
                    'a,
                    str,
                > as __p::RestoreField<'__de, __p::mode::Native>>::absent(),
            );
            ::core::option::Option::Some(Self {
                weights: __f0?,
                frames: __f1?,
                learning_rate: __f2?,
                scratch: __f3?,
                name: __f4?,
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
            let __taken = __p::Entries::take_named(__entries, &["weights"], __cx);
            <Array2<
                T,
            > as __p::RestoreField<
                '__de,
                __p::mode::Native,
            >>::stage_field(
                &mut self.weights,
                __taken.value,
                "weights",
                __cx,
                &__cx.field(__taken.name),
                __plan,
                || {
                    if __taken.passed_over {
                        ::core::option::Option::None
                    } else {
                        <Array2<
                            T,
                        > as __p::RestoreField<'__de, __p::mode::Native>>::absent()
                    }
                },
            );
            let __taken = __p::Entries::take_named(
                __entries,
                &["frames", "screens"],
                __cx,
            );
            <Vec<
                Array3<u8>,
            > as __p::RestoreField<
                '__de,
                __p::mode::Compressed,
            >>::stage_field(
                &mut self.frames,
                __taken.value,
                "frames",
                __cx,
                &__cx.field(__taken.name),
                __plan,
                || {
                    if __taken.passed_over {
                        ::core::option::Option::None
                    } else {
                        <Vec<
                            Array3<u8>,
                        > as __p::RestoreField<'__de, __p::mode::Compressed>>::absent()
                    }
                },
            );
            let __taken = __p::Entries::take_named(__entries, &["lr"], __cx);
            <f64 as __p::RestoreField<
                '__de,
                __p::mode::Native,
            >>::stage_field(
                &mut self.learning_rate,
                __taken.value,
                "lr",
                __cx,
                &__cx.field(__taken.name),
                __plan,
                || {
                    if __taken.passed_over {
                        ::core::option::Option::None
                    } else {
                        ::core::option::Option::<
                            f64,
                        >::Some(<f64 as ::core::default::Default>::default())
                    }
                },
            );
            let __taken = __p::Entries::take_named(__entries, &["name"], __cx);
            <Cow<
                'a,
                str,
            > as __p::RestoreField<
                '__de,
                __p::mode::Native,
            >>::stage_field(
                &mut self.name,
                __taken.value,
                "name",
                __cx,
                &__cx.field(__taken.name),
                __plan,
                || {
                    if __taken.passed_over {
                        ::core::option::Option::None
                    } else {
                        <Cow<
                            'a,
                            str,
                        > as __p::RestoreField<'__de, __p::mode::Native>>::absent()
                    }
                },
            );
        }
    }
    #[automatically_derived]
    impl<'a, T> __p::serde::Serialize for Train<'a, T>
    where
        Array2<T>: __p::Save<__p::mode::Native>,
    {
        fn serialize<__S: __p::serde::Serializer>(
            &self,
            __serializer: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::serialize::<Self, __S>(self, __serializer)
        }
    }
    #[automatically_derived]
    impl<'__de: 'a, 'a, T> __p::serde::Deserialize<'__de> for Train<'a, T>
    where
        Array2<T>: __p::Restore<'__de, __p::mode::Native>,
        Cow<'a, str>: __p::Restore<'__de, __p::mode::Native>,
    {
        fn deserialize<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            __p::deserialize::<Self, __D>(__deserializer)
        }
    }
    const _: () = ::core::assert!(
        ! < Vec < Array3 < u8 > > as __p::SaveField < __p::mode::Compressed >>
        ::NESTED_NIL,
        "an Option of a value that can itself be nil cannot be told from None"
    );
    const _: () = ::core::assert!(
        ! < f64 as __p::SaveField < __p::mode::Native >> ::NESTED_NIL,
        "an Option of a value that can itself be nil cannot be told from None"
    );
};
