//! The TypeScript compiler as the judge: the members, optionality and literals of the types it resolves.

mod cases;

use std::collections::BTreeMap;

use agent_contracts_wire::Direction;
use serde_json::{Value, json};

use crate::differences::{Differences, Known};
use crate::{dialect, node, shape, source};

/// What the compiler resolves and we do not, with the reason.
const KNOWN: &[Known] = &[
    ("a: void; b: never; c: string", "a member that cannot be is no member"),
    (
        "b: number | undefined; c: unknown }; export type T = Required<B>",
        "`?` and `| undefined` are one on a wire",
    ),
    (
        "c: unknown }; export type T = { v: B['a']; w: B['b' | 'c'] }",
        "what is unknown may be undefined as well",
    ),
    (
        "c: unknown }; export type T = { all: B[keyof B] }",
        "what is unknown may be undefined as well",
    ),
    (
        "c: unknown }; export type T = { n: NonNullable<B['c']> }",
        "anything but null has no word in the model",
    ),
    (
        "p: Parameters<typeof f>",
        "parameters of functions are not kept: nothing of them goes over a wire",
    ),
    (
        "type F<X> = X extends (a: infer A) => infer R",
        "parameters of functions are not kept",
    ),
    (
        "type F = (a: string) => Promise<{ n: number }>",
        "what an alias of a function returns is not kept",
    ),
    (
        "start: { id: string }; stop: undefined }",
        "a member that is always undefined has no key on a wire",
    ),
    ("X extends `on${infer Rest}`", "texts are not taken apart"),
    ("unknown extends X ? 1 : 2", "unknown and any are one"),
    ("A = 'x'.length", "a computed member of an enum is any number"),
    (
        "A = `${P}.a`",
        "texts that are put together from constants are not followed",
    ),
    (
        "const t = `a${1}` as const",
        "texts that are put together from constants are not followed",
    ),
    (
        "function f() { return { a: 1 as const",
        "bodies of functions are not read",
    ),
    ("static readonly KIND", "static members of classes are not read"),
    (
        "type Tree<X> = { v: X; kids: Tree<X>[] }",
        "a generic type inside of itself is told for any argument",
    ),
    (
        "interface List<X> extends Array<X>",
        "members of lists are not on a wire",
    ),
    ("import N = M.Inner", "aliases of namespaces are not followed"),
    ("import type A = require", "`import = require` is not followed"),
    (
        "declare module './a' { interface A { more: 2 } }",
        "additions from a block that is looked into before its target",
    ),
];

#[test]
fn the_compiler_resolves_what_the_model_says() {
    let cases = cases::all();
    let input: Vec<Value> = cases.iter().map(|files| question(files, &["T"])).collect();
    let Some(answers) = describe(&input) else { return };
    let mut found = Differences::default();
    for (files, answer) in cases.iter().zip(&answers) {
        let text = &files[0].1;
        found.judged(text);
        assert!(answer["errors"] == json!([]), "{text}\n{}", answer["errors"]);
        let expected = dialect::of_schema(answer.get("T").unwrap_or_else(|| panic!("no T is exported by {text}")));
        let model = source::model_of(files);
        let ours = shape::of_model(&model, "T", Direction::Output);
        if ours.as_ref() != Some(&expected) && ours.as_ref().map(ToString::to_string) != Some(expected.to_string()) {
            let ours = ours.map_or_else(|| "there is no T".to_owned(), |ours| ours.to_string());
            found.add(text, format!("compiler {expected}\nours     {ours}\n{}", model.print()));
        }
    }
    found.settle(150, KNOWN);
}

/// One case of the script, for the types of its first file.
pub(crate) fn question(files: &[(String, String)], types: &[&str]) -> Value {
    let files: BTreeMap<&str, &str> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    json!({ "files": files, "types": types })
}

/// The answers of the compiler, one a question; `None` where it cannot be had.
pub(crate) fn describe(questions: &[Value]) -> Option<Vec<Value>> {
    let answers = node::run(
        "describe.mjs",
        include_str!("describe.mjs"),
        &Value::from(questions.to_vec()),
    )?;
    Some(answers.as_array().expect("the script answers with a list").clone())
}
