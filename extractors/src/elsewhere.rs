//! Declared types that left the scope, or came into it.
//!
//! A comparison knows a type on one side only. Before it calls that type gone or new, the files of the other side that
//! are no part of the scope are searched for a declaration of that name which is made of much the same: types are moved
//! between files and crates all the time. The nearest files are searched first.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::{Literal, Type, TypeDecl};
use regex::bytes::Regex;

use crate::SourceTree;
use crate::languages::{self, language_of};

/// The most files that are searched.
const MAX_FILES: usize = 1500;
/// The share of what they are made of that two declarations must have in common to be one that moved.
const LIKE: f64 = 0.5;

/// The types of `scope`, and of the files of `tree` that declare one of `lacking`, which are types of the other side,
/// and do not declare it in `other`: a type that stayed was copied. Only those of `scope` are `in_scope`. `None` when no
/// such file is found.
pub fn with_moved(
    tree: &dyn SourceTree,
    other: &dyn SourceTree,
    scope: &[String],
    lacking: &[&TypeDecl],
) -> Option<BTreeMap<String, TypeDecl>> {
    let known: BTreeSet<&str> = scope.iter().map(String::as_str).collect();
    let mut more: BTreeSet<&str> = BTreeSet::new();
    let origins: BTreeSet<&str> = lacking.iter().map(|decl| decl.place.file.as_str()).collect();
    for origin in origins {
        let mut wanted: Vec<&TypeDecl> = lacking
            .iter()
            .copied()
            .filter(|decl| decl.place.file == origin)
            .collect();
        let Some(declares) = declaration_of(&wanted) else {
            continue;
        };
        for path in near(tree, origin) {
            if wanted.is_empty() {
                break;
            }
            if known.contains(path) || more.contains(path) {
                continue;
            }
            let Some(text) = tree.text(path) else { continue };
            if !declares.is_match(&text) {
                continue;
            }
            let there = languages::link(tree, &[path.to_owned()]);
            let after = other.text(path);
            let stayed = |decl: &TypeDecl| {
                let declares = declaration_of(&[decl]);
                declares.is_some_and(|declares| after.as_ref().is_some_and(|text| declares.is_match(text)))
            };
            let before = wanted.len();
            wanted.retain(|decl| {
                let mut types = there.types.values().filter(|found| found.in_scope);
                stayed(decl) || !types.any(|found| is_moved(decl, found))
            });
            if wanted.len() < before {
                more.insert(path);
            }
        }
    }
    if more.is_empty() {
        return None;
    }
    let all: Vec<String> = scope
        .iter()
        .cloned()
        .chain(more.iter().map(|path| (*path).to_owned()))
        .collect();
    let WireModel { mut types, .. } = languages::link(tree, &all);
    for decl in types.values_mut() {
        decl.in_scope &= !more.contains(decl.place.file.as_str());
    }
    Some(types)
}

/// What a declaration of one of these names looks like in every language. After `type` there is something behind the
/// name, because TypeScript also imports with that word: `{ type Call, type Kind as K }`.
fn declaration_of(wanted: &[&TypeDecl]) -> Option<Regex> {
    let names: Vec<String> = wanted.iter().map(|decl| regex::escape(&decl.name)).collect();
    let names = names.join("|");
    Regex::new(&format!(
        r"(?x)\b(?:
            (?:struct|enum|interface|class)\s+(?:{names})\b
            | type\s+(?:{names})\s*[<=\[]
            | type\s+(?:{names})[\ \t]+(?:struct|interface|map|func|\*?[\w.]+[\ \t]*(?:\n|//|$))
        )"
    ))
    .ok()
}

/// The files of the language of `origin`, those that share most of its folders first.
fn near<'t>(tree: &'t dyn SourceTree, origin: &str) -> Vec<&'t str> {
    let language = language_of(origin);
    // A schema stands for itself.
    if language == Some(languages::json_schema::ID) {
        return Vec::new();
    }
    let shared = |path: &str| {
        path.split('/')
            .zip(origin.split('/'))
            .take_while(|(a, b)| a == b)
            .count()
    };
    let mut paths: Vec<(usize, &str)> = tree
        .paths()
        .iter()
        .filter(|path| language_of(path) == language && !is_test(path))
        .map(|path| (shared(path), path.as_str()))
        .collect();
    paths.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    paths.truncate(MAX_FILES);
    paths.into_iter().map(|(_, path)| path).collect()
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| {
        matches!(part, "test" | "tests" | "__tests__" | "node_modules" | "fixtures")
            || part.contains(".test.")
            || part.contains("_test.")
    })
}

/// Whether two declarations of one name are made of much the same.
fn is_moved(decl: &TypeDecl, other: &TypeDecl) -> bool {
    if decl.name != other.name {
        return false;
    }
    let (a, b) = (marks(&decl.body), marks(&other.body));
    let both = a.intersection(&b).count();
    let all = a.len() + b.len() - both;
    #[expect(clippy::cast_precision_loss, reason = "counts of members")]
    let like = both as f64 / all.max(1) as f64;
    like >= LIKE
}

/// What a type is made of, one level deep.
fn marks(ty: &Type) -> BTreeSet<String> {
    match ty {
        Type::Object(object) => {
            let own = object.fields.iter().map(|(name, field)| match &field.ty {
                Type::Literal(Literal::String(value)) => format!("{name}={value}"),
                _ => name.clone(),
            });
            own.chain(object.parts.iter().flat_map(marks)).collect()
        }
        Type::Union(union) => union
            .arms
            .iter()
            .flat_map(|arm| arm.name.iter().cloned().chain(marks(&arm.ty)))
            .collect(),
        Type::Literal(value) => BTreeSet::from([format!("={value}")]),
        Type::Named(name) => BTreeSet::from([name.split('@').next().unwrap_or(name).to_owned()]),
        Type::Array(item) | Type::Map(item) => marks(item).into_iter().map(|mark| format!("[]{mark}")).collect(),
        other => BTreeSet::from([format!("{other:?}")]),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::MemoryTree;

    /// Names and scope of the types of `old` when `name` of `new` is looked for.
    fn found(old: &[(&str, &str)], new: &str, name: &str) -> Option<Vec<String>> {
        found_beside(old, &[("src/types.ts", new)], name)
    }

    /// The same for a `new` of several files.
    fn found_beside(old: &[(&str, &str)], new: &[(&str, &str)], name: &str) -> Option<Vec<String>> {
        let there = MemoryTree::new(new);
        let other = there.link(&["src/types.ts"]);
        let lacking: Vec<&TypeDecl> = other.types.values().filter(|decl| decl.name == name).collect();
        assert!(!lacking.is_empty(), "{name}");
        let tree = MemoryTree::new(old);
        let scope: Vec<String> = tree
            .paths()
            .iter()
            .filter(|path| *path == "src/types.ts")
            .cloned()
            .collect();
        let types = with_moved(&tree, &there, &scope, &lacking)?;
        let shown = types.values().map(|decl| format!("{} {}", decl.name, decl.in_scope));
        Some(shown.collect())
    }

    const NEW: &str =
        "export interface Call { id: string; args: string; state: 'a' | 'b' }\nexport type Kind = 'x' | 'y';";

    #[test]
    fn a_type_that_stood_in_another_file_is_found_there() {
        let scope = ("src/types.ts", "export interface Other { o: string }");
        let there = (
            "src/core/calls.ts",
            "export interface Call { id: string; args: string; when: number }",
        );
        assert_eq!(
            found(&[scope, there], NEW, "Call").unwrap(),
            ["Call false", "Other true"],
        );
        assert_eq!(
            found(
                &[scope, ("lib/kinds.ts", "type Kind =\n  | 'x' | 'y' | 'z';")],
                NEW,
                "Kind"
            )
            .unwrap(),
            ["Kind false", "Other true"],
        );
    }

    #[test]
    fn what_stayed_where_it_was_was_copied() {
        let (old, new) = (("src/core/calls.ts", NEW), ("src/types.ts", NEW));
        assert!(found_beside(&[old], &[new], "Call").is_some());
        assert_eq!(found_beside(&[old], &[new, old], "Call"), None);
        // What is only brought back there by name did move.
        for import in [
            "import {\n  type Call,\n  type Kind,\n} from '../types';",
            "import { type Call as C } from '../types';",
            "import type Call from '../types';",
        ] {
            let user = ("src/core/calls.ts", import);
            assert!(found_beside(&[old], &[new, user], "Call").is_some(), "{import}");
        }
    }

    #[test]
    fn declarations_look_like_this() {
        let call = MemoryTree::new(&[("src/types.ts", NEW)]).link(&["src/types.ts"]);
        let call: Vec<&TypeDecl> = call.types.values().filter(|decl| decl.name == "Call").collect();
        let declares = declaration_of(&call).unwrap();
        for text in [
            "type Call = string",
            "export type Call<T> =\n  | T",
            "pub struct Call {",
            "class Call(BaseModel):",
            "type Call struct {",
            "type Call string",
            "type Call other.Call // why\n",
            "type Call[T any] struct {",
        ] {
            assert!(declares.is_match(text.as_bytes()), "{text}");
        }
        for text in [
            "type Caller = string",
            "type Call,",
            "type Call as C,",
            "type Call from './a'",
        ] {
            assert!(!declares.is_match(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_only_shares_the_name_is_another_type() {
        for (path, text) in [
            ("src/a.ts", "export interface Call { phone: string; tone: number }"),
            (
                "src/a.ts",
                "export interface Caller { id: string; args: string; state: 'a' | 'b' }",
            ),
            ("src/a.ts", "call(Call); const x = new Call();"),
            (
                "src/a.test.ts",
                "interface Call { id: string; args: string; state: 'a' | 'b' }",
            ),
            ("src/a.py", "class Call: pass"),
        ] {
            assert_eq!(found(&[(path, text)], NEW, "Call"), None, "{path}: {text}");
        }
    }
}
