//! Declarations out of the syntax tree.

use std::sync::LazyLock;

use agent_contracts_wire::Stability;
use regex::Regex;
use tree_sitter::{Language, Node};

use super::expr::{annotation, expression};
use super::facts::{Alias, Class, Decl, Expr, Facts, Import, Member, Method, What};
use super::{envelope, literals};
use crate::stability::of_comment;
use crate::syntax::{Source, children, comment_above, fields, line, walk};

pub(super) static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_python::LANGUAGE.into());
#[expect(clippy::unwrap_used, reason = "the pattern is a constant that every test compiles")]
static DECLARES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^(?:class\s+|type\s+)?([A-Za-z_]\w*)\s*(?:[:(\[=]|$)").unwrap());

/// How deep classes and conditions may nest.
const MAX_DEPTH: usize = 20;

pub(super) fn read(bytes: &[u8]) -> Facts {
    let source = match Source::parse(&LANGUAGE, bytes) {
        Ok(source) => source,
        Err(damage) => {
            return Facts {
                damage: vec![damage],
                ..Facts::default()
            };
        }
    };
    let mut facts = Facts {
        damage: source.damage(hidden),
        ..Facts::default()
    };
    for node in source.statements() {
        statement(&source, node, "", &mut facts, 0);
    }
    envelope::places(&source, &mut facts);
    facts.literals = literals::find(&source);
    facts
}

/// Names that an unreadable statement may declare.
fn hidden(node: Node<'_>, text: &str) -> Option<Vec<String>> {
    let names: Vec<String> = DECLARES
        .captures_iter(text)
        .filter_map(|found| found.get(1))
        .map(|name| name.as_str().to_owned())
        .filter(|name| !["def", "if", "else", "try", "for", "with", "return", "async"].contains(&name.as_str()))
        .collect();
    let is_function = node.kind() == "function_definition"
        || node
            .child_by_field_name("definition")
            .is_some_and(|definition| definition.kind() == "function_definition");
    (!is_function || !names.is_empty()).then_some(names)
}

/// One statement of a module; `outer` is the class it stands in, with a dot at its end.
fn statement(source: &Source<'_>, node: Node<'_>, outer: &str, facts: &mut Facts, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match node.kind() {
        "import_statement" | "import_from_statement" => imports(source, node, facts),
        "class_definition" => class(source, node, node, outer, facts, depth),
        "decorated_definition" => {
            if let Some(definition) = node.child_by_field_name("definition")
                && definition.kind() == "class_definition"
            {
                class(source, definition, node, outer, facts, depth);
            }
        }
        "type_alias_statement" => alias_statement(source, node, outer, facts),
        "expression_statement" => {
            if let Some(assignment) = children(node).first().filter(|inner| inner.kind() == "assignment") {
                module_assignment(source, *assignment, outer, facts);
            }
        }
        // Declarations under a condition count: `if TYPE_CHECKING`, `try: … except ImportError`.
        "if_statement" | "elif_clause" | "else_clause" | "try_statement" | "except_clause" | "finally_clause"
        | "block" | "with_statement" => {
            for child in children(node) {
                statement(source, child, outer, facts, depth + 1);
            }
        }
        _ => {}
    }
}

fn imports(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    let named = |name: Node<'_>| -> (String, String) {
        if name.kind() == "aliased_import" {
            let real = source.field(name, "name").unwrap_or_default().to_owned();
            let alias = source.field(name, "alias").unwrap_or_default().to_owned();
            return (alias, real);
        }
        let real = source.of(name).to_owned();
        (real.clone(), real)
    };
    if node.kind() == "import_statement" {
        for name in fields(node, "name") {
            let (local, module) = named(name);
            facts.imports.push(Import {
                local,
                dots: 0,
                module,
                name: None,
            });
        }
        return;
    }
    let from = source.field(node, "module_name").unwrap_or_default();
    let module = from.trim_start_matches('.');
    let dots = from.len() - module.len();
    for name in fields(node, "name") {
        let (local, real) = named(name);
        facts.imports.push(Import {
            local,
            dots,
            module: module.to_owned(),
            name: Some(real),
        });
    }
    if children(node).iter().any(|child| child.kind() == "wildcard_import") {
        facts.imports.push(Import {
            local: "*".to_owned(),
            dots,
            module: module.to_owned(),
            name: None,
        });
    }
}

fn alias_statement(source: &Source<'_>, node: Node<'_>, outer: &str, facts: &mut Facts) {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return;
    };
    if node.has_error() {
        return;
    }
    // `type X[T] = …` has its parameters as a subscript of the name.
    let (name, params) = match expression(source, left, 0) {
        Expr::Name(name) => (name, vec![]),
        Expr::Subscript(base, params) => {
            let names = params.iter().filter_map(|param| param.base_name().map(str::to_owned));
            (base.base_name().unwrap_or_default().to_owned(), names.collect())
        }
        _ => return,
    };
    facts.decls.push(Decl {
        name: format!("{outer}{name}"),
        line: line(node),
        stability: said(source, node),
        what: What::Alias(Alias {
            params,
            expr: annotation(source, right),
            explicit: true,
        }),
    });
}

fn module_assignment(source: &Source<'_>, node: Node<'_>, outer: &str, facts: &mut Facts) {
    let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
        return;
    };
    if left.kind() != "identifier" || node.has_error() {
        return;
    }
    let name = source.of(left);
    let said_type = node.child_by_field_name("type").map(|ty| annotation(source, ty));
    let is_alias = said_type.as_ref().is_some_and(|ty| ty.last_name() == Some("TypeAlias"));
    let value = expression(source, right, 0);
    let what = match (&value, value.last_name()) {
        _ if is_alias => What::Alias(Alias {
            params: vec![],
            expr: annotation(source, right),
            explicit: true,
        }),
        (Expr::Text(_) | Expr::Number(_), _) => What::Constant(value),
        (Expr::Call(_, arguments), Some("TypeVar")) => {
            let bound = value.keyword("bound").cloned();
            let choices: Vec<Expr> = arguments
                .iter()
                .skip(1)
                .filter(|(key, _)| key.is_none())
                .map(|(_, ty)| ty.clone())
                .collect();
            What::Variable(bound.or((!choices.is_empty()).then_some(Expr::Union(choices))))
        }
        (Expr::Call(_, arguments), Some("NewType")) => match arguments.get(1) {
            Some((_, of)) => What::Alias(Alias {
                params: vec![],
                expr: of.clone(),
                explicit: true,
            }),
            None => return,
        },
        (Expr::Call(_, arguments), Some("TypedDict")) => match arguments.get(1) {
            Some((_, Expr::Dict(pairs))) => What::Class(functional(&value, pairs, line(node))),
            _ => return,
        },
        (Expr::Call(..), Some("TypeAliasType")) => match &value {
            Expr::Call(_, arguments) if arguments.len() > 1 => What::Alias(Alias {
                params: vec![],
                expr: arguments[1].1.clone(),
                explicit: true,
            }),
            _ => return,
        },
        (Expr::Name(_) | Expr::Subscript(..) | Expr::Union(_), _) if said_type.is_none() => What::Alias(Alias {
            params: vec![],
            expr: annotation(source, right),
            explicit: false,
        }),
        _ => {
            let mut names = vec![];
            walk(right, &mut |node| {
                if node.kind() == "identifier" {
                    names.push(source.of(node).to_owned());
                }
                true
            });
            facts.mentions.push((name.to_owned(), names));
            return;
        }
    };
    facts.decls.push(Decl {
        name: format!("{outer}{name}"),
        line: line(node),
        stability: said(source, node),
        what,
    });
}

/// `X = TypedDict("X", {"a": int}, total=False)`.
fn functional(call: &Expr, pairs: &[(Expr, Expr)], line: u32) -> Class {
    let members = pairs.iter().filter_map(|(key, ty)| {
        Some(Member {
            name: key.text()?.to_owned(),
            annotation: Some(ty.clone()),
            value: None,
            line,
            stability: Stability::Stable,
        })
    });
    Class {
        bases: vec![Expr::Name("typing.TypedDict".to_owned())],
        config: call
            .keyword("total")
            .map(|total| ("total".to_owned(), total.clone()))
            .into_iter()
            .collect(),
        members: members.collect(),
        ..Class::default()
    }
}

fn class(source: &Source<'_>, node: Node<'_>, whole: Node<'_>, outer: &str, facts: &mut Facts, depth: usize) {
    let (Some(name), Some(body)) = (source.field(node, "name"), node.child_by_field_name("body")) else {
        return;
    };
    let full = format!("{outer}{name}");
    let mut class = Class {
        decorators: decorators(source, whole),
        ..Class::default()
    };
    for param in node
        .child_by_field_name("type_parameters")
        .map(children)
        .unwrap_or_default()
    {
        class
            .params
            .extend(expression(source, param, 0).base_name().map(str::to_owned));
    }
    for base in node
        .child_by_field_name("superclasses")
        .map(children)
        .unwrap_or_default()
    {
        if base.kind() == "keyword_argument" {
            if let (Some(key), Some(value)) = (source.field(base, "name"), base.child_by_field_name("value")) {
                class.config.push((key.to_owned(), expression(source, value, 0)));
            }
        } else {
            class.bases.push(annotation(source, base));
        }
    }
    let inside = format!("{full}.");
    let mut doc = String::new();
    let statements = children(body);
    for (at, &statement) in statements.iter().enumerate() {
        if statement.has_error() && statement.kind() != "function_definition" {
            continue;
        }
        match statement.kind() {
            "expression_statement" => {
                let Some(&inner) = children(statement).first() else {
                    continue;
                };
                if inner.kind() == "string" && at == 0 {
                    source.of(inner).trim_matches(['"', '\'']).clone_into(&mut doc);
                } else if inner.kind() == "assignment" {
                    let next = statements.get(at + 1).copied();
                    member(source, inner, statement, next, &mut class);
                }
            }
            "function_definition" => method(source, statement, statement, &mut class),
            "decorated_definition" => match statement.child_by_field_name("definition") {
                Some(inner) if inner.kind() == "function_definition" => method(source, inner, statement, &mut class),
                _ => self::statement(source, statement, &inside, facts, depth + 1),
            },
            "class_definition" if source.field(statement, "name") == Some("Config") => {
                for inner in statement.child_by_field_name("body").map(children).unwrap_or_default() {
                    config(source, inner, &mut class);
                }
            }
            "class_definition" | "type_alias_statement" => {
                self::statement(source, statement, &inside, facts, depth + 1);
            }
            _ => {}
        }
    }
    let mut stability = of_comment(&comment_above(source, whole)).max(of_comment(&doc));
    if class
        .decorators
        .iter()
        .any(|decorator| decorator.last_name() == Some("deprecated"))
    {
        stability = Stability::Deprecated;
    }
    facts.decls.push(Decl {
        name: full,
        line: line(node),
        stability,
        what: What::Class(class),
    });
}

fn decorators(source: &Source<'_>, node: Node<'_>) -> Vec<Expr> {
    let all = children(node).into_iter().filter(|child| child.kind() == "decorator");
    all.filter_map(|decorator| children(decorator).first().copied())
        .map(|expr| expression(source, expr, 0))
        .collect()
}

/// `key = value` of an inner `class Config`.
fn config(source: &Source<'_>, statement: Node<'_>, class: &mut Class) {
    let Some(assignment) = children(statement)
        .first()
        .copied()
        .filter(|inner| inner.kind() == "assignment")
    else {
        return;
    };
    if let (Some(key), Some(value)) = (
        source.field(assignment, "left"),
        assignment.child_by_field_name("right"),
    ) {
        class.config.push((key.to_owned(), expression(source, value, 0)));
    }
}

fn member(source: &Source<'_>, node: Node<'_>, statement: Node<'_>, next: Option<Node<'_>>, class: &mut Class) {
    let Some(left) = node
        .child_by_field_name("left")
        .filter(|left| left.kind() == "identifier")
    else {
        return;
    };
    let name = source.of(left);
    let value = node
        .child_by_field_name("right")
        .map(|right| expression(source, right, 0));
    if name == "model_config" {
        match value {
            Some(Expr::Call(_, arguments)) => {
                class
                    .config
                    .extend(arguments.into_iter().filter_map(|(key, value)| Some((key?, value))));
            }
            Some(Expr::Dict(pairs)) => {
                let pairs = pairs
                    .into_iter()
                    .filter_map(|(key, value)| Some((key.text()?.to_owned(), value)));
                class.config.extend(pairs);
            }
            _ => {}
        }
        return;
    }
    // A string right below a member is its description.
    let doc = next
        .filter(|next| next.kind() == "expression_statement")
        .and_then(|next| children(next).first().copied())
        .filter(|inner| inner.kind() == "string")
        .map(|inner| source.of(inner).trim_matches(['"', '\'']).to_owned())
        .unwrap_or_default();
    class.members.push(Member {
        name: name.to_owned(),
        annotation: node.child_by_field_name("type").map(|ty| annotation(source, ty)),
        value,
        line: line(statement),
        stability: of_comment(&comment_above(source, statement)).max(of_comment(&doc)),
    });
}

fn method(source: &Source<'_>, node: Node<'_>, whole: Node<'_>, class: &mut Class) {
    let Some(name) = source.field(node, "name") else { return };
    class.methods.push(Method {
        name: name.to_owned(),
        decorators: decorators(source, whole),
        returns: node.child_by_field_name("return_type").map(|ty| annotation(source, ty)),
        line: line(node),
    });
}

/// What the comment above a statement, or the string below it, says.
fn said(source: &Source<'_>, node: Node<'_>) -> Stability {
    let statement = node
        .parent()
        .filter(|parent| parent.kind() == "expression_statement")
        .unwrap_or(node);
    let below = statement
        .next_named_sibling()
        .filter(|next| next.kind() == "expression_statement")
        .and_then(|next| next.named_child(0))
        .filter(|inner| inner.kind() == "string")
        .map(|inner| source.of(inner).trim_matches(['"', '\'']).to_owned());
    of_comment(&comment_above(source, statement)).max(of_comment(&below.unwrap_or_default()))
}
