//! The utility types of the language, and the built-in types that have a form in JSON.

use std::collections::BTreeMap;

use agent_contracts_wire::model::{Field, Object, Type, Union};

use super::ast::Ty;
use super::eval::{Cx, Val, list_of};
use super::linker::Linker;
use super::objects::Flat;
use super::unions::UnionBuilder;
use super::zod::{self, MADE_BY, VALUES_OF};

/// A name that the language gives a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Utility {
    /// A list of its argument.
    List,
    /// Its first argument as it is.
    Same,
    Record,
    /// A map of its argument, or of strings.
    Dict,
    Partial,
    Required,
    Pick,
    Omit,
    Exclude,
    Extract,
    NonNullable,
    ReturnType,
    ValuesOf,
    MadeBy,
    Uppercase,
    Lowercase,
    Capitalize,
    Uncapitalize,
    String,
    Number,
    Boolean,
    /// A function, or an object that only lives in its process.
    Behaviour,
    /// Something that JSON does not say more of.
    Opaque,
}

/// What a name means that a file imports from a module which is never in the tree: those of the runtime, and the helper
/// types of libraries that we know.
pub(super) fn imported(module: &str, name: &str) -> Option<Utility> {
    let known = module.strip_prefix("node:");
    match (known.unwrap_or(module), name) {
        ("crypto", "UUID") => Some(Utility::String),
        ("process" | "querystring" | "http", "Dict" | "ParsedUrlQuery") => Some(Utility::Dict),
        (_, "Simplify" | "Prettify" | "ReadonlyDeep") => Some(Utility::Same),
        (
            "stream" | "stream/web" | "events" | "child_process" | "http" | "https" | "net" | "readline" | "tls"
            | "worker_threads",
            _,
        ) => Some(Utility::Behaviour),
        ("buffer" | "fs" | "fs/promises" | "url" | "util" | "os" | "path", _) => Some(Utility::Opaque),
        (_, name) if zod::is_library(module) && name.starts_with("Zod") => Some(Utility::Opaque),
        _ if known.is_some() => Some(Utility::Opaque),
        _ => None,
    }
}

/// What a name of the language means; `None` when it is none.
pub(super) fn of(name: &str) -> Option<Utility> {
    Some(match name {
        "Array" | "ReadonlyArray" => Utility::List,
        "Readonly" | "Promise" | "PromiseLike" | "Awaited" | "NoInfer" => Utility::Same,
        "Record" => Utility::Record,
        "Partial" => Utility::Partial,
        "Required" => Utility::Required,
        "Pick" => Utility::Pick,
        "Omit" => Utility::Omit,
        "Exclude" => Utility::Exclude,
        "Extract" => Utility::Extract,
        "NonNullable" => Utility::NonNullable,
        "ReturnType" => Utility::ReturnType,
        VALUES_OF => Utility::ValuesOf,
        MADE_BY => Utility::MadeBy,
        "Uppercase" => Utility::Uppercase,
        "Lowercase" => Utility::Lowercase,
        "Capitalize" => Utility::Capitalize,
        "Uncapitalize" => Utility::Uncapitalize,
        // Both are written as strings by JSON.stringify.
        "Date" | "URL" | "String" => Utility::String,
        "Number" | "BigInt" | "bigint" => Utility::Number,
        "Boolean" => Utility::Boolean,
        "Function"
        | "CallableFunction"
        | "NewableFunction"
        | "AbortSignal"
        | "AbortController"
        | "AsyncIterable"
        | "AsyncIterator"
        | "AsyncGenerator"
        | "AsyncIterableIterator"
        | "Iterator"
        | "Generator"
        | "ReadableStream"
        | "WritableStream"
        | "TransformStream"
        | "EventTarget"
        | "EventEmitter"
        | "WebSocket"
        | "Worker"
        | "Disposable"
        | "AsyncDisposable"
        | "WeakMap"
        | "WeakSet"
        | "WeakRef" => Utility::Behaviour,
        "NodeJS.ProcessEnv" | "NodeJS.Dict" | "NodeJS.ReadOnlyDict" => Utility::Dict,
        "Object" | "Error" | "RegExp" | "Map" | "ReadonlyMap" | "Set" | "ReadonlySet" | "Uint8Array" | "Int8Array"
        | "Uint16Array" | "Int16Array" | "Uint32Array" | "Int32Array" | "Float32Array" | "Float64Array"
        | "BigInt64Array" | "BigUint64Array" | "ArrayBuffer" | "SharedArrayBuffer" | "DataView" | "Buffer" | "Blob"
        | "File" | "FormData" | "Headers" | "Request" | "Response" | "RequestInit" | "ResponseInit" | "BodyInit"
        | "Event" | "Iterable" | "IterableIterator" | "ThisType" | "Symbol" | "PropertyKey" | "Intl" => Utility::Opaque,
        _ if name.starts_with("NodeJS.") || name.starts_with("globalThis.") || name.starts_with("Intl.") => {
            Utility::Opaque
        }
        _ => return None,
    })
}

/// `text` in the case that a utility type gives it.
fn in_case(utility: Utility, text: &str) -> String {
    let mut chars = text.chars();
    match utility {
        Utility::Uppercase => text.to_uppercase(),
        Utility::Lowercase => text.to_lowercase(),
        Utility::Capitalize => chars
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect()),
        _ => chars
            .next()
            .map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect()),
    }
}

impl Linker<'_> {
    /// A utility type applied to its arguments.
    pub(super) fn utility(&mut self, utility: Utility, args: &[Ty], cx: &Cx<'_>) -> Val {
        let val = |linker: &mut Self, index: usize| {
            args.get(index)
                .map_or(Val::of(Type::Any), |arg: &Ty| linker.eval(arg, cx))
        };
        match utility {
            Utility::List => {
                let item = val(self, 0);
                list_of(item)
            }
            Utility::Same => val(self, 0),
            Utility::Record => {
                let (key, value) = (val(self, 0), val(self, 1));
                self.record(&key.ty, value, cx)
            }
            Utility::Dict => {
                let value = args.first().map_or(Type::String, |value| self.eval(value, cx).ty);
                Val::of(Type::Map(Box::new(value)))
            }
            Utility::Partial => {
                let of = val(self, 0);
                self.with_fields(&of.ty, &|field| field.required = false)
            }
            Utility::Required => {
                let of = val(self, 0);
                self.with_fields(&of.ty, &|field| field.required = true)
            }
            Utility::Pick | Utility::Omit => {
                let (of, names) = (val(self, 0), val(self, 1));
                self.select(&of.ty, &names.ty, utility == Utility::Pick, cx)
            }
            Utility::Exclude | Utility::Extract => {
                let (of, those) = (val(self, 0), val(self, 1));
                self.filter(of, &those, utility == Utility::Extract)
            }
            Utility::NonNullable => {
                let of = val(self, 0);
                let null = Val::of(Type::Null).or_absent();
                self.filter(of, &null, false)
            }
            Utility::ReturnType => match args.first().and_then(|of| self.returned(of, cx)) {
                Some(returned) => returned,
                None => self.unresolved("what a function returns", cx),
            },
            Utility::ValuesOf => self.values_of(args, cx),
            Utility::MadeBy => self.made_by(args, cx),
            Utility::Uppercase | Utility::Lowercase | Utility::Capitalize | Utility::Uncapitalize => {
                let of = val(self, 0);
                match self.literals(&of.ty) {
                    Some(literals) => {
                        let mut union = UnionBuilder::default();
                        for literal in literals {
                            union.add(Val::of(Type::literal(in_case(utility, &literal.to_string()))));
                        }
                        union.build(self)
                    }
                    None => Val::of(Type::String),
                }
            }
            Utility::String => Val::of(Type::String),
            Utility::Number => Val::of(Type::Number),
            Utility::Boolean => Val::of(Type::Boolean),
            Utility::Behaviour => Val::function(),
            Utility::Opaque => Val::of(Type::Any),
        }
    }

    fn values_of(&mut self, args: &[Ty], cx: &Cx<'_>) -> Val {
        let Some(of) = args.first() else { return Val::never() };
        let val = self.eval(of, cx);
        match self.flat(&val.ty) {
            Flat::List(_) | Flat::Tuple(_) => Val::of(self.item(&val.ty)),
            // An enum that is named as a type.
            Flat::Union(_) | Flat::Scalar => val,
            _ => self.all_values(of, cx),
        }
    }

    fn record(&mut self, key: &Type, value: Val, cx: &Cx<'_>) -> Val {
        let Some(names) = self.literals(key) else {
            // `Record<string, never>` is how an object without members is written.
            let ty = if value.is_nothing() {
                Type::Object(Object::default())
            } else {
                Type::Map(Box::new(value.ty))
            };
            return Val::of(ty);
        };
        let mut object = Object::default();
        if !value.is_nothing() {
            for name in names {
                let field = Field::new(value.ty.clone(), !value.absent, cx.line);
                object.fields.insert(name.to_string(), field);
            }
        }
        Val::of(Type::Object(object))
    }

    /// An object type with every member changed; a union arm by arm.
    fn with_fields(&mut self, ty: &Type, change: &dyn Fn(&mut Field)) -> Val {
        Val::of(match self.flat(ty) {
            Flat::Object {
                mut fields,
                others,
                unread,
            } => {
                if let (true, Some(others)) = (fields.is_empty() && unread.is_empty(), &others) {
                    return Val::of(Type::Map(Box::new(others.clone())));
                }
                fields.values_mut().for_each(change);
                Type::Object(Object {
                    fields,
                    parts: unread,
                    open: others.is_some(),
                })
            }
            Flat::Union(union) => {
                let mut result = UnionBuilder::tagged(union.tag.clone());
                for arm in union.arms {
                    let val = self.with_fields(&arm.ty, change);
                    result.add_arm(val, arm.line, arm.stability);
                }
                return result.build(self);
            }
            _ => ty.clone(),
        })
    }

    /// `Pick` and `Omit`.
    fn select(&mut self, ty: &Type, names: &Type, pick: bool, cx: &Cx<'_>) -> Val {
        let Some(names) = self.literals(names) else {
            return match names {
                Type::Unresolved(_) => Val::of(names.clone()),
                _ if matches!(ty, Type::Any) => Val::of(Type::Any),
                _ => self.unresolved(&format!("some members of {ty}"), cx),
            };
        };
        let (mut fields, others, unread) = match self.flat(ty) {
            Flat::Object { fields, others, unread } => (fields, others, unread),
            Flat::Union(union) => match self.in_common(&union) {
                Some(fields) => (fields, None, Vec::new()),
                None => return self.unresolved(&format!("some members of {ty}"), cx),
            },
            Flat::Unread(ty) => return Val::of(ty),
            _ => return Val::of(ty.clone()),
        };
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        fields.retain(|name, _| names.contains(name) == pick);
        Val::of(Type::Object(Object {
            fields,
            parts: unread,
            open: others.is_some() && !pick,
        }))
    }

    /// The members that all arms of a union have.
    fn in_common(&mut self, union: &Union) -> Option<BTreeMap<String, Field>> {
        let mut all: Option<BTreeMap<String, (UnionBuilder, Field)>> = None;
        for arm in &union.arms {
            let fields = self.fields(&arm.ty)?;
            let start = |field: Field| {
                let mut types = UnionBuilder::default();
                types.add(Val::of(field.ty.clone()));
                (types, field)
            };
            all = Some(match all {
                None => fields.into_iter().map(|(name, field)| (name, start(field))).collect(),
                Some(mut common) => {
                    common.retain(|name, (types, first)| {
                        let Some(field) = fields.get(name) else { return false };
                        types.add(Val::of(field.ty.clone()));
                        first.required &= field.required;
                        true
                    });
                    common
                }
            });
        }
        let mut fields = BTreeMap::new();
        for (name, (types, first)) in all? {
            let ty = types.build(self).ty;
            fields.insert(name, Field { ty, ..first });
        }
        Some(fields)
    }

    /// `Extract` and `Exclude`: the arms that fit, or do not fit, `those`.
    fn filter(&mut self, of: Val, those: &Val, keep: bool) -> Val {
        let union = match self.flat(&of.ty) {
            Flat::Union(union) => union,
            _ => match Type::union([of.ty.clone()]) {
                Type::Union(union) => union,
                _ => return of,
            },
        };
        let is_enum = union.arms.iter().any(|arm| arm.name.is_some());
        let mut result = UnionBuilder::tagged(union.tag.clone());
        let total = union.arms.len();
        let mut kept = 0;
        for arm in union.arms {
            // What cannot be decided stays.
            if self.assignable(&arm.ty, &those.ty, 0).is_none_or(|fits| fits == keep) {
                kept += 1;
                let ty = if is_enum {
                    Type::Union(Union {
                        arms: vec![arm],
                        ..Default::default()
                    })
                } else {
                    arm.ty
                };
                result.add(Val::of(ty));
            }
        }
        let mut val = if kept == total && !union.open {
            // Nothing was taken away: the name says it.
            Val::of(of.ty)
        } else {
            if union.open {
                result.add(Val::of(Type::Union(Union {
                    open: true,
                    ..Default::default()
                })));
            }
            result.build(self)
        };
        val.absent = of.absent && (those.absent == keep);
        val.callable = of.callable && (those.callable == keep);
        val
    }
}
