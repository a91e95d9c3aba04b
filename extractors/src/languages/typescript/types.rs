//! Type nodes of the grammar to [`Ty`].

use tree_sitter::Node;

use super::ast::{Conditional, Element, Keyword, MAX_DEPTH, Mapped, Member, MemberKind, Param, Shape, Ty, UnionArm};
use super::docs::Docs;
use super::source::{Source, has_token, parts};
use super::zod;

impl Source<'_> {
    /// What stands for a type that is nested too deep to be read. It carries a hash of its text: two that differ must
    /// not look the same.
    pub(super) fn too_deep(&self, node: Node<'_>) -> Ty {
        self.give_up(node);
        let hash = agent_contracts_wire::canonical::sha256(self.text(node).as_bytes());
        Ty::Unread(format!("nested too deep ({})", agent_contracts_wire::place::id8(&hash)))
    }

    /// The type that `node` writes.
    pub(super) fn ty(&self, node: Node<'_>, depth: u32) -> Ty {
        if depth >= MAX_DEPTH {
            return self.too_deep(node);
        }
        let depth = depth + 1;
        let inner = |index: usize| parts(node).get(index).map(|&child| self.ty(child, depth));
        let read = match node.kind() {
            "predefined_type" => Some(Ty::Keyword(keyword(&self.text(node)))),
            "this_type" | "existential_type" => Some(Ty::Keyword(Keyword::Any)),
            "literal_type" => self.literal_type(node),
            "template_literal_type" => Some(self.template(node, depth)),
            "type_identifier" | "identifier" | "nested_type_identifier" | "nested_identifier" => {
                Some(self.reference(node, node, Vec::new()))
            }
            "generic_type" => node.child_by_field_name("name").map(|name| {
                let args = node
                    .child_by_field_name("type_arguments")
                    .map_or_else(Vec::new, |list| {
                        parts(list).into_iter().map(|arg| self.ty(arg, depth)).collect()
                    });
                self.reference(node, name, args)
            }),
            "object_type" => Some(self.object_type(node, depth)),
            "array_type" => inner(0).map(|item| Ty::Array(Box::new(item))),
            "readonly_type"
            | "parenthesized_type"
            | "type_annotation"
            | "adding_type_annotation"
            | "omitting_type_annotation"
            | "opting_type_annotation" => inner(0),
            "tuple_type" => Some(Ty::Tuple(
                parts(node).into_iter().map(|item| self.element(item, depth)).collect(),
            )),
            "union_type" => Some(self.union(node, depth)),
            "intersection_type" => {
                let operands = spine(node, "intersection_type");
                Some(Ty::Intersection(
                    operands.into_iter().map(|operand| self.ty(operand, depth)).collect(),
                ))
            }
            "index_type_query" => inner(0).map(|of| Ty::KeyOf(Box::new(of))),
            "lookup_type" => inner(0).zip(inner(1)).map(|pair| Ty::Index(Box::new(pair))),
            "type_query" => parts(node).first().map(|&value| self.type_query(value)),
            "conditional_type" => self.conditional(node, depth),
            "infer_type" => parts(node).first().map(|&name| Ty::Infer(self.text(name))),
            "function_type" | "constructor_type" => Some(Ty::Function(self.returned(node, depth))),
            "asserts" | "type_predicate" | "asserts_annotation" | "type_predicate_annotation" => {
                Some(Ty::Keyword(Keyword::Boolean))
            }
            _ => None,
        };
        read.unwrap_or_else(|| Ty::Unread(self.brief(node)))
    }

    fn literal_type(&self, node: Node<'_>) -> Option<Ty> {
        let value = *parts(node).first()?;
        match value.kind() {
            "null" => Some(Ty::Keyword(Keyword::Null)),
            "undefined" => Some(Ty::Keyword(Keyword::Undefined)),
            _ => self.literal(value).map(Ty::Literal),
        }
    }

    fn template(&self, node: Node<'_>, depth: u32) -> Ty {
        if let Some(text) = self.string(node) {
            return Ty::string(text);
        }
        let pieces = parts(node).into_iter().map(|piece| match piece.kind() {
            "template_type" => parts(piece)
                .first()
                .map_or(Ty::Keyword(Keyword::String), |&inner| self.ty(inner, depth)),
            _ => Ty::string(self.text(piece)),
        });
        Ty::Template(pieces.collect())
    }

    /// A name with type arguments. Types of the zod library are read for what they describe.
    fn reference(&self, node: Node<'_>, name: Node<'_>, args: Vec<Ty>) -> Ty {
        let Some(path) = self.path(name) else {
            return Ty::Unread(self.brief(node));
        };
        if let Some(module) = self.import_types.get(&name.start_byte()) {
            if zod::is_library(module) {
                let member = path.rsplit('.').next().unwrap_or_default();
                return zod::printed_member(member, args).unwrap_or_else(|_| Ty::Unread(self.brief(node)));
            }
            return Ty::Import {
                module: module.clone(),
                name: path,
                args,
            };
        }
        match zod::printed(self.zod, &path, args) {
            Ok(schema) => schema,
            Err(args) => Ty::Ref { name: path, args },
        }
    }

    fn object_type(&self, node: Node<'_>, depth: u32) -> Ty {
        let members = parts(node);
        if let [only] = members.as_slice()
            && let Some(clause) = parts(*only)
                .into_iter()
                .find(|child| child.kind() == "mapped_type_clause")
            && let Some(mapped) = self.mapped(*only, clause, depth)
        {
            return Ty::Mapped(Box::new(mapped));
        }
        Ty::Object(Shape {
            extends: Vec::new(),
            members: self.members(node, depth),
        })
    }

    fn mapped(&self, node: Node<'_>, clause: Node<'_>, depth: u32) -> Option<Mapped> {
        let value = node.child_by_field_name("type");
        let optional = match value.map(|node| node.kind()) {
            Some("opting_type_annotation" | "adding_type_annotation") => Some(true),
            Some("omitting_type_annotation") => Some(false),
            _ => None,
        };
        Some(Mapped {
            param: self.text(clause.child_by_field_name("name")?),
            over: self.ty(clause.child_by_field_name("type")?, depth),
            name: clause.child_by_field_name("alias").map(|name| self.ty(name, depth)),
            optional,
            value: value.map_or(Ty::Keyword(Keyword::Any), |value| self.ty(value, depth)),
            line: self.line(node),
        })
    }

    /// The members of an object type or an interface body.
    pub(super) fn members(&self, body: Node<'_>, depth: u32) -> Vec<Member> {
        let mut docs = Docs::new(self.text);
        let mut members = Vec::new();
        let mut cursor = body.walk();
        for node in body.children(&mut cursor) {
            let Some(stability) = docs.next(node) else { continue };
            let optional = has_token(node, "?");
            let kind = match node.kind() {
                "property_signature" => self.field(node, depth),
                "method_signature" => self.method(node, depth),
                "call_signature" | "construct_signature" => Some(MemberKind::Call),
                "index_signature" => self.index_signature(node, depth),
                _ => None,
            };
            if let Some(kind) = kind {
                members.push(Member {
                    kind,
                    optional,
                    line: self.line(node),
                    stability,
                });
            }
        }
        members
    }

    fn field(&self, node: Node<'_>, depth: u32) -> Option<MemberKind> {
        let name = node.child_by_field_name("name")?;
        let ty = node
            .child_by_field_name("type")
            .map_or(Ty::Keyword(Keyword::Any), |ty| self.ty(ty, depth));
        if let Some(name) = self.member_name(name) {
            return Some(MemberKind::Field { name, ty });
        }
        // `[Events.Start]: …`: a member named by a constant.
        let key = self.path(*parts(name).first()?)?;
        (!key.starts_with("Symbol.")).then(|| MemberKind::Index {
            key: Ty::named(key),
            value: ty,
        })
    }

    /// The name of a member, when it is written down.
    pub(super) fn member_name(&self, name: Node<'_>) -> Option<String> {
        match name.kind() {
            "property_identifier" | "identifier" | "shorthand_property_identifier" => Some(self.text(name)),
            "string" => self.string(name),
            "number" => self.literal(name).map(|value| value.to_string()),
            "computed_property_name" => {
                let value = *parts(name).first()?;
                self.literal(value).map(|value| value.to_string())
            }
            _ => None,
        }
    }

    /// A getter is a field; everything else that is called is a method. An optional method is left out, a required one
    /// says that no such object comes from a wire.
    fn method(&self, node: Node<'_>, depth: u32) -> Option<MemberKind> {
        if has_token(node, "get") {
            let name = self.member_name(node.child_by_field_name("name")?)?;
            let ty = node
                .child_by_field_name("return_type")
                .map_or(Ty::Keyword(Keyword::Any), |ty| self.ty(ty, depth));
            return Some(MemberKind::Field { name, ty });
        }
        if has_token(node, "set") {
            return None;
        }
        Some(MemberKind::Method)
    }

    fn index_signature(&self, node: Node<'_>, depth: u32) -> Option<MemberKind> {
        let value = node
            .child_by_field_name("type")
            .map_or(Ty::Keyword(Keyword::Any), |value| self.ty(value, depth));
        let key = self.ty(node.child_by_field_name("index_type")?, depth);
        Some(MemberKind::Index { key, value })
    }

    fn element(&self, node: Node<'_>, depth: u32) -> Element {
        let of = |child: Option<Node<'_>>| child.map_or(Ty::Keyword(Keyword::Any), |child| self.ty(child, depth));
        let first = || parts(node).first().copied();
        match node.kind() {
            "optional_type" => Element {
                ty: of(first()),
                optional: true,
                rest: false,
            },
            "rest_type" => Element {
                ty: of(first()),
                optional: false,
                rest: true,
            },
            "required_parameter" | "optional_parameter" => {
                let name = node
                    .child_by_field_name("name")
                    .or_else(|| node.child_by_field_name("pattern"));
                Element {
                    ty: of(node.child_by_field_name("type")),
                    optional: node.kind() == "optional_parameter",
                    rest: name.is_some_and(|name| name.kind() == "rest_pattern"),
                }
            }
            _ => Element {
                ty: of(Some(node)),
                optional: false,
                rest: false,
            },
        }
    }

    fn union(&self, node: Node<'_>, depth: u32) -> Ty {
        let mut arms = Vec::new();
        let mut docs = Docs::with_comment_before(self.text, node);
        for (index, level) in levels(node, "union_type").into_iter().enumerate() {
            let mut cursor = level.walk();
            // Behind the innermost level, the first operand is the level before.
            let mut seen = index == 0;
            for child in level.children(&mut cursor) {
                if !seen && child.kind() == "union_type" {
                    seen = true;
                    continue;
                }
                if let Some(stability) = docs.next(child) {
                    arms.push(UnionArm {
                        ty: self.ty(child, depth),
                        line: self.line(child),
                        stability,
                    });
                }
            }
        }
        Ty::Union { arms, tag: None }
    }

    fn type_query(&self, value: Node<'_>) -> Ty {
        let value = match value.kind() {
            "instantiation_expression" => parts(value).first().copied().unwrap_or(value),
            _ => value,
        };
        self.path(value)
            .map_or_else(|| Ty::Unread(format!("typeof {}", self.brief(value))), Ty::TypeOf)
    }

    fn conditional(&self, node: Node<'_>, depth: u32) -> Option<Ty> {
        let of = |field| node.child_by_field_name(field).map(|child| self.ty(child, depth));
        Some(Ty::Conditional(Box::new(Conditional {
            check: of("left")?,
            extends: of("right")?,
            yes: of("consequence")?,
            no: of("alternative")?,
        })))
    }

    /// What a function type returns, kept only where it stands at the top of a declaration: nobody asks for others.
    fn returned(&self, node: Node<'_>, depth: u32) -> Option<Box<Ty>> {
        if depth > 2 {
            return None;
        }
        let returned = node
            .child_by_field_name("return_type")
            .or_else(|| node.child_by_field_name("type"))?;
        Some(Box::new(self.ty(returned, depth)))
    }

    /// `<T extends C = D, …>` of a declaration.
    pub(super) fn params(&self, decl: Node<'_>) -> Vec<Param> {
        let Some(list) = decl.child_by_field_name("type_parameters") else {
            return Vec::new();
        };
        let of = |node: Node<'_>, field: &str| {
            let child = node.child_by_field_name(field)?;
            parts(child).first().map(|&ty| self.ty(ty, 1))
        };
        parts(list)
            .into_iter()
            .filter(|node| node.kind() == "type_parameter")
            .filter_map(|node| {
                Some(Param {
                    name: self.text(node.child_by_field_name("name")?),
                    constraint: of(node, "constraint"),
                    default: of(node, "value"),
                })
            })
            .collect()
    }
}

fn keyword(text: &str) -> Keyword {
    match text {
        "string" => Keyword::String,
        "number" | "bigint" => Keyword::Number,
        "boolean" => Keyword::Boolean,
        "null" => Keyword::Null,
        "never" => Keyword::Never,
        "any" | "unknown" => Keyword::Any,
        "object" => Keyword::Object,
        // `void`, `undefined`, `symbol`, `unique symbol`.
        _ => Keyword::Undefined,
    }
}

/// The nodes of a left-nested binary type, innermost first. A union of a thousand members nests a thousand deep, so this
/// is a loop.
fn levels<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut levels = vec![node];
    let mut node = node;
    while let Some(first) = parts(node).first().copied()
        && first.kind() == kind
    {
        levels.push(first);
        node = first;
    }
    levels.reverse();
    levels
}

/// The operands of a left-nested binary type, in order.
fn spine<'t>(node: Node<'t>, kind: &str) -> Vec<Node<'t>> {
    let mut operands = Vec::new();
    for (index, level) in levels(node, kind).into_iter().enumerate() {
        // Behind the innermost level, the first operand is the level before.
        operands.extend(parts(level).into_iter().skip(usize::from(index > 0)));
    }
    operands
}
