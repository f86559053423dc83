//! Writing a value of a state.

use super::mode::Native;
use super::sink::{ListSink, MapSink, Ref, SaveOnce, Sink};

/// A type that can be written to a checkpoint in the mode `M`.
///
/// `#[derive(Checkpoint)]` implements it. By hand it is a matter of naming the entries:
///
/// ```
/// use npcodec::checkpoint::{MapSink, Ref, Save, Sink};
/// use npcodec::Checkpoint;
///
/// struct Counter(u64);
///
/// impl Save for Counter {
///     fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
///         let mut map = sink.map(1)?;
///         map.entry("count".into(), Ref::<_, npcodec::with::Native>::new(&self.0))?;
///         map.end()
///     }
/// }
///
/// let dict = Counter(7).to_state_dict()?;
/// assert_eq!(dict.get("count"), Some(&7.into()));
/// # Ok::<(), npcodec::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved in a checkpoint as `{M}`",
    label = "not a type of checkpoints in this form",
    note = "derive `Checkpoint` for it, or give the field `#[checkpoint(serde)]`, `with` or `skip`",
    note = "a row, which derives `Structured`, is a field with `#[checkpoint(scalar)]`, or in a `Vec` with `array`",
    note = "`compress`, `scalar`, `integer`, `array` and `width` reach through containers to the types they are for"
)]
pub trait Save<M = Native> {
    /// True for types that may be written as nil: `Option`, `()`, unit structs.
    const NULLABLE: bool = false;
    /// True for types that hold an `Option` of something that may be nil itself.
    const NESTED_NIL: bool = false;

    /// Writes the value.
    ///
    /// # Errors
    /// Those of the sink, and what cannot be written: too long, nested nil, mistakable maps.
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error>;

    /// Writes items that fill a block of the given extents, the last axis fastest.
    ///
    /// Lists of lists for most types; byte strings for `u8`; one array where the mode asks for it.
    ///
    /// # Errors
    /// Those of the items.
    fn save_block<'a, S: Sink<'a>>(
        items: &'a [Self],
        extents: &[usize],
        sink: S,
    ) -> Result<S::Ok, S::Error>
    where
        Self: Sized,
    {
        save_list(items, extents, sink)
    }

    /// Writes a block that lies in two halves, each of whole rows, as it would be written in one.
    ///
    /// # Errors
    /// Those of the items.
    #[doc(hidden)]
    fn save_split<'a, S: Sink<'a>>(
        halves: [&'a [Self]; 2],
        extents: &[usize],
        sink: S,
    ) -> Result<S::Ok, S::Error>
    where
        Self: Sized,
    {
        save_split_list(halves, extents, sink)
    }
}

/// Writes a block as lists of lists.
pub(crate) fn save_list<'a, T: Save<M>, M, S: Sink<'a>>(
    items: &'a [T],
    extents: &[usize],
    sink: S,
) -> Result<S::Ok, S::Error> {
    save_split_list([items, &[]], extents, sink)
}

/// Writes a block that lies in two halves as lists of lists.
pub(crate) fn save_split_list<'a, T: Save<M>, M, S: Sink<'a>>(
    [front, back]: [&'a [T]; 2],
    extents: &[usize],
    sink: S,
) -> Result<S::Ok, S::Error> {
    match extents {
        [] | [_] => {
            let mut list = sink.list(front.len() + back.len())?;
            for item in front.iter().chain(back) {
                list.item(Ref::new(item))?;
            }
            list.end()
        }
        [outer, inner @ ..] => {
            let mut list = sink.list(*outer)?;
            let step = inner.iter().product::<usize>();
            for row in 0..*outer {
                let start = row * step;
                let items = match start.checked_sub(front.len()) {
                    Some(start) => &back[start..][..step],
                    None => &front[start..][..step],
                };
                list.item(Row::<T, M>(items, inner, std::marker::PhantomData))?;
            }
            list.end()
        }
    }
}

/// One row of a block.
struct Row<'r, 'a, T, M>(&'a [T], &'r [usize], std::marker::PhantomData<M>);

impl<'a, T: Save<M>, M> SaveOnce<'a> for Row<'_, 'a, T, M> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        T::save_block(self.0, self.1, sink)
    }
}

/// A type whose entries can stand in the map of another: what `flatten` takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be flattened",
    label = "not a named struct or a map",
    note = "`flatten` takes structs with named fields that derive `Checkpoint`, and maps"
)]
pub trait SaveFields {
    /// Returns how many entries there are.
    fn count(&self) -> usize;

    /// Writes the entries.
    ///
    /// # Errors
    /// Those of the values.
    fn save_fields<'a, S: MapSink<'a>>(&'a self, map: &mut S) -> Result<(), S::Error>;
}
