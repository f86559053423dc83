//! What of a state the options ask for.

use super::context::Context;
use crate::path::{Reach, reach};
use crate::state::Value;

impl Context<'_> {
    /// Returns true if the options ask for the value, or for something below it.
    ///
    /// What loads its parts in place by hand passes over those of which it is false: nil may stand for
    /// them.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.reach() != Reach::Outside
    }

    /// Returns true if the options ask for the whole value.
    pub(crate) fn is_selected(&self) -> bool {
        self.reach() == Reach::Selected
    }

    fn reach(&self) -> Reach {
        match &self.shared.options.only[..] {
            [] => Reach::Selected,
            only => reach(only, &self.place.path()),
        }
    }

    /// Returns true if the options ask for something that a value holds.
    pub(crate) fn holds_wanted(&self, value: &Value<'_>) -> bool {
        match (self.reach(), value) {
            (Reach::Above, Value::List(items)) => {
                let mut items = items.iter().enumerate();
                items.any(|(index, item)| self.item(index).holds_wanted(item))
            }
            (Reach::Above, Value::Map(map)) => map
                .iter()
                .any(|(key, value)| self.entry(key).holds_wanted(value)),
            (reach, _) => reach == Reach::Selected,
        }
    }
}
