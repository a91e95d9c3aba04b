//! Functions that are given a command, make one, or give one back.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::Reader;
use super::commands::{Id, Key};
use crate::flags::code::scopes::{FUNCTIONS, parameters};
use crate::flags::code::{around, children};
use crate::flags::expr::Expr;
use crate::flags::files::File;

impl Reader<'_, '_> {
    /// A call of a function: `createCommand("x")`, `register(program)`.
    pub(super) fn called(&mut self, file: &Rc<File>, call: Node<'_>, depth: usize) -> Vec<Id> {
        let Some(function) = call.child_by_field_name("function") else {
            return Vec::new();
        };
        let args = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        let name = file.text(function);
        if name == "createCommand"
            && file
                .bindings()
                .imports
                .get(name)
                .is_some_and(|import| import.module == "commander")
        {
            return vec![self.program(file, call, args.first().copied())];
        }
        if function.kind() != "identifier" {
            return Vec::new();
        }
        match self.files.function(file, &Expr::Name(name.to_owned())) {
            Some((home, range)) => self.run(file, &args, &home, &range, depth),
            None => Vec::new(),
        }
    }

    /// A call of a method of this class.
    pub(super) fn method(&mut self, file: &Rc<File>, name: &str, args: &[Node<'_>], depth: usize) -> Vec<Id> {
        let methods = file.nodes(file.root(), &["method_definition"]);
        let named = |method: &&Node<'_>| {
            method
                .child_by_field_name("name")
                .is_some_and(|own| file.text(own) == name)
        };
        let range = methods.iter().find(named).map(Node::byte_range);
        range.map_or_else(Vec::new, |range| self.run(file, args, &Rc::clone(file), &range, depth))
    }

    /// Gives the arguments to the parameters of a function, and what it returns.
    fn run(
        &mut self,
        file: &Rc<File>,
        args: &[Node<'_>],
        home: &Rc<File>,
        range: &Range<usize>,
        depth: usize,
    ) -> Vec<Id> {
        let Some(function) = home.node_at(range) else {
            return Vec::new();
        };
        let function = if FUNCTIONS.contains(&function.kind()) {
            function
        } else {
            let inner = home.nodes(function, &FUNCTIONS);
            let Some(inner) = inner.into_iter().find(|inner| inner.byte_range() == *range) else {
                return Vec::new();
            };
            inner
        };
        let mut given: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
        for (index, member, name) in parameters(home, function) {
            let Some(arg) = args.get(index) else { continue };
            let value = match &member {
                None => Some(*arg),
                Some(member) => children(*arg)
                    .into_iter()
                    .find_map(|pair| match pair.child_by_field_name("key") {
                        Some(key) => (home_key(file, key) == *member).then(|| pair.child_by_field_name("value"))?,
                        None => (file.text(pair) == *member).then_some(pair),
                    }),
            };
            let ids = match value {
                Some(value) if value.kind() == "shorthand_property_identifier" => self.named(file, value, depth + 1),
                Some(value) => self.commands_of(file, value, depth + 1),
                None => Vec::new(),
            };
            if ids.is_empty() {
                continue;
            }
            let key = Key::Parameter(home.path.clone(), function.start_byte(), name);
            let id = self.commands.id(key, self.files.in_scope(&home.path));
            self.commands.all[id]
                .above
                .extend(ids.iter().copied().filter(|above| *above != id));
            given.insert(id, ids);
        }
        let beyond = !self.files.in_scope(&home.path);
        if beyond && !given.is_empty() && self.visited.insert((home.path.clone(), function.start_byte())) {
            self.calls(home, function);
        }
        let returned = self.returned(home, function, depth + 1);
        // What it was given it gives back.
        returned
            .into_iter()
            .flat_map(|id| given.get(&id).cloned().unwrap_or_else(|| vec![id]))
            .collect()
    }

    fn returned(&mut self, file: &Rc<File>, function: Node<'_>, depth: usize) -> Vec<Id> {
        let Some(body) = function.child_by_field_name("body") else {
            return Vec::new();
        };
        if body.kind() != "statement_block" {
            return self.commands_of(file, body, depth);
        }
        let own = |statement: &Node<'_>| {
            let inner = around(function, *statement);
            !inner
                .iter()
                .any(|outer| outer.id() != function.id() && FUNCTIONS.contains(&outer.kind()))
        };
        let returns = file.nodes(body, &["return_statement"]).into_iter().filter(own);
        let values: Vec<Node<'_>> = returns.filter_map(|statement| statement.named_child(0)).collect();
        values
            .into_iter()
            .flat_map(|value| self.commands_of(file, value, depth))
            .collect()
    }
}

fn home_key<'f>(file: &'f File, key: Node<'_>) -> &'f str {
    file.text(key).trim_matches(['"', '\''])
}
