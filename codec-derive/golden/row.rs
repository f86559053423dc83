const _: () = {
    use ::npcodec::__private as __p;
    #[doc(hidden)]
    pub struct __Reader
    where
        i32: __p::Element,
        [f32; 3]: __p::Element,
    {
        __column0: __p::row::Column<<i32 as __p::Element>::Reader>,
        __column1: __p::row::Column<<[f32; 3] as __p::Element>::Reader>,
    }
    #[automatically_derived]
    impl __p::Element for Transition
    where
        i32: __p::Element,
        [f32; 3]: __p::Element,
    {
        type Reader = __Reader;
        const SIZE: ::core::primitive::usize = __p::row::Layout::packed([
                (<i32 as __p::Element>::SIZE, <i32 as __p::Element>::ALIGN),
                (<[f32; 3] as __p::Element>::SIZE, <[f32; 3] as __p::Element>::ALIGN),
            ])
            .size;
        const ALIGN: ::core::primitive::usize = __p::row::Layout::packed([
                (<i32 as __p::Element>::SIZE, <i32 as __p::Element>::ALIGN),
                (<[f32; 3] as __p::Element>::SIZE, <[f32; 3] as __p::Element>::ALIGN),
            ])
            .align;
        fn dtype() -> __p::DType {
            let mut __columns = __p::Vec::new();
            __columns.push(__p::row::column::<i32>("action"));
            __columns.push(__p::row::column::<[f32; 3]>("xyz"));
            __p::row::dtype::<Self>(__columns, false)
        }
        fn reader(
            __dtype: &__p::DType,
            __cast: __p::Cast,
        ) -> ::core::result::Result<<Self as __p::Element>::Reader, __p::ReaderError> {
            let mut __columns = __p::row::Columns::of::<Self>(__dtype, __cast)?;
            let __column0 = __columns.column::<i32>("action");
            let __column1 = __columns.column::<[f32; 3]>("xyz");
            __columns
                .finish(
                    (|| ::core::option::Option::Some(__Reader {
                        __column0: __column0?,
                        __column1: __column1?,
                    }))(),
                )
        }
        fn read(
            __reader: &<Self as __p::Element>::Reader,
            __item: &[::core::primitive::u8],
        ) -> ::core::result::Result<Self, __p::InvalidItem> {
            ::core::result::Result::Ok(Self {
                action: __reader.__column0.read::<i32>(__item)?,
                position: __reader.__column1.read::<[f32; 3]>(__item)?,
            })
        }
        fn write(&self, __item: &mut [::core::primitive::u8]) {
            let __layout = const {
                __p::row::Layout::packed([
                    (<i32 as __p::Element>::SIZE, <i32 as __p::Element>::ALIGN),
                    (<[f32; 3] as __p::Element>::SIZE, <[f32; 3] as __p::Element>::ALIGN),
                ])
            };
            if __item.len() == __layout.size {
                <i32 as __p::Element>::write(
                    &self.action,
                    __layout.column_mut(0usize, __item),
                );
                <[f32; 3] as __p::Element>::write(
                    &self.position,
                    __layout.column_mut(1usize, __item),
                );
            }
        }
        fn accepts_all(
            __reader: &<Self as __p::Element>::Reader,
        ) -> ::core::primitive::bool {
            __reader.__column0.accepts_all::<i32>()
                && __reader.__column1.accepts_all::<[f32; 3]>()
        }
        fn check(
            __reader: &<Self as __p::Element>::Reader,
            __items: __p::Items<'_>,
        ) -> ::core::result::Result<(), __p::InvalidItem> {
            if <Self as __p::Element>::accepts_all(__reader) {
                return ::core::result::Result::Ok(());
            }
            __p::row::check(
                __items,
                |__item| {
                    __reader.__column0.check::<i32>(__item)?;
                    __reader.__column1.check::<[f32; 3]>(__item)?;
                    ::core::result::Result::Ok(())
                },
            )
        }
    }
    #[automatically_derived]
    impl __p::Save<__p::Deep<__p::form::Scalar>> for Transition
    where
        i32: __p::Element,
        [f32; 3]: __p::Element,
    {
        fn save<'__a, __S: __p::Sink<'__a>>(
            &'__a self,
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::save_scalar(self, __sink)
        }
    }
    #[automatically_derived]
    impl<'__de> __p::Restore<'__de, __p::Deep<__p::form::Scalar>> for Transition
    where
        i32: __p::Element,
        [f32; 3]: __p::Element,
    {
        fn restore<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
            __p::restore_scalar(__deserializer, __cx)
        }
        const REPLACED: ::core::primitive::bool = true;
    }
    #[automatically_derived]
    impl __p::Save<__p::Deep<__p::form::Array>> for Transition
    where
        i32: __p::Element,
        [f32; 3]: __p::Element,
    {
        fn save<'__a, __S: __p::Sink<'__a>>(
            &'__a self,
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::save_scalar(self, __sink)
        }
        fn save_block<'__a, __S: __p::Sink<'__a>>(
            __items: &'__a [Self],
            __extents: &[::core::primitive::usize],
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::save_rows(__items, __extents, ::core::option::Option::None, __sink)
        }
        fn save_split<'__a, __S: __p::Sink<'__a>>(
            __halves: [&'__a [Self]; 2],
            __extents: &[::core::primitive::usize],
            __sink: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            __p::save_split_rows(
                __halves,
                __extents,
                ::core::option::Option::None,
                __sink,
            )
        }
    }
    #[automatically_derived]
    impl<'__de> __p::Restore<'__de, __p::Deep<__p::form::Array>> for Transition
    where
        i32: __p::Element,
        [f32; 3]: __p::Element,
    {
        fn restore<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<Self>, __D::Error> {
            __p::restore_scalar(__deserializer, __cx)
        }
        fn restore_block<__D: __p::serde::Deserializer<'__de>>(
            __deserializer: __D,
            __extents: &[::core::option::Option<::core::primitive::usize>],
            __cx: &__p::Context<'_>,
        ) -> ::core::result::Result<::core::option::Option<__p::Vec<Self>>, __D::Error> {
            __p::restore_rows(__deserializer, __extents, __cx)
        }
        fn stage_block<'__s>(
            __items: &'__s mut [Self],
            __extents: &[::core::primitive::usize],
            __value: &__p::Value<'__de>,
            __cx: &__p::Context<'_>,
            __plan: &mut __p::Plan<'__s>,
        )
        where
            '__de: '__s,
        {
            __p::stage_rows(__items, __extents, __value, __cx, __plan)
        }
    }
};
