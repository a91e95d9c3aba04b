//! zod types as they are printed in declaration files (`z.ZodObject<{…}>`), read for the data that they describe.
//!
//! Where the data that goes in differs from what comes out (transforms, coercions), it is what goes in: that is what
//! stands on the wire. A member with a default is filled in by who reads it.

use std::collections::BTreeSet;

use super::ast::{Element, Keyword, Member, MemberKind, Shape, Ty};
use agent_contracts_wire::model::{Literal, Stability};

/// The name of the helper type for the values of an enum, of a constant object or of a constant list. No program can
/// declare it.
pub(super) const VALUES_OF: &str = "values of";

/// The name of the helper type for what a [`Ty::Maker`] makes: its first argument is the function.
pub(super) const MADE_BY: &str = "made by";

/// Whether a module is the zod library.
pub(super) fn is_library(module: &str) -> bool {
    module == "zod" || module.starts_with("zod/") || module == "@hono/zod-openapi"
}

/// What stands behind the library's local name in a path: `ZodObject` of `z.ZodObject`.
pub(super) fn member_of_library<'p>(zod: &BTreeSet<String>, path: &'p str) -> Option<&'p str> {
    let first = path.split('.').next()?;
    if !zod.contains(first) {
        return None;
    }
    let last = path.rsplit('.').next()?;
    Some(last.trim_start_matches('$'))
}

/// The type that `path<args>` stands for when it is one of the library's; the arguments back when it is not.
pub(super) fn printed(zod: &BTreeSet<String>, path: &str, args: Vec<Ty>) -> Result<Ty, Vec<Ty>> {
    match member_of_library(zod, path) {
        Some(name) => printed_member(name, args),
        None => Err(args),
    }
}

/// [`printed`] for a name that is known to be the library's.
pub(super) fn printed_member(name: &str, args: Vec<Ty>) -> Result<Ty, Vec<Ty>> {
    let mut rest = args.into_iter();
    let mut next = || rest.next().unwrap_or(Ty::Keyword(Keyword::Any));
    let described = match name {
        // Not a schema but what one describes, or a helper on shapes.
        "infer" | "input" | "output" | "TypeOf" => return Ok(next().described()),
        "extendShape" | "Extend" | "MergeShapes" => {
            return Ok(Ty::Object(Shape {
                extends: vec![next(), next()],
                members: vec![],
            }));
        }
        _ => match scalar(name.strip_prefix("Zod").unwrap_or("?")) {
            Some(keyword) => Ty::Keyword(keyword),
            None => match name {
                "ZodLiteral" | "ZodReadonly" | "ZodBranded" | "ZodEffects" | "ZodLazy" | "ZodPromise" | "ZodType"
                | "ZodSchema" | "ZodMiniType" | "ZodCustom" | "ZodSuccess" => next().described(),
                "ZodEnum" | "ZodNativeEnum" => values_of(next()),
                "ZodArray" => Ty::Array(Box::new(next().described())),
                "ZodOptional" | "ZodExactOptional" => next().described().or_undefined(),
                "ZodDefault" | "ZodPrefault" | "ZodCatch" => next().described().or_default(),
                "ZodNullable" => next().described().or_null(),
                "ZodNonOptional" => without_undefined(next().described()),
                "ZodPipe" | "ZodPipeline" | "ZodCodec" => match next() {
                    // `preprocess`: what goes in is anything, so what comes next says more.
                    Ty::Schema(inner) if *inner == Ty::Keyword(Keyword::Any) => next().described(),
                    other => other.described(),
                },
                "ZodUnion" | "ZodDiscriminatedUnion" | "ZodXor" => return Ok(union(rest.collect())),
                "ZodIntersection" => Ty::Intersection(vec![next().described(), next().described()]),
                "ZodRecord" => {
                    let (first, second) = (next(), rest.next());
                    record(first, second)
                }
                "ZodTuple" => tuple(next(), rest.next()),
                "ZodObject" | "ZodMiniObject" | "ZodInterface" => object(next(), &rest.collect::<Vec<_>>()),
                "ZodFunction" => Ty::Function(None),
                _ => return Err(rest.collect()),
            },
        },
    };
    Ok(Ty::Schema(Box::new(described)))
}

/// The scalar that a constructor (`email`) or printed type (`Email`) without arguments describes.
pub(super) fn scalar(name: &str) -> Option<Keyword> {
    let lower = name.to_ascii_lowercase();
    let keyword = match lower.trim_start_matches("coerced").trim_start_matches("mini") {
        "string" | "stringformat" | "customstringformat" | "templateliteral" | "stringbool" | "date" | "email"
        | "url" | "httpurl" | "uri" | "uuid" | "uuidv4" | "uuidv6" | "uuidv7" | "guid" | "nanoid" | "cuid"
        | "cuid2" | "ulid" | "xid" | "ksuid" | "ipv4" | "ipv6" | "cidrv4" | "cidrv6" | "mac" | "base64"
        | "base64url" | "e164" | "jwt" | "emoji" | "hostname" | "hex" | "hash" | "isodate" | "isodatetime"
        | "isotime" | "isoduration" | "datetime" | "time" | "duration" => Keyword::String,
        "number" | "numberformat" | "bigint" | "bigintformat" | "nan" | "int" | "int32" | "uint32" | "int64"
        | "uint64" | "float32" | "float64" => Keyword::Number,
        "boolean" => Keyword::Boolean,
        "null" => Keyword::Null,
        "undefined" | "void" | "symbol" => Keyword::Undefined,
        "never" => Keyword::Never,
        "any" | "unknown" | "typeany" | "file" | "map" | "set" | "transform" | "json" => Keyword::Any,
        _ => return None,
    };
    Some(keyword)
}

/// The union of the items of a list or of the values of an object; for a name, what the linker finds there.
pub(super) fn values_of(of: Ty) -> Ty {
    match of {
        Ty::Tuple(items) => {
            let values = |item: Element| {
                if item.rest {
                    Ty::apply(VALUES_OF, vec![item.ty])
                } else {
                    item.ty
                }
            };
            Ty::union(items.into_iter().map(values).collect())
        }
        Ty::Object(shape) if shape.extends.is_empty() && shape.members.iter().all(is_field) => {
            let value = |member: Member| match member.kind {
                MemberKind::Field { ty, .. } => Some(ty),
                _ => None,
            };
            Ty::union(shape.members.into_iter().filter_map(value).collect())
        }
        other => Ty::apply(VALUES_OF, vec![other]),
    }
}

const fn is_field(member: &Member) -> bool {
    matches!(member.kind, MemberKind::Field { .. })
}

pub(super) fn without_undefined(ty: Ty) -> Ty {
    Ty::apply("Exclude", vec![ty, Ty::Keyword(Keyword::Undefined)])
}

/// `Record<key, value>`, or a map of `first` when it stands alone.
pub(super) fn record(first: Ty, second: Option<Ty>) -> Ty {
    let (key, value) = match second {
        Some(value) => (first.described(), value.described()),
        None => (Ty::Keyword(Keyword::String), first.described()),
    };
    Ty::apply("Record", vec![key, value])
}

/// A union from its list of schemas and, in either place, its tag.
fn union(args: Vec<Ty>) -> Ty {
    let mut tag = None;
    let mut arms = Ty::Keyword(Keyword::Any);
    for arg in args {
        match arg {
            Ty::Literal(Literal::String(text)) => tag = Some(text),
            other => {
                if matches!(arms, Ty::Keyword(Keyword::Any)) {
                    arms = other;
                }
            }
        }
    }
    let read = match arms {
        Ty::Tuple(items) => tagged(items.into_iter().map(|item| item.ty.described()).collect(), tag),
        // `readonly X[]`: the arms are not told apart.
        Ty::Array(item) => item.described(),
        other => Ty::apply(VALUES_OF, vec![other]),
    };
    Ty::Schema(Box::new(read))
}

/// A union of `types` that `tag` tells apart.
pub(super) fn tagged(types: Vec<Ty>, tag: Option<String>) -> Ty {
    match Ty::union(types) {
        Ty::Union { arms, .. } => Ty::Union { arms, tag },
        other => other,
    }
}

fn tuple(items: Ty, rest: Option<Ty>) -> Ty {
    let Ty::Tuple(mut items) = items else {
        return items;
    };
    for item in &mut items {
        let ty = std::mem::replace(&mut item.ty, Ty::Keyword(Keyword::Any));
        item.ty = ty.described();
    }
    match rest {
        Some(rest) if rest != Ty::Keyword(Keyword::Null) => items.push(Element {
            ty: Ty::Array(Box::new(rest.described())),
            optional: false,
            rest: true,
        }),
        _ => {}
    }
    Ty::Tuple(items)
}

/// An object from its shape and what is printed behind it: its treatment of other members, in both major versions.
fn object(shape: Ty, rest: &[Ty]) -> Ty {
    let open = rest.iter().any(|arg| match arg {
        Ty::Literal(Literal::String(text)) => text == "passthrough",
        Ty::Ref { name, .. } => {
            name.ends_with("$loose") || name.ends_with("$catchall") || name.ends_with("$passthrough")
        }
        _ => false,
    });
    if open { opened(shape) } else { shape }
}

/// `shape` with members that it does not name.
pub(super) fn opened(shape: Ty) -> Ty {
    let open = Member {
        kind: MemberKind::Open,
        optional: true,
        line: 0,
        stability: Stability::Stable,
    };
    match shape {
        Ty::Object(mut shape) => {
            shape.members.push(open);
            Ty::Object(shape)
        }
        other => Ty::Object(Shape {
            extends: vec![other],
            members: vec![open],
        }),
    }
}
