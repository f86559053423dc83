//! Work on many arrays, by several threads where the feature `rayon` is on.

/// Maps all items, in order.
#[cfg(feature = "rayon")]
pub(crate) fn map_all<A: Send, B: Send>(
    items: Vec<A>,
    map: impl Fn(A) -> B + Sync + Send,
) -> Vec<B> {
    use rayon::iter::{IntoParallelIterator, ParallelIterator};
    items.into_par_iter().map(map).collect()
}

/// Maps all items, in order.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map_all<A, B>(items: Vec<A>, map: impl Fn(A) -> B) -> Vec<B> {
    items.into_iter().map(map).collect()
}
