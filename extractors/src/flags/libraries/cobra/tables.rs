//! Flags that are declared by a loop over a table: each row is one.

use std::rc::Rc;

use tree_sitter::Node;

use crate::flags::code::children;
use crate::flags::expr::{Arg, Chain, Entry, Expr, Step};
use crate::flags::files::{File, Files};

/// The most rows that are read.
const MAX_ROWS: usize = 2000;

/// The arguments of a call, once for each row of the loops around it that reach it. A call outside of loops over tables
/// has one set.
pub(super) fn rows(files: &Files<'_>, file: &Rc<File>, call: Node<'_>, args: &[Arg]) -> Vec<Vec<Arg>> {
    let mut sets = vec![args.to_vec()];
    let mut at = call;
    let mut cases = Vec::new();
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "expression_case" | "default_case" | "type_case" => cases.push(parent),
            "for_statement" => {
                if let Some(looped) = Loop::read(files, file, parent) {
                    let reached = looped
                        .rows
                        .iter()
                        .filter(|row| cases.iter().all(|case| looped.reaches(files, file, *case, row)));
                    let reached: Vec<&Row> = reached.collect();
                    let each = |args: &Vec<Arg>| -> Vec<Vec<Arg>> {
                        reached
                            .iter()
                            .map(|row| args.iter().map(|arg| looped.put(arg, row)).collect())
                            .collect()
                    };
                    sets = sets.iter().flat_map(each).take(MAX_ROWS).collect();
                }
            }
            "function_declaration" | "method_declaration" => break,
            _ => {}
        }
        at = parent;
    }
    sets
}

/// One row: its key or index, and its value.
struct Row {
    key: Expr,
    value: Expr,
}

/// `for key, value := range table`
struct Loop {
    key: String,
    value: String,
    rows: Vec<Row>,
}

impl Loop {
    fn read(files: &Files<'_>, file: &Rc<File>, node: Node<'_>) -> Option<Self> {
        let clause = children(node)
            .into_iter()
            .find(|child| child.kind() == "range_clause")?;
        let names = children(clause.child_by_field_name("left")?);
        let mut names = names.into_iter().map(|name| file.text(name).to_owned());
        let table = files.value(file, &file.lower(clause.child_by_field_name("right")?));
        let Expr::Typed(ty, body) = table else { return None };
        let rows = match *body {
            Expr::List(items) => items
                .into_iter()
                .enumerate()
                .map(|(index, value)| Row {
                    key: Expr::Number(index.to_string()),
                    value: with_names(files, file, &ty, value),
                })
                .collect(),
            Expr::Table(entries) => entries
                .into_iter()
                .map(|entry| Row {
                    key: Expr::Text(entry.key),
                    value: with_names(files, file, &ty, entry.value),
                })
                .collect(),
            _ => return None,
        };
        Some(Self {
            key: names.next()?,
            value: names.next().unwrap_or_default(),
            rows,
        })
    }

    /// An argument with the variables of the loop replaced.
    fn put(&self, arg: &Arg, row: &Row) -> Arg {
        Arg {
            name: arg.name.clone(),
            value: self.replace(&arg.value, row, 0),
        }
    }

    fn replace(&self, expr: &Expr, row: &Row, depth: usize) -> Expr {
        if depth > 20 {
            return expr.clone();
        }
        match expr {
            Expr::Name(name) if *name == self.value => row.value.clone(),
            Expr::Name(name) if *name == self.key => row.key.clone(),
            Expr::Chain(chain) => {
                let base = self.replace(&chain.base, row, depth + 1);
                let mut value = &base;
                let mut used = 0;
                for step in &chain.steps {
                    let (Step::Member(name), Some(inner)) = (step, member(value, step)) else {
                        break;
                    };
                    let _ = name;
                    value = inner;
                    used += 1;
                }
                let rest = chain.steps.get(used..).unwrap_or_default();
                if rest.is_empty() {
                    return value.clone();
                }
                Expr::Chain(Box::new(Chain {
                    base: value.clone(),
                    steps: rest.to_vec(),
                }))
            }
            Expr::Joined(parts) => Expr::Joined(parts.iter().map(|part| self.replace(part, row, depth + 1)).collect()),
            other => other.clone(),
        }
    }

    /// Whether a row comes to a case of the switch around the call.
    fn reaches(&self, files: &Files<'_>, file: &Rc<File>, case: Node<'_>, row: &Row) -> bool {
        let Some(switch) = case.parent() else { return true };
        let Some(value) = switch.child_by_field_name("value") else {
            return true;
        };
        let value = files.value(file, &self.replace(&file.lower(value), row, 0));
        let takes = |case: Node<'_>| -> Option<bool> {
            match case.kind() {
                "type_case" => {
                    let mut cursor = case.walk();
                    let types: Vec<&str> = case
                        .children_by_field_name("type", &mut cursor)
                        .map(|ty| file.text(ty))
                        .collect();
                    Some(types.contains(&kind(&value)?))
                }
                "expression_case" => {
                    let cases = children(case.child_by_field_name("value")?);
                    let cases = cases.into_iter().map(|case| files.value(file, &file.lower(case)));
                    value.literal()?;
                    Some(cases.into_iter().any(|case| case == value))
                }
                _ => None,
            }
        };
        match case.kind() {
            "default_case" => !children(switch).into_iter().any(|other| takes(other) == Some(true)),
            _ => takes(case).unwrap_or(true),
        }
    }
}

fn member<'e>(value: &'e Expr, step: &Step) -> Option<&'e Expr> {
    match step {
        Step::Member(name) => value.get(name),
        _ => None,
    }
}

/// The Go type of a literal.
fn kind(value: &Expr) -> Option<&str> {
    match value {
        Expr::Text(_) => Some("string"),
        Expr::Bool(_) => Some("bool"),
        Expr::Number(number) => Some(if number.contains('.') { "float64" } else { "int" }),
        Expr::Typed(ty, _) => Some(ty),
        _ => None,
    }
}

/// A row without names gets those of its struct.
fn with_names(files: &Files<'_>, file: &Rc<File>, ty: &str, row: Expr) -> Expr {
    let (row, ty) = match row {
        Expr::Typed(own, body) => (*body, own),
        row => (row, ty.to_owned()),
    };
    let Expr::List(values) = row else { return row };
    let inner = ty.rsplit(']').next().unwrap_or(&ty).trim_start_matches('*').trim();
    let names: Vec<String> = match inner.strip_prefix("struct") {
        Some(fields) => field_names(fields),
        None => match files.meaning(file, inner) {
            Some((_, Expr::Typed(kind, fields))) if kind == "struct" => fields.texts().unwrap_or_default(),
            _ => Vec::new(),
        },
    };
    if names.is_empty() {
        return Expr::List(values);
    }
    let entries = names
        .into_iter()
        .zip(values)
        .map(|(key, value)| Entry { key, value, line: 0 });
    Expr::Table(entries.collect())
}

/// The names of the fields of a struct that is written in place.
fn field_names(body: &str) -> Vec<String> {
    let lines = body
        .trim()
        .trim_start_matches('{')
        .trim_end_matches('}')
        .split(['\n', ';']);
    let names = lines.filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (_, names) = words.split_last()?;
        Some(
            names
                .iter()
                .map(|name| name.trim_matches(',').to_owned())
                .collect::<Vec<_>>(),
        )
    });
    names.flatten().filter(|name| !name.is_empty()).collect()
}
