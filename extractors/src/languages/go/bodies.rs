//! What matters of function bodies: what a method of a type writes, and which constants stand for which types.

use tree_sitter::Node;

use super::consts::evaluate;
use super::facts::{Facts, GoType, Marshal, Member, Method, OTHERWISE, Value, Written};
use super::read::{members, ty_of};
use super::tags::Tag;
use crate::syntax::{Source, children, line, walk};

/// How many constants one arm of a switch may name.
const MAX_CANDIDATES: usize = 4;

/// Records a method of a type.
pub(super) fn method(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    let receiver = node.child_by_field_name("receiver").map(children).unwrap_or_default();
    let (Some(&receiver), Some(name)) = (receiver.first(), source.field(node, "name")) else {
        return;
    };
    let Some(on) = receiver
        .child_by_field_name("type")
        .and_then(|ty| base_name(&ty_of(source, ty, 0)))
    else {
        return;
    };
    let mut method = Method {
        name: name.to_owned(),
        cases: vec![],
        returns: None,
        as_text: false,
        calls: vec![],
        indexes: vec![],
        marshal: None,
        on,
    };
    if let Some(block) = node.child_by_field_name("body") {
        let on = method.on.clone();
        let body = Body {
            source,
            on: &on,
            this: source.field(receiver, "name").unwrap_or("_"),
            block,
        };
        method.returns = body.only_return();
        if ["MarshalJSON", "MarshalText", "String"].contains(&name) {
            body.texts(&mut method);
        }
        if name == "MarshalJSON" {
            method.marshal = Some(body.marshal());
        }
    }
    facts.methods.push(method);
}

/// Records package variables that map constants to texts: `var names = map[Kind]string{A: "a"}`.
pub(super) fn tables(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    walk(node, &mut |node| {
        if node.kind() == "func_literal" {
            return false;
        }
        if node.kind() == "var_spec"
            && let Some(name) = source.field(node, "name")
            && let Some(&value) = node
                .child_by_field_name("value")
                .map(children)
                .unwrap_or_default()
                .first()
            && value.kind() == "composite_literal"
        {
            let rows = rows(source, value);
            if !rows.is_empty() {
                facts.tables.push((name.to_owned(), rows));
            }
        }
        true
    });
}

/// Records which constants stand for which types, in both directions of a switch.
pub(super) fn pairs(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    walk(node, &mut |node| {
        match node.kind() {
            "type_case" => {
                let mut cursor = node.walk();
                let types: Vec<String> = node
                    .children_by_field_name("type", &mut cursor)
                    .filter(Node::is_named)
                    .filter_map(|ty| base_name(&ty_of(source, ty, 0)))
                    .collect();
                for constant in constants(source, node) {
                    facts
                        .pairs
                        .extend(types.iter().map(|ty| (ty.clone(), constant.clone())));
                }
            }
            "expression_case" => {
                let values = node.child_by_field_name("value").map(children).unwrap_or_default();
                if let Some(ty) = first_type(source, node) {
                    let named = values
                        .into_iter()
                        .filter(|value| ["identifier", "selector_expression"].contains(&value.kind()));
                    facts
                        .pairs
                        .extend(named.map(|value| (ty.clone(), source.of(value).to_owned())));
                }
            }
            _ => {}
        }
        true
    });
}

/// Names that an arm of a type switch assigns, returns or writes into a literal.
fn constants(source: &Source<'_>, case: Node<'_>) -> Vec<String> {
    let mut found = vec![];
    walk(case, &mut |node| {
        let values = match node.kind() {
            "assignment_statement" | "short_var_declaration" => node.child_by_field_name("right").map(children),
            "return_statement" => children(node).first().map(|&list| children(list)),
            "keyed_element" => children(node).last().map(|&value| children(value)),
            "type_switch_statement" | "expression_switch_statement" => return false,
            _ => None,
        };
        for value in values.unwrap_or_default() {
            let name = source.of(value);
            if ["identifier", "selector_expression"].contains(&value.kind())
                && found.len() < MAX_CANDIDATES
                && !found.iter().any(|known| known == name)
            {
                found.push(name.to_owned());
            }
        }
        true
    });
    found
}

/// The type that an arm of a switch declares or builds first.
fn first_type(source: &Source<'_>, case: Node<'_>) -> Option<String> {
    let mut found = None;
    walk(case, &mut |node| {
        if found.is_none() && ["var_spec", "composite_literal"].contains(&node.kind()) {
            found = node
                .child_by_field_name("type")
                .and_then(|ty| base_name(&ty_of(source, ty, 0)));
        }
        found.is_none() && !["type_switch_statement", "expression_switch_statement"].contains(&node.kind())
    });
    found
}

/// The name of a type without its pointer and its arguments.
fn base_name(ty: &GoType) -> Option<String> {
    match ty {
        GoType::Name(name) => Some(name.clone()),
        GoType::Qualified(package, name) => Some(format!("{package}.{name}")),
        GoType::Pointer(to) | GoType::Instance(to, _) => base_name(to),
        _ => None,
    }
}

/// Keys and texts of a composite literal; a list gives `#0`, `#1`, ….
fn rows(source: &Source<'_>, literal: Node<'_>) -> Vec<(String, String)> {
    let Some(body) = literal.child_by_field_name("body") else {
        return vec![];
    };
    let mut rows = vec![];
    for (at, element) in children(body).into_iter().enumerate() {
        let (key, value) = if element.kind() == "keyed_element" {
            let parts = children(element);
            let (Some(&key), Some(&value)) = (parts.first(), parts.get(1)) else {
                continue;
            };
            (source.of(key).to_owned(), value)
        } else {
            (format!("#{at}"), element)
        };
        if let (Value::Text(text), _) = evaluate(source, unwrapped(value), 0, 0) {
            rows.push((key, text));
        }
    }
    rows
}

/// The expression inside a `literal_element`.
fn unwrapped(node: Node<'_>) -> Node<'_> {
    if node.kind() == "literal_element" {
        children(node).first().copied().unwrap_or(node)
    } else {
        node
    }
}

struct Body<'s, 't> {
    source: &'s Source<'s>,
    /// The type that the method belongs to, and the name that the receiver has in it.
    on: &'s str,
    this: &'s str,
    block: Node<'t>,
}

impl<'t> Body<'_, 't> {
    fn statements(&self) -> Vec<Node<'t>> {
        let mut all = vec![];
        for child in children(self.block) {
            if child.kind() == "statement_list" {
                all.extend(children(child));
            } else {
                all.push(child);
            }
        }
        all
    }

    /// The constant that the only statement returns.
    fn only_return(&self) -> Option<Value> {
        let statements = self.statements();
        let [only] = statements.as_slice() else { return None };
        let value = returned(*only)?;
        match evaluate(self.source, value, 0, 0).0 {
            Value::Unknown => None,
            value => Some(value),
        }
    }

    /// Everything by which the body may turn the receiver into a text.
    fn texts(&self, method: &mut Method) {
        let source = self.source;
        walk(self.block, &mut |node| {
            match node.kind() {
                "expression_case" | "default_case" => {
                    let keys = node.child_by_field_name("value").map(children).unwrap_or_default();
                    let mut text = None;
                    walk(node, &mut |inner| {
                        if let (None, Some(value)) = (&text, returned(inner))
                            && let (Value::Text(found), _) = evaluate(source, value, 0, 0)
                        {
                            text = Some(found);
                        }
                        true
                    });
                    if let Some(text) = text {
                        if node.kind() == "default_case" {
                            method.cases.push((OTHERWISE.to_owned(), text.clone()));
                        }
                        let rows = keys.into_iter().map(|key| (source.of(key).to_owned(), text.clone()));
                        method.cases.extend(rows);
                    }
                }
                "index_expression" => match node.child_by_field_name("operand") {
                    Some(table) if table.kind() == "composite_literal" => method.cases.extend(rows(source, table)),
                    Some(table) if table.kind() == "identifier" => method.indexes.push(source.of(table).to_owned()),
                    _ => {}
                },
                "call_expression" => {
                    if let Some(name) = self.called(node) {
                        method.calls.push(name);
                    } else if source.field(node, "function") == Some("string") && self.is_about_this(node) {
                        method.as_text = true;
                    }
                }
                "type_conversion_expression" if self.is_about_this(node) => method.as_text = true,
                _ => {}
            }
            true
        });
    }

    fn is_about_this(&self, conversion: Node<'_>) -> bool {
        let arguments = conversion
            .child_by_field_name("arguments")
            .map(children)
            .unwrap_or_default();
        let operand = conversion.child_by_field_name("operand").or(arguments.first().copied());
        operand.is_some_and(|operand| self.source.of(operand).trim_start_matches('*') == self.this)
    }

    /// The method that a call calls on the receiver.
    fn called(&self, call: Node<'_>) -> Option<String> {
        let function = call.child_by_field_name("function")?;
        if function.kind() != "selector_expression" || self.source.field(function, "operand") != Some(self.this) {
            return None;
        }
        self.source.field(function, "field").map(str::to_owned)
    }

    fn marshal(&self) -> Marshal {
        let mut found = vec![];
        walk(self.block, &mut |node| {
            if let Some(value) = returned(node) {
                found.extend(self.written(value));
            }
            node.kind() != "func_literal"
        });
        // Bytes that are handed on can be anything; else the most telling way counts.
        let rank = |marshal: &Marshal| match marshal {
            Marshal::Raw => 4,
            Marshal::Struct(..) => 3,
            Marshal::OneOfFields => 2,
            Marshal::One(_) => 1,
            Marshal::Unknown => 0,
        };
        found.into_iter().max_by_key(rank).unwrap_or(Marshal::Unknown)
    }

    /// What a returned expression writes; `None` for `nil`, which stands beside an error.
    fn written(&self, value: Node<'t>) -> Option<Marshal> {
        let source = self.source;
        Some(match value.kind() {
            "nil" => return None,
            "call_expression" => {
                let function = source.field(value, "function").unwrap_or_default();
                let arguments = value.child_by_field_name("arguments").map(children).unwrap_or_default();
                if function.ends_with("arshalUnion") {
                    Marshal::OneOfFields
                } else if function.ends_with(".Marshal") || function.ends_with(".MarshalIndent") {
                    match arguments.first() {
                        Some(&argument) => self.argument(argument, 0),
                        None => Marshal::Unknown,
                    }
                } else {
                    Marshal::Unknown
                }
            }
            "selector_expression" if source.field(value, "operand") == Some(self.this) => Marshal::Raw,
            "type_conversion_expression" => match evaluate(source, value, 0, 0).0 {
                Value::Text(text) if text == "null" => return None,
                _ => Marshal::One(Written::Text),
            },
            _ => Marshal::Unknown,
        })
    }

    /// What `json.Marshal(node)` writes.
    fn argument(&self, node: Node<'t>, depth: usize) -> Marshal {
        if depth > 8 {
            return Marshal::Unknown;
        }
        let source = self.source;
        match node.kind() {
            "unary_expression" => match node.child_by_field_name("operand") {
                Some(operand) => self.argument(operand, depth + 1),
                None => Marshal::Unknown,
            },
            "parenthesized_expression" => match children(node).first() {
                Some(&inner) => self.argument(inner, depth + 1),
                None => Marshal::Unknown,
            },
            "composite_literal" => self.composite(node),
            "identifier" => match self.variable(source.of(node)) {
                Some(value) => self.argument(value, depth + 1),
                None => Marshal::Unknown,
            },
            "selector_expression" if source.field(node, "operand") == Some(self.this) => {
                let field = source.field(node, "field").unwrap_or_default();
                Marshal::One(Written::Field(field.to_owned()))
            }
            "call_expression" | "type_conversion_expression" => {
                let function = source.field(node, "function").or_else(|| source.field(node, "type"));
                if let Some(name) = self.called(node) {
                    Marshal::One(Written::Call(name))
                } else if function.is_some_and(|name| self.is_alias(name.trim_matches(['(', ')', '*']))) {
                    Marshal::Struct(vec![self.receiver(node)], vec![])
                } else if function.is_some_and(|name| name == "string" || name.starts_with("fmt.Sprint")) {
                    Marshal::One(Written::Text)
                } else {
                    Marshal::Unknown
                }
            }
            "interpreted_string_literal" | "raw_string_literal" => Marshal::One(Written::Text),
            _ => Marshal::Unknown,
        }
    }

    /// A struct, or a map with known keys, that is built on the spot.
    fn composite(&self, node: Node<'t>) -> Marshal {
        let source = self.source;
        let (Some(ty), Some(body)) = (node.child_by_field_name("type"), node.child_by_field_name("body")) else {
            return Marshal::Unknown;
        };
        let mut values = vec![];
        for element in children(body)
            .into_iter()
            .filter(|element| element.kind() == "keyed_element")
        {
            if let [key, value] = children(element)[..] {
                values.push((source.of(key), self.value(unwrapped(value)), line(element)));
            }
        }
        let declared = match ty.kind() {
            "struct_type" => Some(ty),
            "type_identifier" => self.local_type(source.of(ty)).filter(|ty| ty.kind() == "struct_type"),
            _ => None,
        };
        if let Some(declared) = declared {
            let mut members = members(source, declared, 0);
            for member in members.iter_mut().filter(|member| member.embedded) {
                if base_name(&member.ty).is_some_and(|name| self.is_alias(&name)) {
                    member.ty = GoType::Receiver;
                }
            }
            let values = values
                .into_iter()
                .map(|(key, value, _)| (key.to_owned(), value))
                .collect();
            return Marshal::Struct(members, values);
        }
        if ty.kind() != "map_type" {
            return Marshal::Unknown;
        }
        let (mut members, mut written) = (vec![], vec![]);
        for (key, value, line) in values {
            let name = super::read::literal(key);
            // A key of a map is always written; a Go name in lower case would not be.
            let member = format!("Key {name}");
            members.push(Member {
                name: member.clone(),
                embedded: false,
                ty: GoType::Name("any".to_owned()),
                tag: Tag {
                    json: true,
                    name,
                    ..Tag::default()
                },
                line,
                stability: agent_contracts_wire::Stability::Stable,
            });
            written.push((member, value));
        }
        Marshal::Struct(members, written)
    }

    fn value(&self, node: Node<'_>) -> Written {
        let source = self.source;
        if node.kind() == "call_expression" {
            return self.called(node).map_or(Written::Other, Written::Call);
        }
        if node.kind() == "selector_expression" && source.field(node, "operand") == Some(self.this) {
            return Written::Field(source.field(node, "field").unwrap_or_default().to_owned());
        }
        match evaluate(source, node, 0, 0).0 {
            Value::Unknown => Written::Other,
            value => Written::Constant(value),
        }
    }

    /// The receiver's own fields, as an embedded member.
    fn receiver(&self, node: Node<'_>) -> Member {
        Member {
            name: self.on.to_owned(),
            embedded: true,
            ty: GoType::Receiver,
            tag: Tag::default(),
            line: line(node),
            stability: agent_contracts_wire::Stability::Stable,
        }
    }

    /// The type that a local `type name …` stands for.
    fn local_type(&self, name: &str) -> Option<Node<'t>> {
        let mut found = None;
        walk(self.block, &mut |node| {
            if ["type_spec", "type_alias"].contains(&node.kind()) && self.source.field(node, "name") == Some(name) {
                found = node.child_by_field_name("type");
            }
            found.is_none()
        });
        found
    }

    /// Whether a local type is the receiver's type without its methods.
    fn is_alias(&self, name: &str) -> bool {
        self.local_type(name).is_some_and(|ty| self.source.of(ty) == self.on)
    }

    /// The value that a local variable is declared with.
    fn variable(&self, name: &str) -> Option<Node<'t>> {
        let mut found = None;
        walk(self.block, &mut |node| {
            let (left, right) = match node.kind() {
                "short_var_declaration" => ("left", "right"),
                "var_spec" => ("name", "value"),
                _ => return found.is_none(),
            };
            if self.source.field(node, left) == Some(name) {
                found = node.child_by_field_name(right).and_then(|value| match value.kind() {
                    "expression_list" => children(value).first().copied(),
                    _ => Some(value),
                });
            }
            found.is_none()
        });
        found
    }
}

/// The first expression of a `return`.
fn returned(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() != "return_statement" {
        return None;
    }
    let list = children(node).first().copied()?;
    match list.kind() {
        "expression_list" => children(list).first().copied(),
        _ => Some(list),
    }
}
