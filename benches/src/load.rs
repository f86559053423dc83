//! Loading files: fresh, in place, and one array of many.

use std::fs;
use std::io::Read;
use std::path::PathBuf;

use npcodec::ReadOptions;
use npcodec::ndarray::Array2;

use crate::measure::{compare, report};
use crate::peers;
use crate::states::Large;

const ROUNDS: usize = 11;

/// A file that is removed when it is no longer needed.
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("npcodec-{}-{name}", std::process::id()));
        fs::write(&path, bytes).expect("a file can be written");
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

pub fn load() {
    let state = Large::new();
    let bytes = npcodec::to_vec(&state).expect("the state can be written");
    let file = Temporary::new("large", &bytes);
    let path = &file.0;
    drop(bytes);
    let mut target = Large::new();
    let mut copies = peers::copies(&state);

    let mut in_place = || npcodec::load_into(path, &mut target).expect("the file fits");
    let what = "load_into, 16 arrays of 16 MiB, page-cached file";
    let memcpy = || peers::copy_into(&state, &mut copies);
    report(what, "memcpy into the same memory", &compare(ROUNDS, &mut in_place, memcpy));
    report(what, "fs::read into fresh memory", &compare(ROUNDS, &mut in_place, || fs::read(path)));
    let mut buffer = Vec::new();
    let reread = || {
        buffer.clear();
        fs::File::open(path).and_then(|mut file| file.read_to_end(&mut buffer))
    };
    report(what, "fs::read into old memory", &compare(ROUNDS, &mut in_place, reread));

    let fresh = || npcodec::load::<Large>(path).expect("the file fits");
    let what = "load, 16 arrays of 16 MiB, page-cached file";
    report(what, "fs::read into fresh memory", &compare(ROUNDS, fresh, || fs::read(path)));
    drop((file, copies, target));
    one_of_many(&state);
}

/// One array of 16 MiB out of a file of 4 GiB, beside a file that holds nothing else.
fn one_of_many(state: &Large) {
    let array = &state.arrays[7];
    let alone = Temporary::new("alone", &npcodec::to_vec(array).expect("an array can be written"));
    let many = Temporary::new("many", &[]);
    let arrays = vec![array; 256];
    npcodec::save(&many.0, &arrays).expect("the file can be written");
    let options = ReadOptions::new().at("[200]".parse().expect("a path"));
    let one = || npcodec::load_with::<Array2<f32>>(&many.0, &options).expect("the array is there");
    let what = "load, one array of 16 MiB out of 4 GiB";
    let whole = || npcodec::load::<Array2<f32>>(&alone.0).expect("the array is there");
    report(what, "load, a file of 16 MiB", &compare(ROUNDS, one, whole));
    report(what, "fs::read, a file of 16 MiB", &compare(ROUNDS, one, || fs::read(&alone.0)));
}
