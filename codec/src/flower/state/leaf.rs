//! Values that a record of settings has a form for.

use crate::encoding::Integer;
use crate::flower::ConfigValue;
use crate::flower::number::widen;
use crate::state::Value;

/// Returns the one value that a list of values of one kind is, if it is one. A list without items is.
pub(super) fn list(items: &[Value<'_>]) -> Option<ConfigValue> {
    let Some(first) = items.first() else {
        return Some(ConfigValue::BoolList(Vec::new()));
    };
    match first {
        Value::Bool(_) => all(items, |item| match item {
            Value::Bool(value) => Some(*value),
            _ => None,
        })
        .map(ConfigValue::BoolList),
        Value::Integer(_) => all(items, |item| match item {
            Value::Integer(Integer::Signed(value)) => Some(*value),
            _ => None,
        })
        .map(ConfigValue::IntList)
        .or_else(|| all(items, unsigned).map(ConfigValue::UintList)),
        Value::Float32(_) | Value::Float64(_) => all(items, |item| match item {
            Value::Float32(value) => Some(widen(*value)),
            Value::Float64(value) => Some(*value),
            _ => None,
        })
        .map(ConfigValue::FloatList),
        Value::String(_) => all(items, |item| match item {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        })
        .map(ConfigValue::StrList),
        Value::Bytes(_) => all(items, |item| match item {
            Value::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        })
        .map(ConfigValue::BytesList),
        _ => None,
    }
}

fn all<'v, 'a, T>(
    items: &'v [Value<'a>],
    of: impl Fn(&'v Value<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    items.iter().map(of).collect()
}

fn unsigned(item: &Value<'_>) -> Option<u64> {
    match item {
        Value::Integer(Integer::Signed(value)) => u64::try_from(*value).ok(),
        Value::Integer(Integer::Unsigned(value)) => Some(*value),
        _ => None,
    }
}
