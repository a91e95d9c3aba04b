//! zod schemas as they are built in code: `z.object({…}).extend(…)`.
//!
//! A method that is not listed refines what it is called on, and changes nothing of the data's shape.

use tree_sitter::Node;

use super::ast::{Element, Keyword, MAX_DEPTH, Member, MemberKind, Shape, Ty};
use super::docs::Docs;
use super::source::{Source, parts};
use super::zod::{MADE_BY, member_of_library, opened, record, scalar, tagged, values_of, without_undefined};

/// Methods that only schemas have: a call of one on a name says that the name is a schema.
const TELLING_METHODS: [&str; 21] = [
    "extend",
    "safeExtend",
    "merge",
    "pick",
    "omit",
    "partial",
    "deepPartial",
    "required",
    "optional",
    "nullable",
    "nullish",
    "array",
    "passthrough",
    "loose",
    "strict",
    "catchall",
    "or",
    "and",
    "exclude",
    "extract",
    "superRefine",
];

impl Source<'_> {
    /// Whether an expression builds a schema.
    pub(super) fn is_schema(&self, node: Node<'_>) -> bool {
        let mut node = node;
        let mut telling = false;
        loop {
            match node.kind() {
                "call_expression" => {
                    let Some(callee) = node.child_by_field_name("function") else {
                        return false;
                    };
                    if let Some(property) = callee.child_by_field_name("property") {
                        let method = self.text(property);
                        if matches!(
                            method.as_str(),
                            "parse" | "safeParse" | "parseAsync" | "map" | "toJSONSchema"
                        ) {
                            return false;
                        }
                        telling |= TELLING_METHODS.contains(&method.as_str());
                    }
                    node = callee;
                }
                "member_expression" => match node.child_by_field_name("object") {
                    Some(object) => node = object,
                    None => return false,
                },
                "satisfies_expression" | "as_expression" | "parenthesized_expression" | "non_null_expression" => {
                    match parts(node).first() {
                        Some(&inner) => node = inner,
                        None => return false,
                    }
                }
                "identifier" => {
                    return self.zod.contains(&self.text(node)) || (telling && !self.zod.is_empty());
                }
                _ => return false,
            }
        }
    }

    /// What the schema that `node` builds describes.
    pub(super) fn schema(&self, node: Node<'_>, depth: u32) -> Ty {
        if depth >= MAX_DEPTH {
            return self.too_deep(node);
        }
        self.read_schema(node, depth + 1)
            .unwrap_or_else(|| Ty::Unread(self.brief(node)))
    }

    fn read_schema(&self, node: Node<'_>, depth: u32) -> Option<Ty> {
        match node.kind() {
            "identifier" | "member_expression" => {
                // `Thing.shape.part`, or a part of what a call gives: `make().shape.part`.
                match self.path(node) {
                    Some(path) => Some(schema_path(&path)),
                    None => self.member_of_schema(node, depth),
                }
            }
            "parenthesized_expression" | "non_null_expression" => Some(self.schema(*parts(node).first()?, depth)),
            "satisfies_expression" | "as_expression" => {
                let both = parts(node);
                let built = self.schema(*both.first()?, depth);
                Some(match both.get(1).map(|&ty| self.ty(ty, depth)) {
                    Some(declared) => twin(declared, built),
                    None => built,
                })
            }
            "arrow_function" | "function_expression" => Some(self.schema(returned(node)?, depth)),
            "call_expression" => {
                let callee = node.child_by_field_name("function")?;
                let args = node.child_by_field_name("arguments").map_or_else(Vec::new, parts);
                if let Some(path) = self.path(callee)
                    && let Some(name) = member_of_library(self.zod, &path)
                {
                    return self.constructor(name, node, &args, depth);
                }
                match (
                    callee.child_by_field_name("object"),
                    callee.child_by_field_name("property"),
                ) {
                    (Some(object), Some(property)) => {
                        let base = self.schema(object, depth);
                        self.refined(&self.text(property), base, &args, depth)
                    }
                    _ => self.made(node, depth),
                }
            }
            _ => None,
        }
    }

    /// What a function of this program makes, from schemas that it may be given.
    pub(super) fn made(&self, call: Node<'_>, depth: u32) -> Option<Ty> {
        let maker = Ty::TypeOf(self.path(call.child_by_field_name("function")?)?);
        let args = parts(call.child_by_field_name("arguments")?);
        if args.is_empty() {
            return Some(Ty::apply("ReturnType", vec![maker]));
        }
        let args = args.into_iter().map(|arg| self.schema(arg, depth));
        Some(Ty::apply(MADE_BY, std::iter::once(maker).chain(args).collect()))
    }

    fn member_of_schema(&self, node: Node<'_>, depth: u32) -> Option<Ty> {
        let object = self.schema(node.child_by_field_name("object")?, depth);
        let name = self.text(node.child_by_field_name("property")?);
        Some(if name == "shape" {
            object
        } else {
            Ty::Index(Box::new((object, Ty::string(name))))
        })
    }

    fn constructor(&self, name: &str, call: Node<'_>, args: &[Node<'_>], depth: u32) -> Option<Ty> {
        if let Some(keyword) = scalar(name) {
            return Some(Ty::Keyword(keyword));
        }
        let schema = |index: usize| args.get(index).map(|&arg| self.schema(arg, depth));
        let list = |index: usize| args.get(index).map(|&arg| self.schemas(arg, depth));
        Some(match name {
            "object" | "strictObject" | "interface" => self.shape(args.first().copied(), depth),
            "looseObject" => opened(self.shape(args.first().copied(), depth)),
            "literal" => match self.value(*args.first()?, true, depth) {
                Ty::Tuple(items) => Ty::union(items.into_iter().map(|item| item.ty).collect()),
                value => value,
            },
            "enum" | "nativeEnum" => values_of(self.value(*args.first()?, true, depth)),
            "union" | "xor" => list(0)?,
            "discriminatedUnion" => match (self.string(*args.first()?), list(1)?) {
                (tag, Ty::Union { arms, .. }) => Ty::Union { arms, tag },
                (_, other) => other,
            },
            "array" => Ty::Array(Box::new(schema(0)?)),
            "tuple" => self.tuple(args, depth),
            "record" | "looseRecord" => record(schema(0)?, schema(1)),
            "partialRecord" => Ty::apply("Partial", vec![record(schema(0)?, schema(1))]),
            "optional" | "exactOptional" => schema(0)?.or_undefined(),
            "_default" | "prefault" | "catch" => schema(0)?.or_default(),
            "nullable" => schema(0)?.or_null(),
            "nullish" => schema(0)?.or_null().or_undefined(),
            "nonoptional" => without_undefined(schema(0)?),
            "intersection" => Ty::Intersection(vec![schema(0)?, schema(1)?]),
            "lazy" | "promise" | "readonly" | "pipe" | "codec" | "effect" => schema(0)?,
            "preprocess" => schema(1)?,
            "keyof" => Ty::KeyOf(Box::new(schema(0)?)),
            "extend" | "safeExtend" | "merge" | "pick" | "omit" | "partial" | "required" => {
                return self.refined(name, schema(0)?, args.get(1..)?, depth);
            }
            "custom" => call
                .child_by_field_name("type_arguments")
                .and_then(|list| parts(list).first().map(|&arg| self.ty(arg, depth)))
                .unwrap_or(Ty::Keyword(Keyword::Any)),
            "instanceof" => Ty::Keyword(Keyword::Any),
            "function" => Ty::Function(None),
            _ => return None,
        })
    }

    fn refined(&self, method: &str, base: Ty, args: &[Node<'_>], depth: u32) -> Option<Ty> {
        let arg = |index: usize| args.get(index).map(|&arg| self.schema(arg, depth));
        Some(match method {
            "optional" | "exactOptional" => base.or_undefined(),
            "default" | "prefault" | "catch" => base.or_default(),
            "nullable" => base.or_null(),
            "nullish" => base.or_null().or_undefined(),
            "nonoptional" | "removeDefault" => without_undefined(base),
            "unwrap" => Ty::apply("NonNullable", vec![base]),
            "array" => Ty::Array(Box::new(base)),
            "or" => Ty::union(vec![base, arg(0)?]),
            "and" => Ty::Intersection(vec![base, arg(0)?]),
            "extend" | "safeExtend" | "augment" => match self.shape(args.first().copied(), depth) {
                Ty::Object(mut shape) => {
                    shape.extends.insert(0, base);
                    Ty::Object(shape)
                }
                other => Ty::Object(Shape {
                    extends: vec![base, other],
                    members: vec![],
                }),
            },
            "merge" => Ty::Object(Shape {
                extends: vec![base, arg(0)?],
                members: vec![],
            }),
            "pick" => Ty::apply("Pick", vec![base, self.mask(args)?]),
            "omit" => Ty::apply("Omit", vec![base, self.mask(args)?]),
            "partial" | "deepPartial" | "required" => {
                let utility = if method == "required" { "Required" } else { "Partial" };
                match self.mask(args) {
                    None => Ty::apply(utility, vec![base]),
                    Some(mask) => Ty::Object(Shape {
                        extends: vec![
                            Ty::apply("Omit", vec![base.clone(), mask.clone()]),
                            Ty::apply(utility, vec![Ty::apply("Pick", vec![base, mask])]),
                        ],
                        members: vec![],
                    }),
                }
            }
            "passthrough" | "loose" | "nonstrict" | "catchall" => opened(base),
            "keyof" => Ty::KeyOf(Box::new(base)),
            "exclude" | "extract" => {
                let utility = if method == "exclude" { "Exclude" } else { "Extract" };
                Ty::apply(utility, vec![base, values_of(self.value(*args.first()?, true, depth))])
            }
            "rest" => match base {
                Ty::Tuple(mut items) => {
                    let ty = Ty::Array(Box::new(arg(0)?));
                    items.push(Element {
                        ty,
                        optional: false,
                        rest: true,
                    });
                    Ty::Tuple(items)
                }
                other => other,
            },
            _ => base,
        })
    }

    /// The names that `{ a: true, b: true }` selects.
    fn mask(&self, args: &[Node<'_>]) -> Option<Ty> {
        let object = args.first().filter(|arg| arg.kind() == "object")?;
        let key = |pair: Node<'_>| self.member_name(pair.child_by_field_name("key")?).map(Ty::string);
        Some(Ty::union(parts(*object).into_iter().filter_map(key).collect()))
    }

    /// The arms in a list of schemas.
    fn schemas(&self, node: Node<'_>, depth: u32) -> Ty {
        match node.kind() {
            "array" => tagged(
                parts(node).into_iter().map(|item| self.schema(item, depth)).collect(),
                None,
            ),
            "as_expression" | "satisfies_expression" | "parenthesized_expression" => parts(node)
                .first()
                .map_or(Ty::Keyword(Keyword::Any), |&inner| self.schemas(inner, depth)),
            "spread_element" | "identifier" | "member_expression" => values_of(self.schema(node, depth)),
            _ => Ty::Unread(self.brief(node)),
        }
    }

    fn tuple(&self, args: &[Node<'_>], depth: u32) -> Ty {
        let fixed = |item: Node<'_>| Element {
            ty: self.schema(item, depth),
            optional: false,
            rest: false,
        };
        let mut items: Vec<Element> = args
            .first()
            .map_or_else(Vec::new, |&list| parts(list).into_iter().map(fixed).collect());
        if let Some(&rest) = args.get(1) {
            items.push(Element {
                ty: Ty::Array(Box::new(self.schema(rest, depth))),
                optional: false,
                rest: true,
            });
        }
        Ty::Tuple(items)
    }

    /// The shape that is handed to `z.object`.
    fn shape(&self, node: Option<Node<'_>>, depth: u32) -> Ty {
        match node {
            None => Ty::Object(Shape::default()),
            Some(node) if node.kind() == "object" => self.shape_of_object(node, depth),
            // A constant with the shape.
            Some(node) => Ty::Object(Shape {
                extends: vec![self.schema(node, depth)],
                members: vec![],
            }),
        }
    }

    fn shape_of_object(&self, object: Node<'_>, depth: u32) -> Ty {
        let mut shape = Shape::default();
        let mut docs = Docs::new(self.text);
        let mut cursor = object.walk();
        for node in object.children(&mut cursor) {
            let Some(stability) = docs.next(node) else { continue };
            let field = match node.kind() {
                "pair" => {
                    let name = node.child_by_field_name("key").and_then(|key| self.member_name(key));
                    name.zip(node.child_by_field_name("value").map(|value| self.schema(value, depth)))
                }
                "shorthand_property_identifier" => Some((self.text(node), Ty::TypeOf(self.text(node)))),
                // `get children() { return z.array(Node) }`: how a schema refers to itself.
                "method_definition" => {
                    let name = node.child_by_field_name("name").and_then(|name| self.member_name(name));
                    name.zip(returned(node).map(|value| self.schema(value, depth)))
                }
                "spread_element" => {
                    if let Some(&value) = parts(node).first() {
                        shape.extends.push(self.schema(value, depth));
                    }
                    None
                }
                _ => None,
            };
            if let Some((name, ty)) = field {
                let kind = MemberKind::Field { name, ty };
                shape.members.push(Member {
                    kind,
                    optional: false,
                    line: self.line(node),
                    stability,
                });
            }
        }
        Ty::Object(shape)
    }
}

/// A schema that is said to have this type: `… satisfies z.ZodType<Thing>`, `const s: z.ZodType<Thing> = …`.
pub(super) fn twin(declared: Ty, built: Ty) -> Ty {
    match declared {
        Ty::Schema(declared) if declared.is_name() => Ty::Twin(Box::new((*declared, built))),
        _ => built,
    }
}

/// What a path to a schema means: `Thing.shape` is the thing, `Thing.shape.part` its part, `List.element` its item.
fn schema_path(path: &str) -> Ty {
    let mut segments = path.split('.');
    let mut base = segments.next().unwrap_or_default().to_owned();
    let mut ty: Option<Ty> = None;
    let mut in_shape = false;
    for segment in segments {
        match segment {
            "shape" => {
                in_shape = true;
                ty = Some(ty.unwrap_or_else(|| Ty::TypeOf(base.clone())));
            }
            "element" | "options" | "enum" | "Enum" | "Values" => {
                let of = ty.unwrap_or_else(|| Ty::TypeOf(base.clone()));
                let number = Ty::Keyword(Keyword::Number);
                ty = Some(if segment == "element" {
                    Ty::Index(Box::new((of, number)))
                } else {
                    of
                });
            }
            _ if in_shape || ty.is_some() => {
                let of = ty.unwrap_or_else(|| Ty::TypeOf(base.clone()));
                ty = Some(Ty::Index(Box::new((of, Ty::string(segment)))));
            }
            _ => {
                base.push('.');
                base.push_str(segment);
            }
        }
    }
    ty.unwrap_or(Ty::TypeOf(base))
}

/// What a function without branches returns.
pub(super) fn returned(function: Node<'_>) -> Option<Node<'_>> {
    let body = function.child_by_field_name("body")?;
    if body.kind() != "statement_block" {
        return Some(body);
    }
    let last = *parts(body).last()?;
    if last.kind() != "return_statement" {
        return None;
    }
    parts(last).first().copied()
}
