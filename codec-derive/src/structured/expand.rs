//! The `Element` impl of a row.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, Path, Type};

use super::row::{Column, Row};

/// Returns the generics with every type parameter bound to be an element, and every column.
///
/// Asked of the columns here, the question has one answer at most, and not one for each use.
pub(super) fn bound(generics: &Generics, columns: &[&Type]) -> Generics {
    let mut bound = generics.clone();
    let types: Vec<_> = generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            _ => None,
        })
        .collect();
    let predicates = &mut bound.make_where_clause().predicates;
    for ident in types {
        predicates.push(syn::parse_quote!(#ident: __p::Element));
    }
    for ty in columns {
        // At the type, with the names of the derive: where the compiler says what it misses.
        let here = Span::call_site().located_at(ty.span());
        predicates.push(syn::parse_quote_spanned!(here=> #ty: __p::Element));
    }
    bound
}

pub(super) fn expand(row: &Row<'_>, library: &Path) -> TokenStream {
    let Row {
        ident,
        generics,
        columns,
        align,
    } = row;
    let types: Vec<_> = columns.iter().map(|column| column.ty).collect();
    let generics = bound(generics, &types);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let layout = layout(&types, *align);
    let state = super::state::impls(ident, &generics);
    let names: Vec<_> = columns.iter().map(|column| &column.name).collect();
    let found: Vec<_> = (0..columns.len())
        .map(|position| format_ident!("__column{position}"))
        .collect();
    let reader = reader(columns, &found);
    let read = columns.iter().zip(&found).map(|(column, found)| {
        let (field, ty) = (column.ident, column.ty);
        quote!(#field: __reader.#found.read::<#ty>(__item)?)
    });
    let write = columns.iter().enumerate().map(|(position, column)| {
        let (field, ty) = (column.ident, column.ty);
        quote! {
            <#ty as __p::Element>::write(&self.#field, __layout.column_mut(#position, __item));
        }
    });

    quote! {
        const _: () = {
            use #library::__private as __p;

            // Public, or else the columns of private types would have to be so.
            #[doc(hidden)]
            pub struct __Reader #impl_generics #where_clause {
                #(#found: __p::row::Column<<#types as __p::Element>::Reader>,)*
            }

            #[automatically_derived]
            impl #impl_generics __p::Element for #ident #type_generics #where_clause {
                type Reader = __Reader #type_generics;

                const SIZE: ::core::primitive::usize = #layout.size;
                const ALIGN: ::core::primitive::usize = #layout.align;

                fn dtype() -> __p::DType {
                    let mut __columns = __p::Vec::new();
                    #(__columns.push(__p::row::column::<#types>(#names));)*
                    __p::row::dtype::<Self>(__columns, #align)
                }

                #reader

                fn read(
                    __reader: &<Self as __p::Element>::Reader,
                    __item: &[::core::primitive::u8],
                ) -> ::core::result::Result<Self, __p::InvalidItem> {
                    ::core::result::Result::Ok(Self { #(#read,)* })
                }

                fn write(&self, __item: &mut [::core::primitive::u8]) {
                    let __layout = const { #layout };
                    if __item.len() == __layout.size {
                        #(#write)*
                    }
                }

                fn accepts_all(
                    __reader: &<Self as __p::Element>::Reader,
                ) -> ::core::primitive::bool {
                    #(__reader.#found.accepts_all::<#types>())&&*
                }

                fn check(
                    __reader: &<Self as __p::Element>::Reader,
                    __items: __p::Items<'_>,
                ) -> ::core::result::Result<(), __p::InvalidItem> {
                    if <Self as __p::Element>::accepts_all(__reader) {
                        return ::core::result::Result::Ok(());
                    }
                    __p::row::check(__items, |__item| {
                        #(__reader.#found.check::<#types>(__item)?;)*
                        ::core::result::Result::Ok(())
                    })
                }
            }

            #state
        };
    }
}

fn layout(types: &[&Type], align: bool) -> TokenStream {
    let arrangement = if align {
        quote!(aligned)
    } else {
        quote!(packed)
    };
    quote! {
        __p::row::Layout::#arrangement([
            #((<#types as __p::Element>::SIZE, <#types as __p::Element>::ALIGN),)*
        ])
    }
}

fn reader(columns: &[Column<'_>], found: &[Ident]) -> TokenStream {
    let resolve = columns.iter().zip(found).map(|(column, found)| {
        let (ty, name) = (column.ty, &column.name);
        quote!(let #found = __columns.column::<#ty>(#name);)
    });
    quote! {
        fn reader(
            __dtype: &__p::DType,
            __cast: __p::Cast,
        ) -> ::core::result::Result<<Self as __p::Element>::Reader, __p::ReaderError> {
            let mut __columns = __p::row::Columns::of::<Self>(__dtype, __cast)?;
            #(#resolve)*
            __columns.finish((|| ::core::option::Option::Some(__Reader { #(#found: #found?,)* }))())
        }
    }
}
