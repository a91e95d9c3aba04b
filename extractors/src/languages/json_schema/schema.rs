//! One schema to one type expression, drafts 4 to 2020-12, Swagger 2 and OpenAPI 3.
//!
//! Names are left as the text of their `$ref`; [`super::link`] resolves them. What only narrows a value (`pattern`,
//! `minimum`, `not`, `format`) and what only describes it (`title`, `description`, `examples`, `x-…`) says nothing here.

use std::collections::BTreeMap;

use agent_contracts_wire::{Arm, Field, Literal, Object, Stability, Type};

use super::json::{Kind, Node};
use crate::stability::of_comment;
use crate::types::{choice, tidy};

/// Keywords whose presence says what a value looks like.
const SAYS: [&str; 12] = [
    "$ref",
    "$dynamicRef",
    "type",
    "properties",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "items",
    "prefixItems",
    "patternProperties",
];

/// Reads the schemas of one document.
pub(super) struct Reader<'a> {
    root: &'a Node,
    /// Pointers that are declarations of their own; a reference to anything else is read in place.
    declared: &'a BTreeMap<String, String>,
    /// Pointers that are being read in place, so that a cycle ends.
    inside: Vec<String>,
    /// What could not be read: line and text.
    pub(super) unresolved: Vec<(u32, String)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: &'a Node, declared: &'a BTreeMap<String, String>) -> Self {
        Self {
            root,
            declared,
            inside: vec![],
            unresolved: vec![],
        }
    }

    /// The type of a declaration. Unlike in other places a choice of one stays a choice, since it may grow.
    pub(super) fn declaration(&mut self, node: &Node) -> Type {
        self.schema(node, true)
    }

    /// The type of a schema.
    pub(super) fn ty(&mut self, node: &Node) -> Type {
        self.schema(node, false)
    }

    fn schema(&mut self, node: &Node, keep_single: bool) -> Type {
        if node.cut {
            return Type::Unresolved("a schema with a syntax error".to_owned());
        }
        if !node.is_object() {
            return match node.kind {
                Kind::Bool(_) => Type::Any,
                _ => Type::Unresolved("not a schema".to_owned()),
            };
        }
        let (object, mut scalars) = self.own(node);
        let mut parts = self.parts(node, keep_single);
        if node.get("then").is_some() || node.get("else").is_some() {
            self.unresolved.push((node.line, "if/then/else".to_owned()));
        }
        parts.retain(|part| *part != Type::Any);
        let ty = match object {
            Some(object) if !is_empty(&object) || parts.len() > 1 => self.joined(node, object, parts),
            Some(object) => parts.pop().unwrap_or(Type::Object(object)),
            None if parts.len() > 1 && parts.iter().any(is_scalar) => narrowest(parts),
            None if parts.len() > 1 => self.joined(node, Object::default(), parts),
            None => match parts.pop() {
                Some(Type::Named(_) | Type::Object(_)) if scalars.iter().any(|ty| matches!(ty, Type::Literal(_))) => {
                    choice(std::mem::take(&mut scalars), false)
                }
                Some(part) => {
                    scalars.retain(|ty| *ty == Type::Null);
                    part
                }
                None if scalars.is_empty() => Type::Any,
                None => choice(std::mem::take(&mut scalars), keep_single && node.get("enum").is_some()),
            },
        };
        let ty = if scalars.is_empty() {
            ty
        } else {
            with_scalars(ty, scalars)
        };
        if node.is_true("nullable") || node.is_true("x-nullable") {
            return ty.nullable();
        }
        ty
    }

    /// What the schema says by itself: the object it may be, and everything else it may be.
    fn own(&mut self, node: &Node) -> (Option<Object>, Vec<Type>) {
        if let Some(value) = node.get("const") {
            return (None, vec![constant(value)]);
        }
        if let Some(values) = node.get("enum") {
            return (None, values.items().iter().map(constant).collect());
        }
        let named: Vec<&str> = match node.get("type") {
            Some(Node {
                kind: Kind::Array(names),
                ..
            }) => names.iter().filter_map(Node::as_str).collect(),
            Some(name) => name.as_str().into_iter().collect(),
            None if ["properties", "patternProperties", "required"]
                .iter()
                .any(|key| node.get(key).is_some_and(|node| !matches!(node.kind, Kind::Bool(_))))
                || node.get("additionalProperties").is_some_and(Node::is_object) =>
            {
                vec!["object"]
            }
            None if node.get("items").is_some() || node.get("prefixItems").is_some() => vec!["array"],
            None => vec![],
        };
        let (mut object, mut others) = (None, vec![]);
        for name in named {
            match name {
                "object" => match self.object(node) {
                    Type::Object(own) => object = Some(own),
                    other => others.push(other),
                },
                "array" => others.push(self.array(node)),
                "string" | "file" => others.push(Type::String),
                "number" | "integer" => {
                    if !others.contains(&Type::Number) {
                        others.push(Type::Number);
                    }
                }
                "boolean" => others.push(Type::Boolean),
                "null" => others.push(Type::Null),
                "any" => others.push(Type::Any),
                _ => others.push(Type::Unresolved(format!("type {name}"))),
            }
        }
        (object, others)
    }

    fn object(&mut self, node: &Node) -> Type {
        let mut object = Object::default();
        if let Some(properties) = node.get("properties") {
            if properties.cut {
                return Type::Unresolved("properties with a syntax error".to_owned());
            }
            let required: Vec<&str> = required(node);
            for (name, property) in properties.members() {
                // `false` and `not: {}` say that the member never stands there.
                if property.kind == Kind::Bool(false) || is_never(property) {
                    continue;
                }
                let ty = self.ty(property);
                let mut field = Field::new(ty, required.contains(&name.as_str()), property.line);
                field.defaulted = field.required && property.get("default").is_some();
                field.stability = stability(property);
                object.fields.insert(name.clone(), field);
            }
        }
        let patterns = node.get("patternProperties").map(Node::members).unwrap_or_default();
        let others = node.get("additionalProperties");
        object.open = !patterns.is_empty() || others.is_some_and(|node| node.kind != Kind::Bool(false));
        if object.fields.is_empty() {
            let mut values: Vec<Type> = patterns.iter().map(|(_, value)| self.ty(value)).collect();
            values.extend(others.filter(|node| says(node)).map(|node| self.ty(node)));
            if !values.is_empty() {
                return Type::Map(Box::new(choice(values, false)));
            }
        }
        Type::Object(object)
    }

    fn array(&mut self, node: &Node) -> Type {
        let places = match (node.get("prefixItems"), node.get("items")) {
            (Some(places), _) => Some(places),
            (None, Some(items)) if matches!(items.kind, Kind::Array(_)) => Some(items),
            _ => None,
        };
        match (places, node.get("items").filter(|items| items.is_object())) {
            (None, Some(items)) => Type::Array(Box::new(self.ty(items))),
            (None, None) => Type::Array(Box::new(Type::Any)),
            (Some(places), None) => Type::Tuple(places.items().iter().map(|place| self.ty(place)).collect()),
            (Some(places), Some(rest)) => {
                let mut all: Vec<Type> = places.items().iter().map(|place| self.ty(place)).collect();
                all.push(self.ty(rest));
                Type::Array(Box::new(choice(all, false)))
            }
        }
    }

    /// What stands beside the schema's own words and holds together with them.
    fn parts(&mut self, node: &Node, keep_single: bool) -> Vec<Type> {
        let mut parts = vec![];
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(target) = node.str(key) {
                parts.push(self.reference(target, node.line));
            }
        }
        for part in node.get("allOf").map(Node::items).unwrap_or_default() {
            if says(part) {
                parts.push(self.ty(part));
            }
        }
        for key in ["oneOf", "anyOf"] {
            let arms = node.get(key).map(Node::items).unwrap_or_default();
            if arms.iter().any(says) {
                parts.push(self.union(node, arms, keep_single));
            }
        }
        parts
    }

    fn union(&mut self, node: &Node, arms: &[Node], keep_single: bool) -> Type {
        let hint = node.get("discriminator");
        let (mut all, mut open) = (vec![], false);
        for arm in arms {
            let mut ty = self.ty(arm);
            if let Some((tag, value)) = hint.and_then(|hint| self.mapped(hint, arm, &ty)) {
                let fields = BTreeMap::from([(tag, Field::new(Type::literal(value), true, arm.line))]);
                ty = Type::Object(Object {
                    fields,
                    parts: vec![ty],
                    open: false,
                });
            }
            let stability = stability(arm);
            match ty {
                // A choice inside a choice is one choice.
                Type::Union(inner) if inner.tag.is_none() => {
                    open |= inner.open;
                    all.extend(inner.arms);
                }
                ty => all.push(Arm {
                    name: arm.str("title").map(str::to_owned),
                    stability,
                    line: arm.line,
                    ..Arm::of(ty)
                }),
            }
        }
        let mut union = tidy(all);
        union.open |= open;
        if union.arms.len() == 1 && !union.open && !keep_single {
            return union.arms.into_iter().next().map_or(Type::Any, |arm| arm.ty);
        }
        Type::Union(union)
    }

    /// The tag value that only the `mapping` of an OpenAPI discriminator gives an arm. Where the arm itself fixes the
    /// member to one value the hint adds nothing.
    fn mapped(&self, hint: &Node, arm: &Node, ty: &Type) -> Option<(String, String)> {
        let tag = hint.str("propertyName")?;
        let Type::Named(target) = ty else { return None };
        let (value, _) = hint.get("mapping")?.members().iter().find(|(_, to)| {
            to.as_str()
                .is_some_and(|to| to == target || target.ends_with(&format!("/{to}")))
        })?;
        let own = self.property(arm, tag, 0);
        let fixed = own.is_some_and(|own| own.get("const").is_some() || own.get("enum").is_some());
        (!fixed).then(|| (tag.to_owned(), value.clone()))
    }

    fn reference(&mut self, target: &str, line: u32) -> Type {
        let Some(pointer) = self.local(target) else {
            return Type::Named(target.to_owned());
        };
        if self.declared.contains_key(&pointer) {
            return Type::Named(format!("#{pointer}"));
        }
        let Some(node) = self.root.at(&pointer) else {
            self.unresolved.push((line, format!("$ref {target}")));
            return Type::Unresolved(format!("$ref {target}"));
        };
        if self.inside.contains(&pointer) {
            self.unresolved.push((line, format!("$ref {target} inside itself")));
            return Type::Unresolved(format!("$ref {target} inside itself"));
        }
        self.inside.push(pointer);
        let ty = self.ty(node);
        self.inside.pop();
        ty
    }

    /// The pointer of a reference into this document.
    pub(super) fn local(&self, target: &str) -> Option<String> {
        let fragment = target.strip_prefix('#')?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some(unescape(fragment));
        }
        find_anchor(self.root, fragment, "", 0)
    }

    /// The schema of member `name`, looked for in the schema itself and in what it is joined from.
    fn property<'n>(&'n self, node: &'n Node, name: &str, depth: usize) -> Option<&'n Node> {
        if depth > 16 {
            return None;
        }
        if let Some(own) = node.get("properties").and_then(|all| all.get(name)) {
            return Some(own);
        }
        let target = node.str("$ref").and_then(|target| self.root.at(&self.local(target)?));
        target
            .into_iter()
            .chain(node.get("allOf").map(Node::items).unwrap_or_default())
            .find_map(|part| self.property(part, name, depth + 1))
    }

    /// An object with its parts. A name that is only `required` here is declared in a part; it is taken over with the
    /// stronger word.
    fn joined(&mut self, node: &Node, mut object: Object, parts: Vec<Type>) -> Type {
        let mut demanded: Vec<&str> = required(node);
        for part in node.get("allOf").map(Node::items).unwrap_or_default() {
            if !says(part) {
                demanded.extend(required(part));
            }
        }
        for name in demanded {
            if object.fields.contains_key(name) {
                continue;
            }
            let Some(property) = self.property(node, name, 0).cloned() else {
                continue;
            };
            let ty = self.ty(&property);
            object
                .fields
                .insert(name.to_owned(), Field::new(ty, true, property.line));
        }
        object.parts = parts;
        Type::Object(object)
    }
}

/// Whether a schema says what its value looks like; `{}` and `{"description": …}` do not.
pub(super) fn says(node: &Node) -> bool {
    SAYS.iter().any(|key| node.get(key).is_some()) || node.get("additionalProperties").is_some_and(Node::is_object)
}

/// Whether a value looks like a schema: an object with a keyword of the right kind, or an empty one, or a boolean.
pub(super) fn looks_like_one(node: &Node) -> bool {
    match &node.kind {
        Kind::Bool(_) => true,
        Kind::Object(members) => {
            members.is_empty()
                || members.iter().any(|(key, value)| match key.as_str() {
                    "type" => value.as_str().is_some_and(is_type_name) || matches!(value.kind, Kind::Array(_)),
                    "$ref" | "description" | "title" => value.as_str().is_some(),
                    "properties" | "patternProperties" | "additionalProperties" | "items" | "not" => {
                        value.is_object() && !value.members().is_empty() || matches!(value.kind, Kind::Bool(_))
                    }
                    "enum" | "oneOf" | "anyOf" | "allOf" | "prefixItems" => matches!(value.kind, Kind::Array(_)),
                    "const" => !value.is_object(),
                    _ => false,
                })
        }
        _ => false,
    }
}

/// The seven type names of JSON Schema, and those of Swagger and draft 3.
pub(super) fn is_type_name(name: &str) -> bool {
    [
        "object", "array", "string", "number", "integer", "boolean", "null", "file", "any",
    ]
    .contains(&name)
}

/// What a schema says of its own stability, by keyword or in the first words of its description.
pub(super) fn stability(node: &Node) -> Stability {
    let marked = ["x-experimental", "x-unstable", "x-preview"]
        .iter()
        .any(|key| node.is_true(key))
        || node
            .str("x-stability")
            .is_some_and(|word| ["experimental", "unstable", "preview"].contains(&word));
    let said = node.str("description").map(of_comment).unwrap_or_default();
    if marked || said == Stability::Experimental {
        Stability::Experimental
    } else if node.is_true("deprecated") || node.is_true("x-deprecated") {
        Stability::Deprecated
    } else {
        said
    }
}

fn required(node: &Node) -> Vec<&str> {
    node.get("required")
        .map(Node::items)
        .unwrap_or_default()
        .iter()
        .filter_map(Node::as_str)
        .collect()
}

fn is_never(node: &Node) -> bool {
    node.get("not")
        .is_some_and(|not| not.members().is_empty() && not.is_object())
        && !says(node)
}

fn is_empty(object: &Object) -> bool {
    object.fields.is_empty()
}

fn is_scalar(ty: &Type) -> bool {
    match ty {
        Type::String | Type::Number | Type::Boolean | Type::Null | Type::Literal(_) => true,
        Type::Union(union) => union.arms.iter().all(|arm| is_scalar(&arm.ty)),
        _ => false,
    }
}

/// Of several scalars that hold together, the one that says most.
fn narrowest(parts: Vec<Type>) -> Type {
    let rank = |ty: &Type| match ty {
        Type::Literal(_) => 3,
        Type::Union(_) => 2,
        Type::Named(_) => 1,
        _ => 0,
    };
    parts.into_iter().max_by_key(rank).unwrap_or(Type::Any)
}

/// `ty`, or one of the scalars that stand beside it in a list of types.
fn with_scalars(ty: Type, scalars: Vec<Type>) -> Type {
    match (ty, scalars.as_slice()) {
        (Type::Any, _) => Type::Any,
        (ty, [Type::Null]) => ty.nullable(),
        (ty, _) => {
            let mut all = vec![ty];
            all.extend(scalars);
            choice(all, false)
        }
    }
}

fn constant(value: &Node) -> Type {
    match &value.kind {
        Kind::Null => Type::Null,
        Kind::Bool(value) => Type::Literal(Literal::Boolean(*value)),
        Kind::Number(text) => Type::Literal(Literal::Number(text.clone())),
        Kind::String(text) => Type::literal(text.clone()),
        // A fixed list or object is rare, and its members are data.
        Kind::Array(_) => Type::Array(Box::new(Type::Any)),
        Kind::Object(_) => Type::Object(Object {
            open: true,
            ..Object::default()
        }),
    }
}

/// A URI fragment without its percent escapes; the escapes of the pointer itself stay.
fn unescape(fragment: &str) -> String {
    let mut out = vec![];
    let bytes = fragment.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = (byte == b'%').then(|| fragment.get(at + 1..at + 3)).flatten();
        if let Some(value) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            out.push(value);
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The pointer of the schema that names itself `anchor` (`$anchor`, `$dynamicAnchor`, draft 4 to 6 `id: "#…"`).
fn find_anchor(node: &Node, anchor: &str, at: &str, depth: usize) -> Option<String> {
    if depth > 64 {
        return None;
    }
    let named = ["$anchor", "$dynamicAnchor"]
        .iter()
        .any(|key| node.str(key) == Some(anchor))
        || ["$id", "id"]
            .iter()
            .any(|key| node.str(key).and_then(|id| id.strip_prefix('#')) == Some(anchor));
    if named {
        return Some(at.to_owned());
    }
    let items = node
        .items()
        .iter()
        .enumerate()
        .map(|(index, item)| (index.to_string(), item));
    let members = node
        .members()
        .iter()
        .map(|(name, member)| (super::json::segment(name), member));
    items
        .chain(members)
        .find_map(|(name, child)| find_anchor(child, anchor, &format!("{at}/{name}"), depth + 1))
}
