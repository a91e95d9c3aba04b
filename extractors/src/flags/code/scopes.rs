//! Which declaration a name of JavaScript means where it stands.
//!
//! [`super::Bindings`] know one meaning of a name in a file. Parsers are built in functions that all call their command
//! `program` or `cmd`; here each block has names of its own.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Node;

use super::{around, children};
use crate::flags::files::File;
use crate::syntax::walk;

/// What a name is declared as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Local {
    /// Every value that is written to it, by its bytes.
    Values(Vec<Range<usize>>),
    /// A parameter of the function that starts at this byte.
    Parameter(usize),
}

/// The names of one file, by the block that declares them. Members (`this.program`) are names of the file.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    names: BTreeMap<(usize, String), Local>,
}

/// The kinds of node that declare a function.
pub(crate) const FUNCTIONS: [&str; 5] = [
    "function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "generator_function_declaration",
];

impl Scopes {
    /// The names of a file.
    pub(crate) fn new(file: &File) -> Self {
        let mut scopes = Self::default();
        let mut assigned = Vec::new();
        walk(file.root(), &mut |node| {
            match node.kind() {
                "variable_declarator" => {
                    if let Some(name) = node
                        .child_by_field_name("name")
                        .filter(|name| name.kind() == "identifier")
                    {
                        let values = node.child_by_field_name("value").map(|value| value.byte_range());
                        let local = Local::Values(values.into_iter().collect());
                        let block = blocks(file, node).pop().unwrap_or_default();
                        scopes.names.entry((block, file.text(name).to_owned())).or_insert(local);
                    }
                }
                "public_field_definition" => {
                    if let (Some(name), Some(value)) =
                        (node.child_by_field_name("name"), node.child_by_field_name("value"))
                    {
                        let name = format!("this.{}", file.text(name));
                        scopes.write(file.root().start_byte(), &name, value.byte_range());
                    }
                }
                "assignment_expression" => assigned.push(node),
                kind if FUNCTIONS.contains(&kind) => {
                    for (_, _, name) in parameters(file, node) {
                        let local = Local::Parameter(node.start_byte());
                        scopes.names.entry((node.start_byte(), name)).or_insert(local);
                    }
                }
                _ => {}
            }
            true
        });
        for node in assigned {
            let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
            else {
                continue;
            };
            let name = file.text(left);
            match left.kind() {
                "identifier" => {
                    let block = blocks(file, node)
                        .into_iter()
                        .rev()
                        .find(|block| scopes.names.contains_key(&(*block, name.to_owned())));
                    if let Some(block) = block {
                        scopes.write(block, name, right.byte_range());
                    }
                }
                "member_expression" => scopes.write(file.root().start_byte(), name, right.byte_range()),
                _ => {}
            }
        }
        scopes
    }

    fn write(&mut self, block: usize, name: &str, value: Range<usize>) {
        let local = self.names.entry((block, name.to_owned()));
        if let Local::Values(values) = local.or_insert_with(|| Local::Values(Vec::new())) {
            values.push(value);
        }
    }

    /// What `name` is declared as, where `node` stands.
    pub(crate) fn find(&self, file: &File, node: Node<'_>, name: &str) -> Option<&Local> {
        let mut inner = blocks(file, node).into_iter().rev();
        inner.find_map(|block| self.names.get(&(block, name.to_owned())))
    }
}

/// Where the blocks around a node start, outermost first; the whole file is the first.
fn blocks(file: &File, node: Node<'_>) -> Vec<usize> {
    let root = file.root();
    let inner = around(root, node).into_iter().filter(|outer| {
        matches!(
            outer.kind(),
            "statement_block" | "class_body" | "for_in_statement" | "for_statement"
        ) || FUNCTIONS.contains(&outer.kind())
    });
    std::iter::once(root.start_byte())
        .chain(inner.map(|outer| outer.start_byte()))
        .collect()
}

/// The parameters of a function: which one, the member of it that is taken apart, and the name it gets.
pub(crate) fn parameters(file: &File, function: Node<'_>) -> Vec<(usize, Option<String>, String)> {
    if let Some(only) = function.child_by_field_name("parameter") {
        return vec![(0, None, file.text(only).to_owned())];
    }
    let list = function
        .child_by_field_name("parameters")
        .map(children)
        .unwrap_or_default();
    let mut all = Vec::new();
    for (index, parameter) in list.into_iter().enumerate() {
        let pattern = parameter.child_by_field_name("pattern").unwrap_or(parameter);
        match pattern.kind() {
            "identifier" => all.push((index, None, file.text(pattern).to_owned())),
            "object_pattern" => {
                for member in children(pattern) {
                    let key = member.child_by_field_name("key").unwrap_or(member);
                    let local = member.child_by_field_name("value").unwrap_or(member);
                    let plain = |node: Node<'_>| {
                        matches!(
                            node.kind(),
                            "identifier" | "property_identifier" | "shorthand_property_identifier_pattern"
                        )
                    };
                    if plain(key) && plain(local) {
                        all.push((index, Some(file.text(key).to_owned()), file.text(local).to_owned()));
                    }
                }
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::flags::code::JAVASCRIPT;

    #[test]
    fn a_name_means_what_its_block_says() {
        let text = "const a = 1; function f(a, { b, c: d }) { { const a = 2; x(a); } y(a, d); } let e; e = 3; z(a, e);";
        let file = File::parse("a.ts", &JAVASCRIPT, text.as_bytes()).unwrap();
        let scopes = Scopes::new(&file);
        let found: Vec<String> = file
            .nodes(file.root(), &["call_expression"])
            .into_iter()
            .flat_map(|call| children(call.child_by_field_name("arguments").unwrap()))
            .map(|name| match scopes.find(&file, name, file.text(name)) {
                Some(Local::Values(values)) => values
                    .iter()
                    .map(|value| &text[value.clone()])
                    .collect::<Vec<_>>()
                    .join("+"),
                Some(Local::Parameter(_)) => "parameter".to_owned(),
                None => "nothing".to_owned(),
            })
            .collect();
        assert_eq!(found, ["2", "parameter", "parameter", "1", "3"]);
    }
}
