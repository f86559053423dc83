//! The rules of the house, as functions over sources: each returns what breaks its rule.

use std::path::Path;
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What a module is called by in a path from the root of the crate: `["dtype", "element"]`.
pub type Module = Vec<String>;

/// Returns the sources below a folder: their paths from there, and their texts, sorted.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(folder, "", &mut found);
    found.sort();
    found
}

fn walk(folder: &Path, below: &str, found: &mut Vec<(String, String)>) {
    let entries = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry of a folder"));
    for entry in entries {
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let place = format!("{below}{name}");
        if entry.file_type().expect("a type of file").is_dir() {
            walk(&entry.path(), &format!("{place}/"), found);
        } else if name.ends_with(".rs") {
            let text = std::fs::read_to_string(entry.path());
            found.push((place, text.expect("a text in UTF-8")));
        }
    }
}

/// Returns the module that a file of `src` is.
#[must_use]
pub fn module(file: &str) -> Module {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    stem.split('/').map(str::to_owned).collect()
}

/// Returns the tokens of a source without what is only for tests.
fn tokens(source: &str) -> Vec<TokenTree> {
    let tokens = TokenStream::from_str(source).unwrap_or_else(|error| panic!("{error}"));
    without_tests(tokens)
}

/// Drops what follows `#[cfg(test)]`, up to the end of its braces or its semicolon.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        let is_hash = matches!(kept.last(), Some(TokenTree::Punct(hash)) if hash.as_char() == '#');
        match &token {
            TokenTree::Group(group)
                if is_hash && group.stream().to_string().replace(' ', "") == "cfg(test)" =>
            {
                let _ = kept.pop();
                let _ = tokens.by_ref().find(|token| match token {
                    TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                    TokenTree::Punct(end) => end.as_char() == ';',
                    _ => false,
                });
            }
            _ => kept.push(token),
        }
    }
    kept
}

/// Returns every path that starts with `crate` or `super`, from the root of the crate.
#[must_use]
pub fn paths(module: &[String], source: &str) -> Vec<Module> {
    let mut found = Vec::new();
    collect(module, &tokens(source), &mut found);
    found.sort();
    found.dedup();
    found
}

fn collect(module: &[String], tokens: &[TokenTree], found: &mut Vec<Module>) {
    let is = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(word)) => Some(word.to_string()),
        _ => None,
    };
    let mut at = 0;
    while at < tokens.len() {
        let after_colons = at >= 2 && is(at - 1, ':') && is(at - 2, ':');
        match &tokens[at] {
            TokenTree::Group(group) => {
                let mut inner = module.to_vec();
                let braces = group.delimiter() == Delimiter::Brace;
                if braces && at >= 2 && word(at - 2).as_deref() == Some("mod") {
                    inner.extend(word(at - 1));
                } else if braces && at >= 3 && word(at - 3).as_deref() == Some("mod") {
                    // `mod $name { .. }` in a macro.
                    inner.extend(word(at - 1));
                }
                collect(&inner, &without_tests(group.stream()), found);
            }
            TokenTree::Ident(first) if !after_colons && (first == "crate" || first == "super") => {
                let mut base = if first == "super" {
                    module.to_vec()
                } else {
                    Vec::new()
                };
                if first == "super" {
                    let _ = base.pop();
                }
                let mut next = at + 1;
                while is(next, ':')
                    && is(next + 1, ':')
                    && word(next + 2).as_deref() == Some("super")
                {
                    let _ = base.pop();
                    next += 3;
                }
                if is(next, ':') && is(next + 1, ':') {
                    tree(base, &tokens[next + 2..], found);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// Follows a path to its end, or to the ends that its braces give it.
fn tree(mut path: Module, tokens: &[TokenTree], found: &mut Vec<Module>) {
    match tokens {
        [TokenTree::Ident(word), rest @ ..] => {
            path.push(word.to_string());
            match rest {
                [TokenTree::Punct(one), TokenTree::Punct(two), rest @ ..]
                    if one.as_char() == ':' && two.as_char() == ':' =>
                {
                    tree(path, rest, found);
                }
                _ => found.push(path),
            }
        }
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
            let items: Vec<_> = group.stream().into_iter().collect();
            let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
            for item in items.split(is_comma).filter(|item| !item.is_empty()) {
                tree(path.clone(), item, found);
            }
        }
        _ => found.push(path),
    }
}

/// Modules from the ground up: those of one floor stand beside each other.
pub type Floors<'a> = &'a [&'a [&'a str]];

/// Returns floor and name of the module of the table in which a path lies.
fn floor<'a>(path: &[String], floors: Floors<'a>) -> Option<(usize, &'a str)> {
    let modules = floors.iter().enumerate();
    let modules = modules.flat_map(|(floor, names)| names.iter().map(move |name| (floor, *name)));
    modules
        .filter(|(_, name)| {
            let name: Vec<&str> = name.split("::").collect();
            path.len() >= name.len() && path.iter().zip(&name).all(|(one, other)| one == other)
        })
        .max_by_key(|(_, name)| name.len())
}

/// Returns the paths by which a file uses what is not below it, nor of its own module.
#[must_use]
pub fn layering(file: &str, source: &str, floors: Floors<'_>) -> Vec<String> {
    let module = module(file);
    let Some((own, name)) = floor(&module, floors) else {
        return vec![format!("{file} stands on no floor")];
    };
    if name == "lib" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for path in paths(&module, source) {
        let text = path.join("::");
        match floor(&path, floors) {
            // What `super` reaches is a module, or an item of one of its parents.
            None if path.is_empty() => {}
            None => faults.push(format!(
                "{file} uses {text}, which is of no module below it"
            )),
            Some((_, other)) if other == name || name.starts_with(&format!("{other}::")) => {}
            Some((other, _)) if other < own => {}
            Some((other, _)) => {
                faults.push(format!(
                    "{file} of floor {own} uses {text} of floor {other}"
                ));
            }
        }
    }
    faults
}

/// Returns the files that are longer than their limit, and by how much.
#[must_use]
pub fn too_long(file: &str, source: &str, limit: usize) -> Option<String> {
    let lines = source.lines().count();
    (lines > limit).then(|| format!("{file} has {lines} lines, {limit} are allowed"))
}

/// Returns the calls that turn an error into a panic, outside of tests.
#[must_use]
pub fn panics(file: &str, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    calls(&tokens(source), &mut found);
    let say = |method| format!("{file} calls {method}");
    found.into_iter().map(say).collect()
}

fn calls(tokens: &[TokenTree], found: &mut Vec<String>) {
    for three in tokens.windows(3) {
        let [
            TokenTree::Punct(dot),
            TokenTree::Ident(method),
            TokenTree::Group(call),
        ] = three
        else {
            continue;
        };
        // Methods of our own can be called `expect`: they take more than a text.
        let comma =
            |token: TokenTree| matches!(token, TokenTree::Punct(comma) if comma.as_char() == ',');
        let panics = match method.to_string().as_str() {
            "unwrap" | "unwrap_err" => call.stream().is_empty(),
            "expect" | "expect_err" => !call.stream().into_iter().any(comma),
            _ => false,
        };
        if dot.as_char() == '.' && panics && call.delimiter() == Delimiter::Parenthesis {
            found.push(method.to_string());
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            calls(&without_tests(group.stream()), found);
        }
    }
}

/// Returns the uses of unsafe code in a file, tests included, and the lints that would allow them.
#[must_use]
pub fn unsafe_code(file: &str, source: &str) -> Vec<String> {
    fn words(tokens: TokenStream, found: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(word) if word == "unsafe" || word == "unsafe_code" => {
                    found.push(word.to_string());
                }
                TokenTree::Group(group) => words(group.stream(), found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    let tokens = TokenStream::from_str(source).unwrap_or_else(|error| panic!("{error}"));
    words(tokens, &mut found);
    let say = |word| format!("{file} has the word `{word}`");
    found.into_iter().map(say).collect()
}

/// Returns the floors that a text draws, from the ground up: lines of a number, the modules in the
/// columns 3 to 21, and what is said of them.
#[must_use]
pub fn drawn_floors(text: &str) -> Vec<Vec<String>> {
    let heading = |line: &&str| !line.starts_with("## Floors");
    let lines = text.lines().skip_while(heading);
    let lines = lines.skip_while(|line| !line.starts_with("```")).skip(1);
    let lines = lines.take_while(|line| !line.starts_with("```"));
    lines
        .enumerate()
        .map(|(floor, line)| {
            let number = line.get(..3).unwrap_or_default().trim();
            assert_eq!(number, floor.to_string(), "the number of `{line}`");
            let names = line.get(3..22).or(line.get(3..)).unwrap_or_default();
            let names = names.split_whitespace();
            names.map(|name| name.replace('/', "::")).collect()
        })
        .collect()
}

/// Returns where a manifest of the workspace, README and CHANGELOG name different versions.
///
/// # Panics
/// If the manifest has no version.
#[must_use]
pub fn versions(manifest: &str, readme: &str, changelog: Option<&str>) -> Vec<String> {
    let quoted = |line: &str| line.split('"').nth(1).map(str::to_owned);
    let version = manifest
        .lines()
        .skip_while(|line| *line != "[workspace.package]")
        .find(|line| line.starts_with("version = "))
        .and_then(quoted)
        .expect("a version of the workspace");
    let mut faults = Vec::new();
    for line in manifest.lines().filter(|line| line.starts_with("npcodec")) {
        if !line.contains(&format!("version = \"={version}\"")) {
            faults.push(format!("the manifest is of {version}, and has `{line}`"));
        }
    }
    for line in readme.lines().filter(|line| line.starts_with("npcodec = ")) {
        let stated = match line.split_once("version = ") {
            Some((_, stated)) => quoted(stated),
            None if line.contains('{') => continue,
            None => quoted(line),
        };
        let stated = stated.unwrap_or_default();
        if stated.is_empty() || version != stated && !version.starts_with(&format!("{stated}.")) {
            faults.push(format!(
                "the manifest is of {version}, the README has `{line}`"
            ));
        }
    }
    let heading = |text: &str| {
        let is_version = |line: &&str| line.starts_with("## ") && !line.contains("Unreleased");
        text.lines().find(is_version).map(str::to_owned)
    };
    if let Some(heading) = changelog.and_then(heading) {
        let words = heading.trim_start_matches("## ").trim_start_matches('[');
        let stated = words.split([' ', ']']).next().unwrap_or_default();
        if stated != version {
            faults.push(format!(
                "the manifest is of {version}, the CHANGELOG has `{heading}`"
            ));
        }
    }
    faults
}
