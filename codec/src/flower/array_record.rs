//! The record of arrays: the parameters of a model.

use ndarray::Dimension;

use super::config::characters;
use super::object::{Inflatable, Object, sealed};
use super::typed_dict::record;
use super::walk::{Origin, Walk};
use super::{Array, Class, ObjectId, TypedDict};
use crate::array::ArrayElement;
use crate::dtype::Element;
use crate::error::{Error, ErrorKind, UnsupportedLeaf};
use crate::path::{Path, Segment};
use crate::state::{Key, StateDict, Value};

/// A map of names to arrays, as Flower's `ArrayRecord`.
///
/// The order is that of insertion, and a part of the object id; `==` does not look at it. Making one of
/// arrays, and cloning one, copies no data: clones are Flower's `copy`, shallow, each array shared until
/// it is changed.
///
/// ```
/// use npcodec::flower::{Array, ArrayRecord};
/// use npcodec::ndarray::array;
///
/// let list = [Array::from_ndarray(array![1f32, 2.0])?, Array::from_ndarray(array![true])?];
/// let record = ArrayRecord::from_list(list);
/// assert_eq!(record.keys().collect::<Vec<_>>(), ["0", "1"]);
/// assert_eq!(record.count_bytes(), 128 + 8 + 1 + 128 + 1 + 1); // headers, items and keys
/// # Ok::<(), npcodec::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ArrayRecord<'a>(pub(super) TypedDict<Array<'a>>, pub(super) Origin);

record!(ArrayRecord<'a>, Array<'a>; 'a);

impl<'a> ArrayRecord<'a> {
    /// Makes a record of arrays under the keys `0`, `1` and so on, as Flower does of a list.
    #[must_use]
    pub fn from_list(arrays: impl IntoIterator<Item = Array<'a>>) -> Self {
        let arrays = arrays.into_iter().enumerate();
        arrays
            .map(|(index, array)| (index.to_string(), array))
            .collect()
    }

    /// Reads all arrays in their order, each into memory of its own, as Flower's `to_numpy_ndarrays` does.
    ///
    /// # Errors
    /// Those of [`Array::to_ndarray`], with the key.
    pub fn to_ndarrays<T: ArrayElement, D: Dimension>(
        &self,
    ) -> Result<Vec<ndarray::Array<T, D>>, Error> {
        let arrays = self.iter().map(|(key, array)| {
            let array = array.to_ndarray();
            array.map_err(|error| super::protobuf::under(error, key))
        });
        arrays.collect()
    }

    /// Takes all arrays out in their order, with the memory of those that nobody else has: Flower's
    /// `to_numpy_ndarrays(keep_input=False)`.
    ///
    /// # Errors
    /// Those of [`Array::into_ndarray`], with the key.
    pub fn into_ndarrays<T: Element, D: Dimension>(
        self,
    ) -> Result<Vec<ndarray::Array<T, D>>, Error> {
        let arrays = self.into_iter().map(|(key, array)| {
            let array = array.into_ndarray();
            array.map_err(|error| super::protobuf::under(error, &key))
        });
        arrays.collect()
    }

    /// Makes a record of a flat map of arrays under text keys; payloads are borrowed if they were.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] with every entry that is none; those of
    /// [`Array::from_encoding`], with the key.
    pub fn from_state_dict(dict: StateDict<'a>) -> Result<Self, Error> {
        let mut leaves = Vec::new();
        for (key, value) in &dict {
            let (segment, reason) = match (key, value) {
                (Key::String(_), Value::Array(_)) => continue,
                (Key::String(key), _) => {
                    (Segment::Key(key.to_string()), "an ArrayRecord holds arrays")
                }
                (Key::Integer(key), _) => {
                    (Segment::Index(*key), "the keys of an ArrayRecord are texts")
                }
            };
            let path = Path::root().join(segment);
            leaves.push(UnsupportedLeaf::new(path, value.kind(), reason));
        }
        if !leaves.is_empty() {
            let format = super::protobuf::FORMAT;
            return Err(ErrorKind::Unsupported { format, leaves }.into());
        }
        let mut record = Self::new();
        for (key, value) in dict {
            if let (Key::String(key), Value::Array(encoding)) = (key, value) {
                let array = Array::from_encoding(encoding);
                let array = array.map_err(|error| super::protobuf::under(error, &key))?;
                record.insert(key, array);
            }
        }
        Ok(record)
    }

    /// Returns the arrays as a flat map of their wire forms, which borrow the payloads.
    ///
    /// # Errors
    /// Those of [`Array::to_encoding`], with the key.
    pub fn to_state_dict(&self) -> Result<StateDict<'_>, Error> {
        let mut dict = StateDict::new();
        for (key, array) in self.iter() {
            let encoding = array.to_encoding();
            dict.insert(
                key,
                encoding.map_err(|error| super::protobuf::under(error, key))?,
            );
        }
        Ok(dict)
    }

    /// Takes all arrays out as a flat map of their wire forms, one after the other, with the payloads that
    /// [`from_state_dict`](Self::from_state_dict) was given: Flower's
    /// `to_torch_state_dict(keep_input=False)`.
    ///
    /// ```
    /// use npcodec::flower::ArrayRecord;
    /// use npcodec::{NumpyEncoding, StateDict};
    ///
    /// let mut dict = StateDict::new();
    /// dict.insert("bias", NumpyEncoding::new(vec![1], vec![0, 0, 128, 63], "'<f4'", None)?);
    /// let record = ArrayRecord::from_state_dict(dict.clone())?; // takes the bytes over
    /// assert_eq!(record.into_state_dict()?, dict); // and gives them back
    /// # Ok::<(), npcodec::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Array::into_encoding`], with the key.
    pub fn into_state_dict(self) -> Result<StateDict<'a>, Error> {
        let mut dict = StateDict::new();
        for (key, array) in self {
            let encoding = array.into_encoding();
            let encoding = encoding.map_err(|error| super::protobuf::under(error, &key))?;
            dict.insert(key, encoding);
        }
        Ok(dict)
    }

    /// Returns the number of bytes that Flower counts: those of the data, headers included, and the
    /// characters of the keys.
    #[must_use]
    pub fn count_bytes(&self) -> u64 {
        // The same bytes may be there more often than memory has room for.
        let entries = self.iter();
        entries
            .map(|(key, array)| characters(key).saturating_add(array.data().len() as u64))
            .fold(0, u64::saturating_add)
    }

    /// Returns the same record with memory of its own for what was borrowed.
    #[must_use]
    pub fn into_owned(self) -> ArrayRecord<'static> {
        let Self(arrays, origin) = self;
        let arrays = arrays.into_iter();
        let arrays = arrays.map(|(key, array)| (key, array.into_owned()));
        ArrayRecord(arrays.collect(), origin)
    }

    fn entries(&self, mut id: impl FnMut(&Array<'a>) -> ObjectId) -> Vec<(&str, ObjectId)> {
        self.iter().map(|(key, array)| (key, id(array))).collect()
    }
}

impl ArrayRecord<'static> {
    /// Makes a record that takes over the memory of arrays, under the keys `0`, `1` and so on.
    ///
    /// ```
    /// use npcodec::flower::ArrayRecord;
    /// use npcodec::ndarray::{Array1, array};
    ///
    /// let record = ArrayRecord::from_ndarrays([array![1f32, 2.0], array![3.0]])?;
    /// let arrays: Vec<Array1<f32>> = record.into_ndarrays()?;
    /// assert_eq!(arrays, [array![1f32, 2.0], array![3.0]]);
    /// # Ok::<(), npcodec::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Array::from_ndarray`].
    pub fn from_ndarrays<T: Element, D: Dimension>(
        arrays: impl IntoIterator<Item = ndarray::Array<T, D>>,
    ) -> Result<Self, Error> {
        let arrays = arrays.into_iter().map(Array::from_ndarray);
        let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_list(arrays))
    }
}

impl sealed::Sealed for ArrayRecord<'_> {}

impl<'a> Inflatable<'a> for ArrayRecord<'a> {
    const CLASS: Class = Class::ArrayRecord;

    fn known_id(&self) -> Option<ObjectId> {
        self.1.found()?;
        let known = self
            .iter()
            .map(|(key, array)| Some((key, array.known_id()?)));
        let entries = known.collect::<Option<Vec<_>>>()?;
        self.1.of_entries(&entries).map(|found| found.id)
    }

    fn walk(&self, walk: &mut Walk<'_, 'a>) -> ObjectId {
        let entries = self.entries(|array| array.walk(walk));
        walk.record(Class::ArrayRecord, &self.1, &entries)
    }

    fn child_objects(&self, _: &Walk<'_, 'a>) -> Vec<Object<'a>> {
        self.values().cloned().map(Object::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flower::Data;

    /// 2^18 arrays of 2^20 times the same 2^26 bytes.
    #[test]
    fn more_bytes_than_can_be_counted_are_the_most() {
        let mut data = Data::from(vec![0; 1 << 26]);
        for _ in 0..20 {
            let twice = data.clone();
            data.append(twice);
        }
        let array = Array::new("x", [], "s", data);
        let entries = (0..1 << 18).map(|number: u32| (number.to_string(), array.clone()));
        assert_eq!(entries.collect::<ArrayRecord<'_>>().count_bytes(), u64::MAX);
    }
}
