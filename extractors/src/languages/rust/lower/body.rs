//! The bodies of declared types: what serde_derive does with structs and enums.

use agent_contracts_wire::model::{Arm, Field, Literal, Object, Type, Union};

use super::shape::object;
use super::{Context, Lower, Mode};
use crate::languages::rust::cases::Case;
use crate::languages::rust::facts::{Attrs, FieldItem, Fields, Serde, Side, TypeBody, TypeExpr, TypeItem, Variant};

impl Mode {
    pub(super) fn side(self) -> Side {
        match self {
            Self::Write { .. } => Side::Ser,
            Self::Read => Side::De,
        }
    }
}

/// What holds for all fields of a struct or a variant.
#[derive(Clone, Copy)]
struct FieldRules<'a> {
    /// The attributes of the struct or variant.
    container: &'a Attrs,
    /// The case of names without one of their own, as it is written and read.
    cases: [Option<Case>; 2],
    /// Every missing field is filled in.
    default: bool,
    /// `skip_serializing_none`.
    skip_none: bool,
}

impl Lower<'_> {
    /// What a declared type looks like.
    pub(super) fn body(&mut self, item: &TypeItem, context: &Context, ser: bool, de: bool) -> Type {
        let attrs = &item.attrs;
        let mode = if ser || !de {
            Mode::Write { read_too: de }
        } else {
            Mode::Read
        };
        let (derived, of) = match mode {
            Mode::Write { .. } => (attrs.derives.ser, "Serialize"),
            Mode::Read => (attrs.derives.de, "Deserialize"),
        };
        if !derived && let Some(forms) = self.forms(&context.module, &item.name, of) {
            return match self.by_hand(&forms, item, context) {
                Some(ty) => ty,
                None => self.unknown(context, format!("hand-written {of} of {}", item.name)),
            };
        }
        if attrs.derives.text {
            return Type::String;
        }
        let other = attrs.find(|attr| match (attr, mode) {
            (Serde::Into(ty), Mode::Write { .. }) | (Serde::From(ty), Mode::Read) => Some(ty.clone()),
            _ => None,
        });
        if let Some(other) = other {
            return self.shape(&other, context);
        }
        match &item.body {
            TypeBody::Struct(fields) => self.struct_body(fields, attrs, mode, context),
            TypeBody::Enum(variants) if attrs.derives.repr => numbers(variants),
            TypeBody::Enum(variants) => self.enum_body(variants, attrs, mode, context),
            TypeBody::Alias(target) => self.shape(target, context),
        }
    }

    fn struct_body(&mut self, fields: &Fields, attrs: &Attrs, mode: Mode, context: &Context) -> Type {
        let rules = FieldRules {
            container: attrs,
            cases: [attrs.rename_all(Side::Ser), attrs.rename_all(Side::De)],
            default: attrs.has(&Serde::Default),
            skip_none: attrs.skip_none,
        };
        if attrs.has(&Serde::Transparent)
            && let Fields::Named(fields) | Fields::Tuple(fields) = fields
            && let Some(only) = fields
                .iter()
                .find(|field| !field.attrs.skips(mode.side()) && !is_phantom(&field.ty))
        {
            return self.value(&only.ty, &only.attrs, mode, context);
        }
        let body = self.content(fields, rules, mode, context);
        match (
            attrs.find(|attr| if let Serde::Tag(tag) = attr { Some(tag) } else { None }),
            body,
        ) {
            // A tag on a struct is its own name; it is written and never looked at.
            (Some(tag), Type::Object(mut object)) if mode != Mode::Read => {
                let name = attrs
                    .rename(Side::Ser)
                    .map_or_else(|| self.instances[context.this].name.clone(), str::to_owned);
                let defaulted = mode == Mode::Write { read_too: true };
                let field = Field {
                    defaulted,
                    ..Field::new(Type::literal(name), true, context.line)
                };
                object.fields.insert(tag.clone(), field);
                Type::Object(object)
            }
            (_, body) => body,
        }
    }

    /// The fields of a struct or a variant: an object, a list of positions, the only field itself, or `null`.
    fn content(&mut self, fields: &Fields, rules: FieldRules<'_>, mode: Mode, context: &Context) -> Type {
        match fields {
            Fields::Unit => Type::Null,
            Fields::Named(fields) => Type::Object(self.object(fields, rules, mode, context)),
            Fields::Tuple(fields) => match fields.as_slice() {
                [only] => {
                    let context = Context {
                        line: only.line,
                        ..context.clone()
                    };
                    self.value(&only.ty, &only.attrs, mode, &context)
                }
                fields => {
                    let kept = fields.iter().filter(|field| !field.attrs.skips(mode.side()));
                    Type::Tuple(
                        kept.map(|field| self.value(&field.ty, &field.attrs, mode, context))
                            .collect(),
                    )
                }
            },
        }
    }

    fn object(&mut self, fields: &[FieldItem], rules: FieldRules<'_>, mode: Mode, context: &Context) -> Object {
        let mut object = Object::default();
        for field in fields {
            let context = Context {
                line: field.line,
                ..context.clone()
            };
            if field.attrs.skips(mode.side()) {
                continue;
            }
            if field.attrs.has(&Serde::Flatten) {
                self.flatten(field, &mut object, mode, &context);
                continue;
            }
            let [written, read] = [(Side::Ser, 0), (Side::De, 1)].map(|(side, index)| {
                let own = field.attrs.rename(side).map(str::to_owned);
                own.unwrap_or_else(|| {
                    rules.cases[index].map_or_else(|| field.name.clone(), |case| case.field(&field.name))
                })
            });
            let lowered = self.field(field, rules, mode, &context);
            let name = if mode == Mode::Read { read.clone() } else { written };
            let accepts = accepted(&name, &read, &field.attrs, mode);
            let lowered = Field {
                accepts,
                stability: field.attrs.stability,
                ..lowered
            };
            // Under two conditions the same name may be there twice; the first one counts.
            object.fields.entry(name).or_insert(lowered);
        }
        object
    }

    /// The value of a field and whether its key is there.
    fn field(&mut self, field: &FieldItem, rules: FieldRules<'_>, mode: Mode, context: &Context) -> Field {
        let attrs = &field.attrs;
        let option = self.option(&field.ty, context);
        let predicate = attrs.find(|attr| {
            if let Serde::SkipIf(path) = attr {
                Some(path.as_str())
            } else {
                None
            }
        });
        let skipped_none =
            option.is_some() && (rules.skip_none || predicate.is_some_and(|path| path.contains("is_none")));
        let by_hand = attrs.find(|attr| match attr {
            Serde::With(side, _) if side.covers(Side::De) => Some(()),
            _ => None,
        });
        let defaulted = rules.default || attrs.has(&Serde::Default) || option.is_some() && by_hand.is_none();
        match mode {
            Mode::Write { read_too } => {
                let always = predicate.is_none() && !skipped_none;
                let ty = match option {
                    Some((inner, inside)) if skipped_none && !is_adapted(attrs) => {
                        let inside = Context {
                            line: field.line,
                            ..inside
                        };
                        self.value(&inner, attrs, mode, &inside)
                    }
                    _ if skipped_none => not_null(self.value(&field.ty, attrs, mode, context)),
                    _ => self.value(&field.ty, attrs, mode, context),
                };
                let mut lowered = Field::new(ty, always, field.line);
                lowered.defaulted = always && read_too && (defaulted || attrs.skips(Side::De));
                lowered
            }
            Mode::Read => Field::new(self.value(&field.ty, attrs, mode, context), !defaulted, field.line),
        }
    }

    fn flatten(&mut self, field: &FieldItem, object: &mut Object, mode: Mode, context: &Context) {
        let part = match self.option(&field.ty, context) {
            Some((inner, inside)) => match self.value(&inner, &field.attrs, mode, &inside) {
                // All of its members, or none.
                part @ (Type::Named(_) | Type::Union(_) | Type::Object(_)) => {
                    Type::union([part, Type::Object(Object::default())])
                }
                part => part,
            },
            None => self.value(&field.ty, &field.attrs, mode, context),
        };
        match part {
            Type::Any => object.open = true,
            Type::Null => {}
            part => object.parts.push(part),
        }
    }

    fn enum_body(&mut self, variants: &[Variant], attrs: &Attrs, mode: Mode, context: &Context) -> Type {
        let tag = attrs.find(|attr| {
            if let Serde::Tag(tag) = attr {
                Some(tag.clone())
            } else {
                None
            }
        });
        let content = attrs.find(|attr| {
            if let Serde::Content(content) = attr {
                Some(content.clone())
            } else {
                None
            }
        });
        let untagged = attrs.has(&Serde::Untagged);
        let mut union = Union {
            tag: tag.clone().filter(|_| !untagged),
            ..Union::default()
        };
        for variant in variants {
            if variant.attrs.skips(mode.side()) {
                continue;
            }
            let context = Context {
                line: variant.line,
                ..context.clone()
            };
            let [written, read] = [Side::Ser, Side::De].map(|side| {
                let own = variant.attrs.rename(side).map(str::to_owned);
                own.unwrap_or_else(|| {
                    attrs
                        .rename_all(side)
                        .map_or_else(|| variant.name.clone(), |case| case.variant(&variant.name))
                })
            });
            let name = if mode == Mode::Read { read.clone() } else { written };
            let rules = FieldRules {
                container: &variant.attrs,
                cases: [Side::Ser, Side::De]
                    .map(|side| variant.attrs.rename_all(side).or_else(|| attrs.rename_all_fields(side))),
                default: variant.attrs.has(&Serde::Default),
                skip_none: false,
            };
            let payload = self.payload(variant, rules, mode, &context);
            let bare = untagged || variant.attrs.has(&Serde::Untagged);
            union.open |= variant.attrs.has(&Serde::Other) || bare && !untagged && payload == Type::String;
            let ty = match (&tag, &content) {
                _ if bare => payload,
                (Some(tag), Some(content)) => adjacent(tag, content, &name, variant, payload),
                (Some(tag), None) => internal(tag, &name, variant, payload),
                (None, _) if matches!(variant.fields, Fields::Unit) => Type::literal(&name),
                (None, _) => object([(name.as_str(), payload)], variant.line),
            };
            union.arms.push(Arm {
                name: Some(variant.name.clone()),
                ty,
                result: self.answer(variant, &context),
                stability: variant.attrs.stability,
                accepts: if bare {
                    Vec::new()
                } else {
                    accepted(&name, &read, &variant.attrs, mode)
                },
                line: variant.line,
            });
        }
        Type::Union(union)
    }

    fn payload(&mut self, variant: &Variant, rules: FieldRules<'_>, mode: Mode, context: &Context) -> Type {
        match &variant.fields {
            // `with` on a variant is about all it holds.
            Fields::Tuple(fields) if fields.len() == 1 && is_adapted(rules.container) => {
                self.value(&fields[0].ty, rules.container, mode, context)
            }
            fields => self.content(fields, rules, mode, context),
        }
    }

    /// What is answered to a request: said by its row, or by the trait that gives it its parameters.
    fn answer(&mut self, variant: &Variant, context: &Context) -> Option<Type> {
        if let Some(answer) = &variant.answer {
            return Some(self.shape(answer, context));
        }
        let Fields::Tuple(fields) = &variant.fields else {
            return None;
        };
        let TypeExpr::Assoc(of, by, name) = &fields.first()?.ty else {
            return None;
        };
        let TypeExpr::Path(path, _) = of.as_ref() else {
            return None;
        };
        if name != "Params" {
            return None;
        }
        let super::super::resolve::Found::Type(module, owner) = self.resolver.resolve(&context.module, path) else {
            return None;
        };
        let answer = ["Result", "Response"]
            .iter()
            .find_map(|name| self.associated_type(&module, &owner, by, name))?;
        let inside = Context {
            module,
            ..context.clone()
        };
        Some(self.shape(&answer, &inside))
    }
}

/// `{tag: name, …payload}`.
fn internal(tag: &str, name: &str, variant: &Variant, payload: Type) -> Type {
    let mut object = match payload {
        Type::Object(object) => object,
        Type::Null => Object::default(),
        Type::Any => Object {
            open: true,
            ..Object::default()
        },
        part => Object {
            parts: vec![part],
            ..Object::default()
        },
    };
    object
        .fields
        .insert(tag.to_owned(), Field::new(Type::literal(name), true, variant.line));
    Type::Object(object)
}

/// `{tag: name, content: payload}`.
fn adjacent(tag: &str, content: &str, name: &str, variant: &Variant, payload: Type) -> Type {
    let Type::Object(mut fields) = object([(tag, Type::literal(name))], variant.line) else {
        return payload;
    };
    if !matches!(variant.fields, Fields::Unit) {
        fields
            .fields
            .insert(content.to_owned(), Field::new(payload, true, variant.line));
    }
    Type::Object(fields)
}

/// Further names that a reader takes.
fn accepted(name: &str, read: &str, attrs: &Attrs, mode: Mode) -> Vec<String> {
    if mode == (Mode::Write { read_too: false }) {
        return Vec::new();
    }
    let mut names: Vec<String> = attrs
        .aliases()
        .map(str::to_owned)
        .chain([read.to_owned()])
        .filter(|other| other != name)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// The numbers of `serde_repr`.
fn numbers(variants: &[Variant]) -> Type {
    Type::Union(Union {
        arms: variants
            .iter()
            .map(|variant| Arm {
                name: Some(variant.name.clone()),
                line: variant.line,
                stability: variant.attrs.stability,
                ..Arm::of(
                    variant
                        .value
                        .map_or(Type::Number, |value| Type::Literal(Literal::Number(value.to_string()))),
                )
            })
            .collect(),
        open: variants.iter().any(|variant| variant.attrs.has(&Serde::Other)),
        tag: None,
    })
}

/// Without the `null` of a union.
fn not_null(ty: Type) -> Type {
    match ty {
        Type::Union(mut union) => {
            union.arms.retain(|arm| arm.ty != Type::Null);
            match union.arms.len() {
                1 if union.tag.is_none() && !union.open => union.arms.pop().map_or(Type::Null, |arm| arm.ty),
                _ => Type::Union(union),
            }
        }
        other => other,
    }
}

fn is_adapted(attrs: &Attrs) -> bool {
    attrs
        .find(|attr| matches!(attr, Serde::As(..) | Serde::With(..)).then_some(()))
        .is_some()
}

fn is_phantom(ty: &TypeExpr) -> bool {
    matches!(ty, TypeExpr::Path(path, _) if path.last().is_some_and(|name| name == "PhantomData"))
}
