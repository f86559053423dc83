//! The sum tree, node for node.

use npcodec::ndarray::ArrayView1;
use npcodec::replay::{Faults, ReplayError, SumTree};
use npcodec::{Error, ErrorKind, NumpyEncoding, Value};

use crate::json::{bits, float, floats, integer, list, read};

#[test]
fn every_node_is_the_one_that_dopamine_had() {
    let (mut sets, mut queries) = (0, 0);
    for recording in list(&read("sum_tree.json")) {
        let capacity = integer(&recording["capacity"]);
        let mut tree = SumTree::new(capacity).unwrap();
        assert_eq!(
            tree.nodes().len(),
            integer::<usize>(&recording["node_count"])
        );
        for call in list(&recording["ops"]) {
            if let Some(indices) = call.get("set") {
                let indices: Vec<usize> = list(indices).iter().map(integer).collect();
                let priorities = floats(&call["values"]);
                tree.set(&indices, &priorities, Faults::Refuse).unwrap();
                let nodes: Vec<_> = tree.nodes().iter().map(|node| bits(*node)).collect();
                assert_eq!(nodes, list(&call["nodes"]));
                assert_eq!(tree.max_recorded_priority(), float(&call["max"]));
                sets += 1;
            } else {
                let targets = floats(&call["query"]);
                let found = targets.iter().map(|target| tree.query(*target));
                match call.get("out") {
                    Some(out) => {
                        let found: Vec<_> = found.map(Result::unwrap).collect();
                        let out: Vec<usize> = list(out).iter().map(integer).collect();
                        assert_eq!(found, out);
                    }
                    None => assert!(found.into_iter().any(|found| found.is_err())),
                }
                queries += 1;
            }
        }
    }
    assert!(sets > 50 && queries > 50, "{sets} and {queries}");
}

#[test]
fn capacities_that_no_memory_has_are_refused_at_once() {
    for capacity in [0, 1 << 60, (1 << 63) + 1, usize::MAX] {
        let error = SumTree::new(capacity).unwrap_err();
        let kind = ErrorKind::Replay(ReplayError::TreeCapacity { capacity });
        assert_eq!(*error.kind(), kind);
    }
    for (capacity, nodes) in [
        (1, 1),
        (9, 31),
        (1000, 2047),
        (1025, 4095),
        (50_000, 131_071),
    ] {
        assert_eq!(SumTree::count(capacity).unwrap(), nodes);
    }
}

#[test]
fn what_is_refused_changes_no_node() {
    let mut tree = SumTree::new(4).unwrap();
    tree.set(&[0, 3], &[1.5, 2.0], Faults::Refuse).unwrap();
    let before = tree.clone();
    let refused: [(&[usize], &[f64], &str); 6] = [
        (&[1], &[-1.0], "expected a priority of 0 or more, found -1"),
        (
            &[1, 2],
            &[1.0, f64::NAN],
            "expected a priority of 0 or more, found NaN",
        ),
        (
            &[1],
            &[f64::INFINITY],
            "expected a priority of 0 or more, found inf",
        ),
        (&[1, 2], &[1.0], "1 priorities for 2 keys"),
        (&[], &[], "0 priorities for 0 keys"),
        (
            &[1, 4],
            &[9.0, 9.0],
            "all 4 leaves of the sum tree are taken, and a key is added before the oldest goes (its \
             capacity has to be larger than the buffer's)",
        ),
    ];
    for (indices, priorities, text) in refused {
        let error = tree.set(indices, priorities, Faults::Refuse).unwrap_err();
        assert_eq!(error.to_string(), text);
        assert_eq!(tree, before);
    }
    for target in [-0.1, 3.5, f64::NAN] {
        assert!(tree.query(target).is_err(), "{target}");
    }
}

#[test]
fn a_tree_goes_through_a_file_as_it_drifted() {
    let mut tree = SumTree::new(3).unwrap();
    for round in 0..50 {
        let priority = 0.1 * f64::from(round % 7);
        tree.set(&[round as usize % 3], &[priority], Faults::Refuse)
            .unwrap();
    }
    let drifted = tree.nodes()[1] - (tree.nodes()[3] + tree.nodes()[4]);
    assert!(drifted != 0.0);
    let bytes = npcodec::to_vec(&tree).unwrap();
    let mut read: SumTree = npcodec::from_slice(&bytes).unwrap();
    assert_eq!(read.nodes(), tree.nodes());
    read.resum();
    assert_eq!(read.nodes()[1], read.nodes()[3] + read.nodes()[4]);
}

fn of_nodes(nodes: &[f64]) -> Result<SumTree, Error> {
    let mut dict = npcodec::StateDict::new();
    let nodes = NumpyEncoding::from_array(ArrayView1::from(nodes)).unwrap();
    dict.insert("nodes", Value::Array(nodes.into_owned()));
    npcodec::from_slice(&npcodec::encode(&Value::Map(dict)).unwrap())
}

#[test]
fn sums_that_are_not_those_of_their_parts_are_no_drift() {
    let check = |nodes: &[f64]| {
        let checked = of_nodes(nodes).unwrap().check();
        checked.map_err(|error| error.kind().clone())
    };
    let node = |node, value| Err(ErrorKind::Replay(ReplayError::TreeNode { node, value }));
    assert_eq!(check(&[3.0]), Ok(()));
    assert_eq!(check(&[-1e-10, 0.0, 0.0]), Ok(()));
    assert_eq!(check(&[1e10, 1e16, 1.5]), Ok(()));
    assert_eq!(check(&[0.0, 8e307, 0.0]), node(0, 0.0));
    assert_eq!(check(&[1.7e308; 3]), node(0, 1.7e308));
    assert_eq!(check(&[2.0, 2.0, -1.0]), node(2, -1.0));
    let infinite = [f64::INFINITY, f64::INFINITY, 0.0];
    assert_eq!(check(&infinite), node(0, f64::INFINITY));
}

#[test]
fn only_whole_trees_are_read() {
    for count in [0_usize, 2, 4, 5, 6, 8] {
        let error = of_nodes(&vec![0.0; count]).unwrap_err();
        let mismatch = &error.report().unwrap().mismatched[0];
        assert_eq!(mismatch.path.to_string(), "nodes");
        assert_eq!(mismatch.found, count.to_string());
    }
}
