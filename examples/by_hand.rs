//! Implements the traits by hand, for a state that a derive cannot see: layers behind `dyn`.

mod tree;

use npcodec::checkpoint::{
    Context, ListSink, MapSink, Plan, Restore, Save, SaveOnce, Sink, variant,
};
use npcodec::ndarray::{Array1, Array2, array};
use npcodec::{Checkpoint, Error, Path, ReadOptions, StateDict, Strictness, Value};

/// What the model knows of its layers. The last three are what a checkpoint needs.
trait Layer {
    fn forward(&self, input: &Array1<f32>) -> Array1<f32>;

    fn kind(&self) -> &'static str;
    fn value(&self) -> Result<Value<'_>, Error>;
    fn load<'s, 'de: 's>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>);
}

#[derive(Checkpoint)]
struct Dense {
    kernel: Array2<f32>,
    bias: Array1<f32>,
}

#[derive(Checkpoint)]
struct Scale {
    factor: f32,
}

macro_rules! layer {
    ($type:ty, $kind:literal, |$layer:ident, $input:ident| $forward:expr) => {
        impl Layer for $type {
            fn forward(&self, $input: &Array1<f32>) -> Array1<f32> {
                let $layer = self;
                $forward
            }

            fn kind(&self) -> &'static str {
                $kind
            }

            fn value(&self) -> Result<Value<'_>, Error> {
                self.to_value()
            }

            fn load<'s, 'de: 's>(
                &'s mut self,
                value: &Value<'de>,
                cx: &Context<'_>,
                plan: &mut Plan<'s>,
            ) {
                <Self as Restore<'de>>::stage(self, value, cx, plan);
            }
        }
    };
}

layer!(Dense, "dense", |layer, input| layer.kernel.dot(input)
    + &layer.bias);
layer!(Scale, "scale", |layer, input| input * layer.factor);

/// A list of layers, each a map of its kind to its state, as an enum would be.
struct Layers(Vec<Box<dyn Layer>>);

struct Entry<'a>(&'a dyn Layer);

impl<'a> SaveOnce<'a> for Entry<'a> {
    fn save_once<S: Sink<'a>>(self, sink: S) -> Result<S::Ok, S::Error> {
        match self.0.value() {
            Ok(state) => {
                let mut map = sink.map(1)?;
                map.entry(self.0.kind().into(), state)?;
                map.end()
            }
            Err(error) => Err(sink.fault(error)),
        }
    }
}

impl Save for Layers {
    fn save<'a, S: Sink<'a>>(&'a self, sink: S) -> Result<S::Ok, S::Error> {
        let mut list = sink.list(self.0.len())?;
        for layer in &self.0 {
            list.item(Entry(&**layer))?;
        }
        list.end()
    }
}

/// Makes the layer that a map of its kind to its state describes; `None` if the report says why not.
fn layer(entry: &Value<'_>, cx: &Context<'_>) -> Option<Box<dyn Layer>> {
    fn read<'de, T: Restore<'de> + Layer + 'static>(
        state: &Value<'de>,
        cx: &Context<'_>,
    ) -> Option<Box<dyn Layer>> {
        match T::restore(state.clone(), cx) {
            Ok(layer) => Some(Box::new(layer?)),
            Err(error) => {
                cx.refuse(error);
                None
            }
        }
    }

    match variant(entry) {
        Some(("dense", state)) => read::<Dense>(state, &cx.field("dense")),
        Some(("scale", state)) => read::<Scale>(state, &cx.field("scale")),
        Some((kind, _)) => {
            cx.mismatch("a dense or scale layer", format!("{kind:?}"));
            None
        }
        None => {
            cx.mismatch("a map of a layer's kind to its state", "something else");
            None
        }
    }
}

impl<'de> Restore<'de> for Layers {
    fn restore<D: serde::Deserializer<'de>>(
        from: D,
        cx: &Context<'_>,
    ) -> Result<Option<Self>, D::Error> {
        let Some(entries) = <Vec<Value<'de>> as Restore<'de>>::restore(from, cx)? else {
            return Ok(None);
        };
        // All of them are read before giving up, so that the report is whole.
        let layers: Vec<_> = (0..)
            .zip(&entries)
            .map(|(at, entry)| layer(entry, &cx.item(at)))
            .collect();
        Ok(layers.into_iter().collect::<Option<_>>().map(Layers))
    }

    fn stage<'s>(&'s mut self, value: &Value<'de>, cx: &Context<'_>, plan: &mut Plan<'s>)
    where
        'de: 's,
    {
        let entries = value
            .as_list()
            .filter(|entries| entries.len() == self.0.len());
        let Some(entries) = entries else {
            cx.mismatch(
                format!("a list of {} layers", self.0.len()),
                "something else",
            );
            return;
        };
        for (at, (layer, entry)) in self.0.iter_mut().zip(entries).enumerate() {
            let (cx, kind) = (cx.item(at), layer.kind());
            // Where only a part is loaded, nil stands for the layers that are no part of it.
            if !cx.is_wanted() {
                continue;
            }
            match variant(entry) {
                Some((found, state)) if found == kind => layer.load(state, &cx.field(kind), plan),
                _ => cx.mismatch(format!("a map of {kind:?} to its state"), "something else"),
            }
        }
    }
}

/// What holds them is derived as ever.
#[derive(Checkpoint)]
struct Model {
    layers: Layers,
    step: u64,
}

impl Model {
    fn forward(&self, input: &Array1<f32>) -> Array1<f32> {
        self.layers
            .0
            .iter()
            .fold(input.clone(), |x, layer| layer.forward(&x))
    }
}

fn model(factor: f32) -> Model {
    let dense = Dense {
        kernel: array![[1.0, 2.0], [3.0, 4.0]] * factor,
        bias: array![0.5, -0.5],
    };
    Model {
        layers: Layers(vec![Box::new(dense), Box::new(Scale { factor })]),
        step: 7,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let trained = model(2.0);
    let bytes = rmp_serde::to_vec(&trained)?;
    print!("{}", tree::columns(&tree::lines(&trained.to_value()?)));

    let input = array![1.0, -1.0];
    let fresh: Model = rmp_serde::from_slice(&bytes)?;
    assert_eq!(fresh.forward(&input), trained.forward(&input));

    let dict = trained.to_state_dict()?;
    let mut loaded = model(1.0);
    loaded.load_state_dict(&dict, Strictness::Strict)?;
    assert_eq!(loaded.forward(&input), trained.forward(&input));

    // A part of it alone: the factor of the second layer stays 1.
    let only = ReadOptions::new().only(["layers[0]".parse()?]);
    let mut first = model(1.0);
    first.load_state_dict_with(&dict, &only)?;
    assert_eq!(first.forward(&input) * 2.0, trained.forward(&input));

    // What is wrong with a layer is reported at its place, like anything else.
    let scale = Value::Map(StateDict::from_iter([(
        "scale",
        Value::Map(StateDict::from_iter([("factr", 1.0_f32)])),
    )]));
    let mut faulty = dict.borrowed();
    faulty.insert("layers", vec![Value::from(1), scale]);
    let error = Model::from_state_dict(faulty.borrowed())
        .map(drop)
        .expect_err("two faults");
    println!("{error}");
    let report = error.report().ok_or("a report")?;
    assert_eq!(report.mismatched[0].path.to_string(), "layers[0]");
    assert_eq!(report.missing, ["layers[1].scale.factor".parse::<Path>()?]);
    let mut untouched = model(1.0);
    assert!(
        untouched
            .load_state_dict(&faulty, Strictness::Strict)
            .is_err()
    );
    assert_eq!(untouched.forward(&input), model(1.0).forward(&input));

    println!("by_hand: the model that was read back computes what the saved one did");
    Ok(())
}
