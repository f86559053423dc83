//! What is written and read.

use std::collections::BTreeMap;

use npcodec::ndarray::{Array1, Array2, Array3};
use npcodec::{Checkpoint, Structured};

/// 16 arrays of 16 MiB.
#[derive(Checkpoint)]
pub struct Large {
    pub arrays: Vec<Array2<f32>>,
}

impl Large {
    pub fn new() -> Self {
        let array = |n| Array2::from_shape_fn((2048, 2048), |(i, j)| (n * i + j) as f32);
        Self {
            arrays: (0..16).map(array).collect(),
        }
    }
}

/// 100,000 arrays of 16 floats in a list.
#[derive(Checkpoint)]
pub struct Small {
    pub arrays: Vec<Array1<f32>>,
}

impl Small {
    pub fn new() -> Self {
        let array = |n| Array1::from_shape_fn(16, |i| (n + i) as f32);
        Self {
            arrays: (0..100_000).map(array).collect(),
        }
    }
}

/// The same arrays by name.
#[derive(Checkpoint)]
pub struct Named {
    pub arrays: BTreeMap<String, Array1<f32>>,
}

impl Named {
    pub fn new() -> Self {
        let named = |(n, array)| (format!("layer_{n:06}"), array);
        Self {
            arrays: Small::new().arrays.into_iter().enumerate().map(named).collect(),
        }
    }
}

/// 5,000 observations of 84x84x4 as Snappy records.
#[derive(Checkpoint)]
pub struct Replay {
    #[checkpoint(compress)]
    pub observations: Vec<Array3<u8>>,
}

impl Replay {
    /// Mostly flat frames with a moving block, as the screens of games are.
    pub fn new() -> Self {
        let frame = |n: usize| {
            Array3::from_shape_fn((84, 84, 4), |(y, x, c)| {
                let inside = (y + n) % 84 < 12 && (x + 3 * n) % 84 < 12;
                if inside { ((n * 7 + y * x + c) % 251) as u8 } else { 87 }
            })
        };
        Self {
            observations: (0..5_000).map(frame).collect(),
        }
    }
}

#[derive(Structured, serde::Serialize, serde::Deserialize, Clone)]
pub struct Row {
    pub action: i32,
    pub reward: f32,
    pub position: [f32; 3],
    pub terminal: bool,
}

/// A million rows of a structured array.
#[derive(Checkpoint)]
pub struct Rows {
    pub rows: Array1<Row>,
}

impl Rows {
    pub fn new() -> Self {
        let row = |n: usize| Row {
            action: n as i32 % 18,
            reward: n as f32 * 0.5,
            position: [n as f32, 1.0, 2.0],
            terminal: n % 100 == 0,
        };
        Self {
            rows: (0..1_000_000).map(row).collect(),
        }
    }
}
