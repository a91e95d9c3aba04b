//! Values that are written by hand: `impl Serialize`, `with`, `serde_as`.

use std::rc::Rc;

use agent_contracts_wire::model::Type;

use super::{Context, Lower, Mode};
use crate::languages::rust::facts::{Attrs, Fields, Form, Serde, Side, TypeBody, TypeExpr, TypeItem};
use crate::languages::rust::known::{Adapter, Codec, adapter, known_codec};
use crate::languages::rust::resolve::{Found, Module};

/// How deep hand-written code may hand on to other hand-written code.
const MAX_DEPTH: usize = 8;

impl Lower<'_> {
    /// What the hand-written impl of a trait does with a type, if there is one in the type's file.
    pub(super) fn forms(&self, module: &Module, name: &str, of: &str) -> Option<Vec<Form>> {
        self.resolver.in_impls(module, |item| {
            let same = matches!(&item.ty, TypeExpr::Path(path, _) if path.last().is_some_and(|last| last == name));
            (same && item.of == of).then(|| item.forms.clone())
        })
    }

    /// The type that hand-written code gives a declared type. `None` when it cannot be told.
    pub(super) fn by_hand(&mut self, forms: &[Form], item: &TypeItem, context: &Context) -> Option<Type> {
        let mut types = Vec::new();
        for form in forms {
            let ty = match form {
                Form::SelfField(name) => self.shape(&field_type(item, name)?, context),
                Form::SomeField(name) => {
                    let (inner, inside) = self.option(&field_type(item, name)?, context)?;
                    self.shape(&inner, &inside)
                }
                Form::Payload(path, variant) if path.len() == 1 && (path[0] == "Self" || path[0] == item.name) => {
                    self.shape(&payload(item, variant)?, context)
                }
                Form::Payload(path, variant) => {
                    let Found::Type(module, name) = self.resolver.resolve(&context.module, path) else {
                        return None;
                    };
                    let owner = self.resolver.type_item(&module, &name)?;
                    let inside = Context {
                        module,
                        env: Rc::default(),
                        ..context.clone()
                    };
                    self.shape(&payload(&owner, variant)?, &inside)
                }
                Form::Declared => return None,
                other => self.form(other, None, context, 0)?,
            };
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        match types.len() {
            0 => None,
            1 => types.pop(),
            _ => Some(Type::union(types)),
        }
    }

    /// One form of a value whose declared type is `declared`.
    fn form(&mut self, form: &Form, declared: Option<&TypeExpr>, context: &Context, depth: usize) -> Option<Type> {
        Some(match form {
            Form::Null => Type::Null,
            Form::Boolean => Type::Boolean,
            Form::Number => Type::Number,
            Form::String => Type::String,
            Form::Declared => self.shape(declared?, context),
            Form::Of(ty) => self.shape(ty, context),
            Form::Call(path) => self.function(path, declared, context, depth + 1)?,
            Form::Payload(..) | Form::SelfField(_) | Form::SomeField(_) | Form::Unknown => return None,
        })
    }

    /// What a function that is given a value and a serialiser makes of it.
    fn function(
        &mut self,
        path: &[String],
        declared: Option<&TypeExpr>,
        context: &Context,
        depth: usize,
    ) -> Option<Type> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(known) = known_codec(path) {
            return Some(match known {
                Codec::Declared => self.shape(declared?, context),
                Codec::String => Type::String,
                Codec::Number => Type::Number,
                Codec::Bytes => Type::Array(Box::new(Type::Number)),
            });
        }
        let codec = self.resolver.codec(&context.module, path)?;
        let mut types = Vec::new();
        for form in &codec.forms {
            let ty = self.form(form, declared, context, depth)?;
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        match types.len() {
            0 => None,
            1 => types.pop(),
            _ => Some(Type::union(types)),
        }
    }

    /// The type of a field or a variant's payload, with what its attributes say of how it is written.
    pub(super) fn value(&mut self, ty: &TypeExpr, attrs: &Attrs, mode: Mode, context: &Context) -> Type {
        let side = mode.side();
        let adapted = attrs.find(|attr| match attr {
            Serde::As(of, adapter) if of.covers(side) => Some(adapter),
            _ => None,
        });
        if let Some(with) = adapted {
            return self.adapted(with, ty, context);
        }
        let with = attrs.find(|attr| match attr {
            Serde::With(of, path) if of.covers(side) => Some((*of, path)),
            _ => None,
        });
        let Some((of, path)) = with else {
            return self.shape(ty, context);
        };
        if of == Side::Both {
            // A module of two functions, or a type that stands for a remote one.
            if let Found::Type(..) = self.resolver.resolve(&context.module, path) {
                return self.shape(&TypeExpr::Path(path.clone(), Vec::new()), context);
            }
            let mut function = path.clone();
            function.push(if side == Side::Ser { "serialize" } else { "deserialize" }.to_owned());
            if let Some(found) = self.function(&function, Some(ty), context, 0) {
                return found;
            }
        } else if let Some(found) = self.function(path, Some(ty), context, 0) {
            return found;
        }
        self.unknown(context, format!("{ty} with {}", path.join("::")))
    }

    /// What `serde_with` writes for `ty` when it is told to take it `as` something.
    fn adapted(&mut self, with: &TypeExpr, ty: &TypeExpr, context: &Context) -> Type {
        let TypeExpr::Path(path, args) = with else {
            return match (with, ty) {
                (TypeExpr::Array(with), TypeExpr::Array(ty)) => Type::Array(Box::new(self.adapted(with, ty, context))),
                (TypeExpr::Tuple(with), TypeExpr::Tuple(ty)) if with.len() == ty.len() && !ty.is_empty() => {
                    Type::Tuple(
                        with.iter()
                            .zip(ty)
                            .map(|(with, ty)| self.adapted(with, ty, context))
                            .collect(),
                    )
                }
                _ => self.shape(ty, context),
            };
        };
        let name = path.last().map_or("", String::as_str);
        match adapter(name) {
            Some(Adapter::Declared) => self.shape(ty, context),
            Some(Adapter::String) => Type::String,
            Some(Adapter::Number) => Type::Number,
            Some(Adapter::Bytes) => Type::Array(Box::new(Type::Number)),
            Some(Adapter::Inner) => match args.first() {
                Some(TypeExpr::Tuple(first)) if !first.is_empty() => self.adapted(&first[0], ty, context),
                Some(first) => self.adapted(first, ty, context),
                None => self.shape(ty, context),
            },
            Some(Adapter::Convert) => match args.first() {
                Some(target) => self.shape(target, context),
                None => self.shape(ty, context),
            },
            Some(Adapter::OneOrMany) => match (self.shape(ty, context), args.first()) {
                (Type::Array(item), _) => Type::union([(*item).clone(), Type::Array(item)]),
                (other, _) => other,
            },
            Some(Adapter::Container) => {
                let inner: Vec<TypeExpr> = match ty {
                    TypeExpr::Path(_, inner) => inner.clone(),
                    _ => Vec::new(),
                };
                let mut parts = Vec::new();
                for (with, ty) in args.iter().zip(&inner) {
                    parts.push(self.adapted(with, ty, context));
                }
                self.container(path, parts, context)
            }
            // A hand-written adapter, or a type that stands for another.
            None => match self.resolver.resolve(&context.module, path) {
                Found::Type(module, name) if self.forms(&module, &name, "Serialize").is_some() => {
                    self.shape(with, context)
                }
                _ => self.unknown(context, format!("{ty} as {with}")),
            },
        }
    }

    /// A standard container of parts that are already known.
    fn container(&mut self, path: &[String], parts: Vec<Type>, context: &Context) -> Type {
        let mut env = (*context.env).clone();
        let mut args = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            let name = format!("\u{1}{index}");
            env.insert(name.clone(), part);
            args.push(TypeExpr::Path(vec![name], Vec::new()));
        }
        let inside = Context {
            env: Rc::new(env),
            ..context.clone()
        };
        self.shape(&TypeExpr::Path(path.to_vec(), args), &inside)
    }
}

fn field_type(item: &TypeItem, name: &str) -> Option<TypeExpr> {
    let TypeBody::Struct(fields) = &item.body else {
        return None;
    };
    match fields {
        Fields::Named(fields) => fields
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.ty.clone()),
        Fields::Tuple(fields) => fields.get(name.parse::<usize>().ok()?).map(|field| field.ty.clone()),
        Fields::Unit => None,
    }
}

fn payload(item: &TypeItem, variant: &str) -> Option<TypeExpr> {
    let TypeBody::Enum(variants) = &item.body else {
        return None;
    };
    match &variants.iter().find(|found| found.name == variant)?.fields {
        Fields::Tuple(fields) if fields.len() == 1 => fields.first().map(|field| field.ty.clone()),
        _ => None,
    }
}
