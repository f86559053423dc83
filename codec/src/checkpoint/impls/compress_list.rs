//! Lists of arrays to compressed records: several at once, where there are several threads.

use std::cell::{Cell, OnceCell};

use ndarray::{ArrayBase, ArrayView, Data, Dimension};

use super::compressed::outline;
use crate::checkpoint::sink::{ListSink, SaveOnce, Sink};
use crate::dtype::PlainElement;
use crate::encoding::{NumpyEncoding, compress, map_all};
use crate::error::Error;

/// How many bytes of arrays are compressed at a time: more would keep threads no busier, and the
/// records wait in memory until they are written.
const BATCH: usize = 4 << 20;

/// Writes a list of records.
pub(super) fn save_list<'a, T: PlainElement, S: Data<Elem = T>, D: Dimension, K: Sink<'a>>(
    arrays: &'a [ArrayBase<S, D>],
    sink: K,
) -> Result<K::Ok, K::Error> {
    let mut list = sink.list(arrays.len())?;
    let mut rest = arrays;
    while !rest.is_empty() {
        let (arrays, others) = rest.split_at(count(rest));
        let batch = Batch {
            arrays: arrays.iter().map(|array| array.view()).collect(),
            made: OnceCell::new(),
        };
        for index in 0..arrays.len() {
            list.item(Record(&batch, index))?;
        }
        rest = others;
    }
    list.end()
}

/// Returns how many arrays, one at least, are a batch.
fn count<T, S: Data<Elem = T>, D: Dimension>(arrays: &[ArrayBase<S, D>]) -> usize {
    let mut bytes: usize = 0;
    let fits = arrays.iter().take_while(|array| {
        bytes = bytes.saturating_add(array.len().saturating_mul(size_of::<T>()));
        bytes <= BATCH
    });
    fits.count().max(1)
}

type Made = Cell<Option<Result<NumpyEncoding<'static>, Error>>>;

/// Arrays that are compressed together, when the first of them is asked for.
struct Batch<'a, T, D> {
    arrays: Vec<ArrayView<'a, T, D>>,
    made: OnceCell<Vec<Made>>,
}

impl<T: PlainElement, D: Dimension> Batch<'_, T, D> {
    fn record(&self, index: usize) -> Result<NumpyEncoding<'static>, Error> {
        let one = |array: ArrayView<'_, T, D>| compress(&NumpyEncoding::from_array(array)?);
        let made = self.made.get_or_init(|| {
            let arrays = self.arrays.iter().map(|array| array.view()).collect();
            let made = map_all(arrays, one).into_iter();
            made.map(|record| Cell::new(Some(record))).collect()
        });
        let record = made.get(index).and_then(Cell::take);
        // A sink that asks twice gets it made again.
        record.unwrap_or_else(|| one(self.arrays[index].view()))
    }
}

/// One record of a batch.
struct Record<'b, 'a, T, D>(&'b Batch<'a, T, D>, usize);

impl<'s, T: PlainElement, D: Dimension> SaveOnce<'s> for Record<'_, '_, T, D> {
    fn save_once<K: Sink<'s>>(self, sink: K) -> Result<K::Ok, K::Error> {
        let Self(batch, index) = self;
        sink.array_outlined(|| outline(&batch.arrays[index]), || batch.record(index))
    }
}
