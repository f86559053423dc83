//! The words of every refusal.

use super::ReplayError as E;

macro_rules! kinds {
    ($($kind:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($kind)),*];

        fn name(error: &E) -> &'static str {
            match error {
                $(E::$kind { .. } => stringify!($kind),)*
            }
        }
    };
}

kinds! {
    NotDrawable UniformRange IntegersHigh NoKeys SampleSize UnknownKey MissingElement LargeKey
    Priority PriorityCount TreeCapacity TreeFull TreeNode Drift ZeroProbability StaleIndex
    NotPositive Shapes Configuration ElementCount KeyOrder AddCount CountOfAdded Carried NoTreedef Version
}

#[test]
fn every_refusal_has_its_words() {
    let text = |text: &str| text.to_owned();
    let (low, high) = (0.0, -0.5);
    let table = [
        (
            E::NotDrawable {
                bit_generator: text("MT\n"),
            },
            "the state of a generator \"MT\\n\" is carried along, only PCG64 is drawn from",
        ),
        (
            E::UniformRange { low, high },
            "no floats can be drawn from 0 up to -0.5",
        ),
        (
            E::IntegersHigh { high: 0 },
            "integers are drawn below a bound of 1 to 2^63, not below 0",
        ),
        (E::NoKeys, "there are no keys to sample from"),
        (
            E::SampleSize { size: 3, count: 2 },
            "a sample of 3 cannot be drawn from 2 keys",
        ),
        (E::UnknownKey { key: 7 }, "the sampler does not hold key 7"),
        (
            E::MissingElement { key: 7 },
            "key 7 was sampled, and the memory has no element under it",
        ),
        (
            E::LargeKey { key: 1 << 31 },
            "key 2147483648 was sampled, and does not fit the int32 that Dopamine's samples are",
        ),
        (
            E::Priority { priority: -1.0 },
            "expected a priority of 0 or more, found -1",
        ),
        (
            E::PriorityCount {
                keys: 2,
                priorities: 1,
            },
            "1 priorities for 2 keys",
        ),
        (
            E::TreeCapacity { capacity: 0 },
            "a sum tree cannot have 0 leaves",
        ),
        (
            E::TreeFull { leaves: 8 },
            "all 8 leaves of the sum tree are taken, and a key is added before the oldest goes (its \
             capacity has to be larger than the buffer's)",
        ),
        (
            E::TreeNode {
                node: 3,
                value: f64::NAN,
            },
            "node 3 of the sum tree is NaN",
        ),
        (
            E::Drift {
                node: 1,
                sum: 0.5,
                target: 0.75,
            },
            "the sum tree has drifted: 0.75 was drawn at node 1, which holds 0.5",
        ),
        (
            E::ZeroProbability { key: 7 },
            "the sum tree has drifted: key 7 was drawn, whose priority is 0",
        ),
        (
            E::StaleIndex { key: 7 },
            "the index of key 7 is stale, as sorted samples leave it: another key would be removed",
        ),
        (
            E::NotPositive { what: "stack_size" },
            "stack_size must be 1 or more",
        ),
        (
            E::Shapes {
                expected: vec![2, 2],
                found: vec![3],
            },
            "an array of shape (3,) cannot be stacked on one of shape (2, 2)",
        ),
        (
            E::Configuration {
                given: text("a"),
                found: text("b"),
            },
            "a was given, and the file holds b",
        ),
        (
            E::ElementCount {
                keys: 3,
                elements: 2,
            },
            "the memory has 3 keys and 2 elements",
        ),
        (E::KeyOrder { key: 3, after: 3 }, "key 3 stands after key 3"),
        (
            E::AddCount {
                add_count: 5,
                key: 7,
            },
            "key 7 cannot be there where `add_count` is 5",
        ),
        (
            E::CountOfAdded { add_count: -1 },
            "`add_count` is from 0 to 2^62, and not -1",
        ),
        (
            E::Carried,
            "elements of this structure are carried along, none can be made of transitions",
        ),
        (
            E::NoTreedef,
            "there is no treedef for elements of this type",
        ),
        (
            E::Version { text: text("0.4") },
            "no treedefs are known for version \"0.4\"",
        ),
    ];
    for (error, words) in &table {
        assert_eq!(error.to_string(), *words);
    }
    let listed: Vec<_> = table.iter().map(|(error, _)| name(error)).collect();
    assert_eq!(listed, NAMES);
}
