//! Type expressions as JSON.

use std::rc::Rc;

use agent_contracts_wire::model::{Field, Object, Type};

use super::finish::reference;
use super::{Context, Lower, MAX_TYPES};
use crate::languages::rust::facts::{TypeBody, TypeExpr, TypeItem};
use crate::languages::rust::known::{Known, known};
use crate::languages::rust::resolve::{Found, Module};

/// How many aliases and arguments an expression may go through.
const MAX_DEPTH: usize = 64;

impl Lower<'_> {
    /// What `ty` looks like on the wire.
    pub(super) fn shape(&mut self, ty: &TypeExpr, context: &Context) -> Type {
        if context.depth > MAX_DEPTH {
            return self.unknown(context, format!("{ty} nests too deep"));
        }
        let inner = Context {
            depth: context.depth + 1,
            ..context.clone()
        };
        match ty {
            TypeExpr::Tuple(items) if items.is_empty() => Type::Null,
            TypeExpr::Tuple(items) => Type::Tuple(items.iter().map(|item| self.shape(item, &inner)).collect()),
            TypeExpr::Array(item) => Type::Array(Box::new(self.shape(item, &inner))),
            TypeExpr::Other(text) => self.unknown(context, text.clone()),
            TypeExpr::Assoc(of, by, name) => self.associated(of, by, name, &inner),
            TypeExpr::Path(path, args) => self.path_shape(path, args, &inner),
        }
    }

    fn path_shape(&mut self, path: &[String], args: &[TypeExpr], context: &Context) -> Type {
        if let [name] = path {
            if let Some(bound) = context.env.get(name) {
                return bound.clone();
            }
            if name == "Self" {
                return reference(context.this);
            }
        } else if path.first().is_some_and(|first| context.env.contains_key(first)) {
            // `T::Item` depends on what `T` is; the declaration does not say.
            return Type::Any;
        }
        match self.resolver.resolve(&context.module, path) {
            Found::Type(module, name) => self.declared(&module, &name, args, context),
            Found::External(full) => self.external(&full, args, context),
            Found::Module(_) => self.unknown(context, path.join("::")),
        }
    }

    fn declared(&mut self, module: &Module, name: &str, args: &[TypeExpr], context: &Context) -> Type {
        let Some(item) = self.resolver.type_item(module, name) else {
            return self.unknown(context, name.to_owned());
        };
        let args: Vec<Type> = args
            .iter()
            .take(item.generics.len())
            .map(|arg| self.shape(arg, context))
            .collect();
        if let TypeBody::Alias(target) = &item.body {
            let inside = alias_context(&item, module, args, context);
            return self.shape(target, &inside);
        }
        if self.instances.len() > MAX_TYPES {
            return self.unknown(context, format!("{name} is beyond the budget of {MAX_TYPES} types"));
        }
        reference(self.instance(module, name, args))
    }

    /// `<T as Trait>::Name`, by the impl in the file of `T`.
    fn associated(&mut self, of: &TypeExpr, by: &str, name: &str, context: &Context) -> Type {
        if let TypeExpr::Path(path, _) = of
            && let Found::Type(module, owner) = self.resolver.resolve(&context.module, path)
            && let Some(target) = self.associated_type(&module, &owner, by, name)
        {
            let inside = Context {
                module,
                env: Rc::default(),
                ..context.clone()
            };
            return self.shape(&target, &inside);
        }
        self.unknown(context, format!("<{of} as {by}>::{name}"))
    }

    /// The type that an impl of `by` for `owner` gives the name.
    pub(super) fn associated_type(&self, module: &Module, owner: &str, by: &str, name: &str) -> Option<TypeExpr> {
        self.resolver.in_impls(module, |item| {
            let same = matches!(&item.ty, TypeExpr::Path(path, _) if path.last().is_some_and(|last| last == owner));
            if !same || !by.is_empty() && item.of != by {
                return None;
            }
            item.assoc
                .iter()
                .find(|(assoc, _)| assoc == name)
                .map(|(_, ty)| ty.clone())
        })
    }

    fn external(&mut self, path: &[String], args: &[TypeExpr], context: &Context) -> Type {
        let arg = |this: &mut Self, index: usize| match args.get(index) {
            Some(arg) => this.shape(arg, context),
            None => Type::Any,
        };
        let Some(known) = known(path) else {
            return self.unknown(context, path.join("::"));
        };
        match known {
            Known::Any => Type::Any,
            Known::Null => Type::Null,
            Known::Boolean => Type::Boolean,
            Known::Number => Type::Number,
            Known::String => Type::String,
            Known::Option => arg(self, 0).nullable(),
            Known::Same => arg(self, 0),
            Known::List => match arg(self, 0) {
                // `SmallVec<[T; 4]>`
                Type::Array(item) if matches!(args.first(), Some(TypeExpr::Array(_))) && is_small(path) => {
                    Type::Array(item)
                }
                item => Type::Array(Box::new(item)),
            },
            Known::Bytes => Type::Array(Box::new(Type::Number)),
            Known::Map => Type::Map(Box::new(arg(self, 1))),
            Known::AnyMap => Type::Map(Box::new(Type::Any)),
            Known::Duration => numbers(["secs", "nanos"], context.line),
            Known::SystemTime => numbers(["secs_since_epoch", "nanos_since_epoch"], context.line),
            Known::Range => {
                let item = arg(self, 0);
                object([("start", item.clone()), ("end", item)], context.line)
            }
            Known::Result => {
                let (ok, err) = (arg(self, 0), arg(self, 1));
                Type::union([object([("Ok", ok)], context.line), object([("Err", err)], context.line)])
            }
            Known::OneOrMany => {
                let item = arg(self, 0);
                Type::union([item.clone(), Type::Array(Box::new(item))])
            }
        }
    }

    /// What an `Option` holds, and where that is to be read; `None` when `ty` is no `Option`. Aliases are followed.
    pub(super) fn option(&mut self, ty: &TypeExpr, context: &Context) -> Option<(TypeExpr, Context)> {
        let TypeExpr::Path(path, args) = ty else { return None };
        if context.depth > MAX_DEPTH || matches!(path.as_slice(), [name] if context.env.contains_key(name)) {
            return None;
        }
        match self.resolver.resolve(&context.module, path) {
            Found::External(full) if known(&full) == Some(Known::Option) => {
                Some((args.first()?.clone(), context.clone()))
            }
            Found::Type(module, name) => {
                let item = self.resolver.type_item(&module, &name)?;
                let TypeBody::Alias(target) = &item.body else {
                    return None;
                };
                let args = args.iter().map(|arg| self.shape(arg, context)).collect();
                let inside = alias_context(&item, &module, args, context);
                self.option(target, &inside)
            }
            _ => None,
        }
    }
}

fn alias_context(item: &TypeItem, module: &Module, args: Vec<Type>, context: &Context) -> Context {
    let mut args = args.into_iter();
    Context {
        module: module.clone(),
        env: Rc::new(
            item.generics
                .iter()
                .map(|name| (name.clone(), args.next().unwrap_or(Type::Any)))
                .collect(),
        ),
        this: context.this,
        line: context.line,
        depth: context.depth + 1,
    }
}

fn is_small(path: &[String]) -> bool {
    path.last()
        .is_some_and(|name| matches!(name.as_str(), "SmallVec" | "ArrayVec"))
}

fn numbers(names: [&str; 2], line: u32) -> Type {
    object(names.map(|name| (name, Type::Number)), line)
}

/// An object whose members are all required.
pub(super) fn object<const N: usize>(fields: [(&str, Type); N], line: u32) -> Type {
    Type::Object(Object {
        fields: fields
            .map(|(name, ty)| (name.to_owned(), Field::new(ty, true, line)))
            .into(),
        ..Object::default()
    })
}
