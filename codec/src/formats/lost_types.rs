//! Arrays that NumPy's files hold without saying of which type they are.

use std::collections::HashSet;

use crate::dtype::DType;
use crate::error::UnsupportedLeaf;
use crate::path::{Place, excerpt};
use crate::state::{Key, Value};

/// Adds the arrays of ml_dtypes's types to the leaves that one of NumPy's formats refuses.
pub(super) fn with_lost_types(
    mut leaves: Vec<UnsupportedLeaf>,
    value: &Value<'_>,
) -> Vec<UnsupportedLeaf> {
    let mut lost = Vec::new();
    walk(value, Place::Root, &mut lost);
    let refused: HashSet<_> = leaves.iter().map(|leaf| leaf.path.clone()).collect();
    leaves.extend(
        lost.into_iter()
            .filter(|leaf| !refused.contains(&leaf.path)),
    );
    leaves
}

fn walk(value: &Value<'_>, place: Place<'_>, leaves: &mut Vec<UnsupportedLeaf>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map {
                match key {
                    Key::String(key) => walk(value, Place::Key(&place, key), leaves),
                    Key::Integer(index) => walk(value, Place::Index(&place, *index), leaves),
                }
            }
        }
        Value::Array(array) if has_ml(array.dtype()) => {
            let found = format!("array of dtype {}", excerpt(array.dtype_text()));
            let reason = match array.dtype() {
                DType::Record(_) => "NumPy's files do not say of which types its fields are",
                _ => "NumPy's files do not say that it is of this type",
            };
            leaves.push(UnsupportedLeaf::new(place.path(), found, reason));
        }
        _ => {}
    }
}

/// Returns true for the types of ml_dtypes, and for records with fields of them.
fn has_ml(dtype: &DType) -> bool {
    match dtype {
        DType::Ml(_) => true,
        DType::Record(record) => record.fields().iter().any(|field| has_ml(field.dtype())),
        _ => false,
    }
}
