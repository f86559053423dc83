//! Elements of any structure, which are carried along as the leaves that they are.

use serde::de::Deserializer;

use super::element::{Element, Transition};
use super::window::Window;
use super::wire::{self, part};
use crate::checkpoint::{Context, ListSink, Restore, Save, Sink};
use crate::error::{Error, ReplayError};
use crate::state::Value;

macro_rules! carried {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name(Vec<Value<'static>>);

        impl $name {
            /// Returns the leaves.
            #[must_use]
            pub fn leaves(&self) -> &[Value<'static>] {
                &self.0
            }
        }

        impl Save for $name {
            fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
                let mut list = sink.list(self.0.len())?;
                for leaf in &self.0 {
                    list.item(part(leaf))?;
                }
                list.end()
            }
        }

        impl<'de> Restore<'de> for $name {
            fn restore<D: Deserializer<'de>>(
                d: D,
                cx: &Context<'_>,
            ) -> Result<Option<Self>, D::Error> {
                let leaves: Option<Vec<Value<'de>>> = wire::restore(d, cx)?;
                let owned = |leaves: Vec<Value<'de>>| leaves.into_iter().map(Value::into_owned);
                Ok(leaves.map(|leaves| Self(owned(leaves).collect())))
            }
        }
    };
}

carried! {
    /// An element of any structure, such as one whose action is a tuple: it can be looked at,
    /// sampled and saved, and none can be made of transitions.
    CarriedElement
}

carried! {
    /// A step of any structure.
    CarriedTransition
}

/// Never asked: no element is made of such a step.
impl Transition for CarriedTransition {
    fn is_terminal(&self) -> bool {
        false
    }

    fn episode_end(&self) -> bool {
        false
    }
}

impl Element for CarriedElement {
    type Transition = CarriedTransition;
    type Batch = Vec<Self>;

    fn from_window(_: &Window<'_, CarriedTransition>) -> Result<Self, Error> {
        Err(ReplayError::Carried.into())
    }

    fn pack(self) -> Result<Self, Error> {
        Ok(self)
    }

    fn batch(elements: &[&Self]) -> Result<Vec<Self>, Error> {
        Ok(elements.iter().copied().cloned().collect())
    }

    fn batch_into(elements: &[&Self], batch: &mut Vec<Self>) -> Result<(), Error> {
        batch.clear();
        batch.extend(elements.iter().copied().cloned());
        Ok(())
    }
}
