//! The header in the data of an array, compared with the fields and the bytes beside it.

use super::{Array, NUMPY};
use crate::dtype::{DType, Order};
use crate::error::{Error, ErrorKind, FlowerError, Shape};
use crate::formats::npy::header::{self, LONGEST};

/// What the first bytes of an `.npy` file that can be read may be: a header of version 3 with as many
/// characters of four bytes.
const PREFIX: usize = 12 + 4 * LONGEST;

/// What the header of an array's data says, once it has been compared with everything else.
pub(super) struct Header {
    pub(super) dtype: DType,
    pub(super) shape: Vec<usize>,
    pub(super) order: Option<Order>,
    /// How many bytes come before the payload.
    pub(super) payload: usize,
}

impl Array<'_> {
    /// Reads the header in the data.
    pub(super) fn header(&self) -> Result<Header, Error> {
        if self.stype() != NUMPY {
            let stype = self.stype().to_owned();
            return Err(FlowerError::Serialization { stype }.into());
        }
        let header = header::Header::read(&self.data().prefix(PREFIX))?;
        let expected = header.byte_len()?;
        let found = self.data().len() - header.payload;
        let dtype = self.agreed(&header)?;
        if found > expected {
            let count = found - expected;
            return Err(ErrorKind::TrailingBytes { count }.into());
        }
        if found < expected {
            return Err(ErrorKind::PayloadLength {
                shape: header.shape,
                dtype: dtype.text(),
                expected,
                found,
            }
            .into());
        }
        let order = if header.fortran_order {
            Order::F
        } else {
            Order::C
        };
        Ok(Header {
            dtype,
            order: is_labelled(&header.shape).then_some(order),
            shape: header.shape,
            payload: header.payload,
        })
    }

    /// Returns the dtype of which header and fields agree.
    fn agreed(&self, header: &header::Header) -> Result<DType, Error> {
        // Flower's older interface leaves the fields empty.
        if self.dtype().is_empty() && self.shape().is_empty() {
            return Ok(header.dtype.clone());
        }
        if self.shape() != header.shape {
            let stated = Shape(self.shape()).to_string();
            return Err(field("shape", stated, Shape(&header.shape).to_string()));
        }
        let name = DType::from_name(self.dtype());
        let dtype = name.and_then(|name| header.dtype.named(&name));
        dtype.ok_or_else(|| field("dtype", self.dtype().to_owned(), header.dtype.name()))
    }
}

fn field(field: &'static str, stated: String, header: String) -> Error {
    FlowerError::Field {
        field,
        stated,
        header,
    }
    .into()
}

/// True for arrays whose items lie differently in the two orders.
fn is_labelled(shape: &[usize]) -> bool {
    shape.iter().filter(|&&length| length > 1).count() > 1 && !shape.contains(&0)
}

/// NumPy's `fortran_order`: true only where memory is column-major and not row-major.
pub(super) fn is_by_columns(shape: &[usize], order: Option<Order>) -> bool {
    order == Some(Order::F) && is_labelled(shape)
}
