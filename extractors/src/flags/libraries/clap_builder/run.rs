//! Runs the functions that build commands.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::Node;

use super::Cmd;
use super::arg::ArgSpec;
use super::values::{Names, Value, bound, either, put, spelled};
use crate::flags::code::{RUST, children};
use crate::flags::expr::{Arg, Chain, Expr, Step, positional};
use crate::flags::files::{File, Files};

/// Calls that lead to calls; more in a row go in a circle.
const MAX_DEPTH: usize = 24;
/// The most turns of one loop, and the most steps of one program.
const MAX_TURNS: usize = 200;
const MAX_STEPS: usize = 100_000;

/// A function: its file and its bytes.
type Function = (Rc<File>, Range<usize>);
/// A function, by its file and its first byte.
type FunctionId = (String, usize);

pub(super) struct Runner<'r, 'f> {
    files: &'r Files<'f>,
    /// Functions of the scope by their names.
    functions: BTreeMap<String, Vec<Function>>,
    /// Functions that others called.
    pub(super) called: BTreeSet<FunctionId>,
    /// Commands that were parsed: `.get_matches()`.
    parsed: Vec<Cmd>,
    steps: usize,
}

impl<'r, 'f> Runner<'r, 'f> {
    pub(super) fn new(files: &'r Files<'f>, scope: &[Rc<File>]) -> Self {
        let mut functions: BTreeMap<String, Vec<Function>> = BTreeMap::new();
        for file in scope {
            for function in file.nodes(file.root(), &["function_item"]) {
                if let Some(name) = function.child_by_field_name("name") {
                    let at = (Rc::clone(file), function.byte_range());
                    functions.entry(file.text(name).to_owned()).or_default().push(at);
                }
            }
        }
        Self {
            files,
            functions,
            called: BTreeSet::new(),
            parsed: Vec::new(),
            steps: 0,
        }
    }

    /// The commands that a function builds, and whether each is parsed in it.
    pub(super) fn program(&mut self, file: &Rc<File>, function: Node<'_>) -> Vec<(Cmd, bool)> {
        self.steps = 0;
        self.parsed.clear();
        let mut names = Names::new();
        for name in parameters(file, function) {
            names.insert(name, Value::Other(Expr::Null));
        }
        let returned = function
            .child_by_field_name("body")
            .and_then(|body| self.block(file, body, &mut names, 0));
        let mut all: Vec<(Cmd, bool)> = std::mem::take(&mut self.parsed)
            .into_iter()
            .map(|command| (command, true))
            .collect();
        // `Ok(command)` and the command itself.
        if let Some(Value::Command(command)) = returned {
            all.push((command, false));
        }
        all
    }

    fn block(&mut self, file: &Rc<File>, block: Node<'_>, names: &mut Names, depth: usize) -> Option<Value> {
        let mut last = None;
        for statement in children(block) {
            last = None;
            match statement.kind() {
                "let_declaration" => {
                    let pattern = statement.child_by_field_name("pattern");
                    let value = statement.child_by_field_name("value");
                    if let (Some(pattern), Some(value)) = (pattern, value) {
                        let value = self.node(file, value, names, depth);
                        if pattern.kind() == "identifier" {
                            names.insert(file.text(pattern).to_owned(), value);
                        }
                    }
                }
                "expression_statement" => {
                    for inner in children(statement) {
                        let value = self.node(file, inner, names, depth);
                        if inner.kind() == "return_expression" {
                            return Some(value);
                        }
                        if !file.text(statement).ends_with(';') {
                            last = Some(value);
                        }
                    }
                }
                "function_item" | "use_declaration" | "const_item" | "attribute_item" => {}
                _ => last = Some(self.node(file, statement, names, depth)),
            }
        }
        last
    }

    /// An expression or a statement, by its node.
    fn node(&mut self, file: &Rc<File>, node: Node<'_>, names: &mut Names, depth: usize) -> Value {
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return Value::Other(Expr::Null);
        }
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "block" | "unsafe_block" => {
                let value = self.block(file, node, names, depth + 1);
                value.unwrap_or(Value::Other(Expr::Null))
            }
            "return_expression" | "parenthesized_expression" | "try_expression" => match children(node).first() {
                Some(inner) => self.node(file, *inner, names, depth + 1),
                None => Value::Other(Expr::Null),
            },
            "if_expression" => {
                let taken = field("consequence").map(|body| self.node(file, body, names, depth + 1));
                let other = field("alternative").and_then(|body| children(body).first().copied());
                let other = other.map(|body| self.node(file, body, names, depth + 1));
                either(taken.into_iter().chain(other))
            }
            "match_expression" => {
                let arms = field("body").map(children).unwrap_or_default();
                let arms = arms.into_iter().filter_map(|arm| arm.child_by_field_name("value"));
                let values: Vec<Value> = arms.map(|arm| self.node(file, arm, names, depth + 1)).collect();
                either(values.into_iter())
            }
            "for_expression" => {
                self.turns(file, node, names, depth);
                Value::Other(Expr::Null)
            }
            "assignment_expression" => {
                if let (Some(left), Some(right)) = (field("left"), field("right")) {
                    let value = self.node(file, right, names, depth + 1);
                    names.insert(file.text(left).to_owned(), value);
                }
                Value::Other(Expr::Null)
            }
            _ => {
                let expr = file.lower(node);
                self.expr(file, &expr, names, depth + 1)
            }
        }
    }

    /// `for name in LIST { … }`
    fn turns(&mut self, file: &Rc<File>, node: Node<'_>, names: &mut Names, depth: usize) {
        let field = |name: &str| node.child_by_field_name(name);
        let (Some(pattern), Some(list), Some(body)) = (field("pattern"), field("value"), field("body")) else {
            return;
        };
        let items = match self.node(file, list, names, depth + 1) {
            Value::List(items) => items,
            Value::Other(Expr::List(items)) => items.into_iter().map(Value::Other).collect(),
            // Once, so that what does not depend on the name is seen.
            _ => vec![Value::Other(Expr::Unknown(file.text(list).to_owned()))],
        };
        for item in items.into_iter().take(MAX_TURNS) {
            if pattern.kind() == "identifier" {
                names.insert(file.text(pattern).to_owned(), item);
            }
            self.block(file, body, names, depth + 1);
        }
    }

    fn expr(&mut self, file: &Rc<File>, expr: &Expr, names: &mut Names, depth: usize) -> Value {
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return Value::Other(Expr::Null);
        }
        match expr {
            Expr::Name(name) if names.contains_key(name) => names[name].clone(),
            Expr::List(items) => Value::List(
                items
                    .iter()
                    .map(|item| self.expr(file, item, names, depth + 1))
                    .collect(),
            ),
            Expr::Typed(kind, body) => self.macro_call(file, kind, body.text().unwrap_or_default(), names, depth),
            Expr::Chain(chain) => self.chain(file, chain, names, depth),
            other => Value::Other(self.files.value(file, &bound(other, names))),
        }
    }

    fn macro_call(&mut self, file: &Rc<File>, kind: &str, text: &str, names: &mut Names, depth: usize) -> Value {
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        match kind.rsplit("::").next().unwrap_or(kind) {
            "arg!" => {
                let mut arg = spelled(inner);
                arg.in_scope = self.files.in_scope(&file.path);
                Value::Arg(arg)
            }
            "command!" => Value::Command(Cmd::default()),
            "vec!" => {
                let inner = File::parse("a.rs", &RUST, format!("const X: T = [{inner}];").as_bytes());
                let list = inner.and_then(|inner| {
                    let item = *inner.nodes(inner.root(), &["const_item"]).first()?;
                    Some(inner.lower(item.child_by_field_name("value")?))
                });
                list.map_or(Value::Other(Expr::Null), |list| {
                    self.expr(file, &list, names, depth + 1)
                })
            }
            _ => Value::Other(Expr::Typed(kind.to_owned(), Box::new(Expr::Text(text.to_owned())))),
        }
    }

    fn chain(&mut self, file: &Rc<File>, chain: &Chain, names: &mut Names, depth: usize) -> Value {
        let (mut value, done) = match (&chain.base, chain.steps.first()) {
            (Expr::Name(name), Some(Step::Call(args, line))) => {
                match self.made(file, name, args, *line, names, depth) {
                    Some(value) => (value, 1),
                    None => {
                        return Value::Other(
                            self.files
                                .value(file, &bound(&Expr::Chain(Box::new(chain.clone())), names)),
                        );
                    }
                }
            }
            (base, _) => (self.expr(file, base, names, depth + 1), 0),
        };
        if matches!(value, Value::Other(_)) {
            return Value::Other(
                self.files
                    .value(file, &bound(&Expr::Chain(Box::new(chain.clone())), names)),
            );
        }
        for call in chain.calls().into_iter().filter(|call| call.at >= done) {
            value = self.method(file, value, call.name, call.args, call.line, names, depth);
        }
        value
    }

    /// `Command::new("x")`, `Arg::new("x")`, or a function of the scope.
    fn made(
        &mut self,
        file: &Rc<File>,
        path: &str,
        args: &[Arg],
        line: u32,
        names: &mut Names,
        depth: usize,
    ) -> Option<Value> {
        let mut parts = path.rsplit("::");
        let (last, owner) = (parts.next()?, parts.next().unwrap_or_default());
        let first = |this: &Self| positional(args, 0).map(|arg| this.files.value(file, &bound(arg, names)));
        match (owner, last) {
            ("Command" | "App" | "SubCommand", "new" | "with_name") => {
                let name = first(self)
                    .and_then(|name| name.text().map(str::to_owned))
                    .unwrap_or_default();
                return Some(Value::Command(Cmd { name, ..Cmd::default() }));
            }
            ("Arg", "new" | "with_name") => {
                let id = first(self)
                    .and_then(|id| id.text().map(str::to_owned))
                    .unwrap_or_default();
                let mut arg = ArgSpec::default();
                arg.id = id;
                arg.place = file.place_at(line);
                arg.old = last == "with_name" || file.source.text.contains("takes_value(");
                arg.in_scope = self.files.in_scope(&file.path);
                return Some(Value::Arg(arg));
            }
            ("", "Ok" | "Some") | ("Box", "new") => {
                let inner = positional(args, 0)?.clone();
                return Some(self.expr(file, &inner, names, depth + 1));
            }
            _ => {}
        }
        let known = self.functions.get(last)?;
        let own = known.iter().find(|(home, _)| home.path == file.path);
        let (home, range) = own.or_else(|| known.first().filter(|_| known.len() == 1))?.clone();
        let function = home.node_at(&range)?;
        self.called.insert((home.path.clone(), range.start));
        let mut inner = Names::new();
        for (name, arg) in parameters(&home, function).into_iter().zip(args) {
            let value = self.expr(file, &arg.value, names, depth + 1);
            inner.insert(name, value);
        }
        self.block(&home, function.child_by_field_name("body")?, &mut inner, depth + 1)
    }

    #[expect(clippy::too_many_arguments, reason = "a call, and where it stands")]
    fn method(
        &mut self,
        file: &Rc<File>,
        value: Value,
        name: &str,
        args: &[Arg],
        line: u32,
        names: &mut Names,
        depth: usize,
    ) -> Value {
        match value {
            Value::Arg(mut arg) => {
                let first = positional(args, 0).map(|first| self.files.value(file, &bound(first, names)));
                arg.set(name, first.as_ref());
                Value::Arg(arg)
            }
            Value::Command(mut command) => {
                let first = positional(args, 0);
                match name {
                    "arg" | "args" | "subcommand" | "subcommands" => {
                        let value = first.map(|first| self.expr(file, first, names, depth + 1));
                        let text = || first.and_then(Expr::path).unwrap_or_default();
                        put(&mut command, value, &file.place_at(line), &text);
                    }
                    "mut_arg" | "mut_subcommand" => {
                        let id = first.map(|id| self.files.value(file, &bound(id, names)));
                        let id = id.as_ref().and_then(Expr::text).unwrap_or_default().to_owned();
                        if let Some(Expr::Function(range)) = positional(args, 1) {
                            self.changed(file, &mut command, &id, range, names, depth);
                        }
                    }
                    "name" | "bin_name" => {
                        let name = first.map(|name| self.files.value(file, &bound(name, names)));
                        if let Some(name) = name.as_ref().and_then(Expr::text) {
                            name.clone_into(&mut command.name);
                        }
                    }
                    "alias" | "aliases" | "visible_alias" | "visible_aliases" => {
                        let others = first.map(|first| self.files.value(file, &bound(first, names)));
                        command
                            .aliases
                            .extend(others.and_then(|others| others.texts()).unwrap_or_default());
                    }
                    "hide" => command.hidden = first.and_then(Expr::bool) != Some(false),
                    name if name.contains("get_matches") => self.parsed.push(command.clone()),
                    _ => {}
                }
                Value::Command(command)
            }
            other => other,
        }
    }

    /// `.mut_arg("x", |arg| arg.hide(true))`
    fn changed(
        &mut self,
        file: &Rc<File>,
        command: &mut Cmd,
        id: &str,
        range: &Range<usize>,
        names: &Names,
        depth: usize,
    ) {
        let Some(closure) = file.node_at(range).filter(|node| node.kind() == "closure_expression") else {
            return;
        };
        let parameter = closure
            .child_by_field_name("parameters")
            .and_then(|list| children(list).first().copied());
        let (Some(parameter), Some(body)) = (parameter, closure.child_by_field_name("body")) else {
            return;
        };
        let parameter = parameter.child_by_field_name("pattern").unwrap_or(parameter);
        let mut inner = names.clone();
        for arg in command.args.iter_mut().filter(|arg| arg.id == id) {
            inner.insert(file.text(parameter).to_owned(), Value::Arg(arg.clone()));
            if let Value::Arg(changed) = self.node(file, body, &mut inner, depth + 1) {
                *arg = changed;
            }
        }
        for sub in command.subs.iter_mut().filter(|sub| sub.name == id) {
            inner.insert(file.text(parameter).to_owned(), Value::Command(sub.clone()));
            if let Value::Command(changed) = self.node(file, body, &mut inner, depth + 1) {
                *sub = changed;
            }
        }
    }
}

fn parameters(file: &File, function: Node<'_>) -> Vec<String> {
    let list = function
        .child_by_field_name("parameters")
        .map(children)
        .unwrap_or_default();
    let patterns = list.into_iter().filter(|parameter| parameter.kind() == "parameter");
    let patterns = patterns.filter_map(|parameter| parameter.child_by_field_name("pattern"));
    patterns
        .map(|pattern| file.text(pattern).trim_start_matches("mut ").to_owned())
        .collect()
}
