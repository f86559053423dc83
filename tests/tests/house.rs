//! The rules of the house, and that each of them can be broken.

use std::path::{Path, PathBuf};

use npcodec_tests::house::{
    Floors, drawn_floors, layering, module, panics, paths, sources, too_long, unsafe_code, versions,
};

/// The modules of `codec/src`: each uses only what stands below it.
const FLOORS: Floors<'_> = &[
    &["limits", "path"],
    &["report"],
    &["dtype"],
    &["dtype::element"],
    // The one error names what is wrong with a dtype, and the reports.
    &["error"],
    &["encoding"],
    &["array"],
    &["state"],
    &["checkpoint"],
    &["with"],
    &["file"],
    &["formats"],
    &["manager", "replay", "flower"],
    &["dataset"],
    &["lib", "guide"],
];

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Returns the sources of a folder without the files that are only for tests.
fn library(folder: &str) -> Vec<(String, String)> {
    let mut sources = sources(&root().join(folder));
    let is_test = |file: &str| {
        file.split('/')
            .any(|part| matches!(part, "tests" | "tests.rs"))
    };
    sources.retain(|(file, _)| !is_test(file));
    sources
}

#[test]
fn modules_use_only_what_is_below_them() {
    let sources = library("codec/src");
    assert!(sources.len() > 50);
    let faults: Vec<_> = sources
        .iter()
        .flat_map(|(file, text)| layering(file, text, FLOORS))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_module_that_uses_what_is_above_it_is_found() {
    let faults = |file, source| layering(file, source, FLOORS).len();
    assert_eq!(faults("encoding/numpy.rs", "use crate::dtype::DType;"), 0);
    assert_eq!(
        faults("encoding/numpy.rs", "use crate::encoding::Integer;"),
        0
    );
    assert_eq!(faults("encoding/numpy.rs", "use super::Integer;"), 0);
    assert_eq!(faults("encoding/numpy.rs", "use crate::state::Value;"), 1);
    assert_eq!(
        faults(
            "encoding/numpy.rs",
            "use crate::{dtype::DType, state::{Key, Value}};"
        ),
        2
    );
    assert_eq!(
        faults(
            "encoding/numpy.rs",
            "fn f() -> super::super::state::Value {}"
        ),
        1
    );
    assert_eq!(
        faults(
            "encoding/numpy.rs",
            "fn f() { g(&[crate::array::mismatch]) }"
        ),
        1
    );
    assert_eq!(
        faults(
            "encoding/mod.rs",
            "mod a { use super::super::state::Value; }"
        ),
        1
    );
    assert_eq!(
        faults("encoding/mod.rs", "mod a { use super::Integer; }"),
        0
    );
    // A name that only the root of the crate has.
    assert_eq!(faults("encoding/numpy.rs", "use crate::StateDict;"), 1);
    assert_eq!(faults("lib.rs", "use crate::file::encode;"), 0);
    // Inside of a floor: a module and its parts, but not those beside it.
    assert_eq!(
        faults("dtype/mod.rs", "use crate::dtype::element::Cast;"),
        1
    );
    assert_eq!(
        faults("dtype/element/cast.rs", "use crate::dtype::DType;"),
        0
    );
    assert_eq!(
        faults("dtype/element/cast.rs", "use super::super::DType;"),
        0
    );
    assert_eq!(
        faults("dtype/element/cast.rs", "use crate::error::Error;"),
        1
    );
    assert_eq!(
        faults("manager/mod.rs", "use crate::replay::ReplayBuffer;"),
        1
    );
    assert_eq!(faults("cellar.rs", ""), 1);
}

#[test]
fn the_floors_are_those_that_are_drawn() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let exists = |name: &&&str| {
        let path = root().join("codec/src").join(name.replace("::", "/"));
        path.is_dir() || path.with_extension("rs").is_file()
    };
    // Floors that are still to be built are not drawn.
    let floors = FLOORS.iter().map(|floor| {
        let built = floor.iter().filter(exists);
        built.map(ToString::to_string).collect::<Vec<_>>()
    });
    let floors: Vec<_> = floors.filter(|floor| !floor.is_empty()).collect();
    assert_eq!(drawn_floors(&text), floors);
}

#[test]
fn what_is_drawn_is_read_by_its_columns() {
    let text = "# A\n\n## Floors of `src`\n\nWords.\n\n```text\n\
                0  limits  path       what all need\n\
                1  dtype/element      items\n\
                2  lib\n```\n3  more\n";
    let floors: &[&[&str]] = &[&["limits", "path"], &["dtype::element"], &["lib"]];
    assert_eq!(drawn_floors(text), floors);
    assert_eq!(drawn_floors("0  limits\n"), [[""; 0]; 0]);
}

#[test]
fn paths_are_found_outside_of_comments_texts_and_tests() {
    let paths = |source| {
        let found = paths(&module("state/de.rs"), source);
        found.iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(
        paths("// crate::a\n/* crate::b */ /// crate::c\nstruct A;"),
        [""; 0]
    );
    assert_eq!(paths("const A: &str = \"crate::a\";"), [""; 0]);
    assert_eq!(
        paths("#[cfg(test)] mod tests { use crate::a; } use crate::b;"),
        ["b"]
    );
    assert_eq!(paths("#[cfg(test)] use crate::a; use crate::b;"), ["b"]);
    assert_eq!(
        paths("mod a { #[cfg(test)] fn f() { crate::a() } }"),
        [""; 0]
    );
    assert_eq!(paths("#[cfg(feature = \"a\")] use crate::a;"), ["a"]);
    assert_eq!(paths("pub(crate) use crate::{a::*, b as c};"), ["a", "b"]);
    assert_eq!(paths("macro_rules! m { () => { $crate::a::B } }"), ["a::B"]);
    assert_eq!(
        paths("macro_rules! m { ($n:ident) => { mod $n { use super::A; } } }"),
        ["state::de::A"]
    );
    assert_eq!(module("dtype/element/mod.rs"), ["dtype", "element"]);
}

/// The folders of sources, and how long a file there may be.
const FOLDERS: &[(&str, usize)] = &[
    ("codec/src", 400),
    ("codec-derive/src", 400),
    ("examples", 400),
    ("fuzz/targets", 400),
    ("benches/src", 400),
    ("tests", 500),
];

#[test]
fn files_are_short() {
    let mut faults = Vec::new();
    for (folder, limit) in FOLDERS {
        let sources = sources(&root().join(folder));
        let long = sources
            .iter()
            .filter_map(|(file, text)| too_long(file, text, *limit));
        faults.extend(long.map(|fault| format!("{folder}/{fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_long_file_is_found() {
    assert_eq!(too_long("a.rs", &"\n".repeat(400), 400), None);
    let fault = too_long("a.rs", &"\n".repeat(401), 400).unwrap();
    assert_eq!(fault, "a.rs has 401 lines, 400 are allowed");
}

#[test]
fn the_library_does_not_unwrap() {
    let mut faults = Vec::new();
    for folder in ["codec/src", "codec-derive/src"] {
        let sources = library(folder);
        let calls = sources.iter().flat_map(|(file, text)| panics(file, text));
        faults.extend(calls.map(|fault| format!("{folder}/{fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_unwrap_is_found() {
    let count = |source| panics("a.rs", source).len();
    assert_eq!(count("fn f() { a.unwrap(); b.c().expect(\"d\") }"), 2);
    assert_eq!(count("macro_rules! m { () => { f([a.unwrap()]) } }"), 1);
    assert_eq!(
        count("fn f() { a.unwrap_or(0); expect(b); c.expect(',', d)?; // e.unwrap()\n }"),
        0
    );
    assert_eq!(
        count("fn f() {} #[cfg(test)] mod tests { fn g() { a.unwrap() } }"),
        0
    );
    assert_eq!(
        count("#[cfg(test)] mod tests { fn g() {} } fn f() { a.unwrap() }"),
        1
    );
}

/// The one file that may hold unsafe code.
const UNSAFE: &str = "codec/src/file/map.rs";

#[test]
fn unsafe_code_is_in_the_map_alone() {
    let (mut faults, mut allowed) = (Vec::new(), 0);
    for folder in ["codec/src", "codec-derive/src"] {
        for (file, text) in sources(&root().join(folder)) {
            let file = format!("{folder}/{file}");
            let found = unsafe_code(&file, &text);
            match file == UNSAFE {
                true => allowed += found.len(),
                false => faults.extend(found),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(allowed > 0, "{UNSAFE} needs to be no exception");
}

#[test]
fn unsafe_code_is_found() {
    let count = |source| unsafe_code("a.rs", source).len();
    assert_eq!(count("fn f() { if a { unsafe { b() } } }"), 1);
    assert_eq!(
        count("macro_rules! m { () => { quote!(unsafe fn f();) } }"),
        1
    );
    assert_eq!(
        count("#[cfg(test)] mod tests { unsafe impl Send for A {} }"),
        1
    );
    assert_eq!(count("#![allow(unsafe_code)]"), 1);
    assert_eq!(
        count("/// unsafe\nfn f() -> &'static str { \"unsafe\" } // unsafe"),
        0
    );
}

#[test]
fn versions_agree() {
    let read = |file: &str| std::fs::read_to_string(Path::new(&root()).join(file)).ok();
    let manifest = read("Cargo.toml").unwrap();
    let readme = read("README.md").unwrap_or_default();
    let faults = versions(&manifest, &readme, read("CHANGELOG.md").as_deref());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_version_that_differs_is_found() {
    let manifest = |pin: &str| {
        format!(
            "[workspace.package]\nversion = \"0.2.0\"\n[workspace.dependencies]\n\
             npcodec = {{ path = \"codec\", version = \"{pin}\" }}\nserde = \"1.0\"\n"
        )
    };
    let good = manifest("=0.2.0");
    let count = |manifest: &str, readme: &str, changelog: Option<String>| {
        versions(manifest, readme, changelog.as_deref()).len()
    };
    assert_eq!(count(&good, "", None), 0);
    assert_eq!(count(&manifest("0.2.0"), "", None), 1);
    assert_eq!(count(&manifest("=0.1.0"), "", None), 1);
    assert_eq!(count(&good, "npcodec = \"0.2\"\n", None), 0);
    assert_eq!(count(&good, "npcodec = \"0.1\"\n", None), 1);
    assert_eq!(
        count(
            &good,
            "npcodec = { version = \"0.1.0\", features = [\"a\"] }\n",
            None
        ),
        1
    );
    assert_eq!(count(&good, "npcodec = { path = \"codec\" }\n", None), 0);
    let log = |heading: &str| format!("# Changes\n\n## Unreleased\n\n{heading}\n\n## 0.1.0\n");
    assert_eq!(count(&good, "", Some(log("## 0.2.0 (2026)"))), 0);
    assert_eq!(count(&good, "", Some(log("## [0.2.0]"))), 0);
    assert_eq!(count(&good, "", Some(log("## 0.1.1"))), 1);
}
