//! Schema constants and the types that they are twins of: which name a schema goes by.

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_contracts_wire::model::Stability;

use super::ast::{Decl, DeclKind, Ty};
use super::eval::{Cx, Env, Val};
use super::linker::Linker;
use super::modules::{DeclKey, Found, Want};
use super::zod::MADE_BY;

/// What stands for a schema constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaRole {
    /// The alias that is inferred from it.
    Alias(DeclKey),
    /// What it repeats: another schema, or a declared type of the scope.
    Other,
    /// Nothing else does: it is a type by its own name.
    Itself,
}

impl Linker<'_> {
    /// Pairs schema constants with the aliases that are inferred from them (`type A = z.infer<typeof schema>`). A schema
    /// with several aliases is the twin of the one that has its name, if any.
    pub(super) fn find_twins(&mut self) {
        let mut aliases: BTreeMap<DeclKey, Vec<(DeclKey, String)>> = BTreeMap::new();
        for (index, module) in self.scope() {
            for (place, decl) in module.facts().decls.iter().enumerate() {
                let DeclKind::Alias { params, ty } = &decl.kind else {
                    continue;
                };
                let Some(name) = inferred_from(ty).filter(|_| params.is_empty()) else {
                    continue;
                };
                if let Found::Decl(schema, rest) = self.modules.resolve(index, &decl.space, name, Want::Value)
                    && rest.is_empty()
                    && self.schema(schema).is_some_and(|ty| !ty.is_name())
                {
                    let alias = DeclKey {
                        module: index,
                        index: place,
                    };
                    aliases
                        .entry(schema)
                        .or_default()
                        .push((alias, decl.name.to_lowercase()));
                }
            }
        }
        for (schema, aliases) in aliases {
            let module = self.modules.get(schema.module);
            let name = module
                .decl(schema.index)
                .map_or_else(String::new, |decl| decl.name.to_lowercase());
            let own = name.trim_start_matches(['$', '_']);
            let own = own.strip_suffix("schema").unwrap_or(own);
            let twin = match aliases.as_slice() {
                [(only, _)] => Some(*only),
                many => many
                    .iter()
                    .find(|(_, alias)| alias == own || own.strip_prefix('z') == Some(alias.as_str()))
                    .map(|(alias, _)| *alias),
            };
            if let Some(twin) = twin {
                self.twins.insert(schema, twin);
            }
        }
    }

    /// What a constant describes, when it is a schema.
    fn schema(&mut self, key: DeclKey) -> Option<Rc<Ty>> {
        let module = self.modules.get(key.module);
        let decl = module.decl(key.index)?;
        match &decl.kind {
            DeclKind::Const(Ty::Schema(inner)) => Some(Rc::new((**inner).clone())),
            DeclKind::Const(made @ Ty::Ref { name, args }) if name == MADE_BY => {
                let Some(Ty::TypeOf(maker)) = args.first() else {
                    return None;
                };
                let Found::Decl(maker, rest) = self.modules.resolve(key.module, &decl.space, maker, Want::Value) else {
                    return None;
                };
                let module = self.modules.get(maker.module);
                let makes = module.decl(maker.index).and_then(maker_of);
                (rest.is_empty() && makes.is_some()).then(|| Rc::new(made.clone()))
            }
            _ => None,
        }
    }

    /// What stands for a constant; `None` when it is no schema.
    pub(super) fn schema_role(&mut self, key: DeclKey) -> Option<SchemaRole> {
        if let Some(alias) = self.twins.get(&key) {
            return Some(SchemaRole::Alias(*alias));
        }
        let ty = self.schema(key)?;
        let module = self.modules.get(key.module);
        let space = module.decl(key.index).map_or("", |decl| &decl.space);
        let repeats = match &*ty {
            Ty::Twin(pair) => self.names_type_of_scope(&pair.0, key.module, space),
            ty => ty.is_name(),
        };
        Some(if repeats { SchemaRole::Other } else { SchemaRole::Itself })
    }

    /// Whether a declared type is reported itself, so that its twin need not be.
    pub(super) fn names_type_of_scope(&mut self, ty: &Ty, module: usize, space: &str) -> bool {
        let Ty::Ref { name, .. } = ty else { return false };
        match self.modules.resolve(module, space, name, Want::Type) {
            Found::Decl(key, rest) => rest.is_empty() && self.is_in_scope(key.module),
            _ => false,
        }
    }

    /// What an alias that is inferred from a schema looks like: its twin is made from the schema.
    pub(super) fn inferred(&mut self, alias: DeclKey, ty: &Ty, cx: &Cx<'_>) -> Val {
        if let Some(name) = inferred_from(ty)
            && let Found::Decl(schema, rest) = self.modules.resolve(cx.module, cx.space, name, Want::Value)
            && rest.is_empty()
            && self.twins.get(&schema) == Some(&alias)
            && let Some(inner) = self.schema(schema)
        {
            let module = self.modules.get(schema.module);
            if let Some(Decl { line, space, .. }) = module.decl(schema.index) {
                let cx = Cx {
                    module: schema.module,
                    space,
                    env: Env::default(),
                    line: *line,
                };
                return self.eval(&inner, &cx);
            }
        }
        self.eval(ty, cx)
    }

    /// What a function makes from these schemas.
    pub(super) fn made_by(&mut self, args: &[Ty], cx: &Cx<'_>) -> Val {
        let Some((Ty::TypeOf(name), given)) = args.split_first() else {
            return Val::never();
        };
        if let Found::Decl(key, rest) = self.modules.resolve(cx.module, cx.space, name, Want::Value)
            && rest.is_empty()
        {
            let module = self.modules.get(key.module);
            if let Some(decl) = module.decl(key.index)
                && let Some((params, returns)) = maker_of(decl)
            {
                let mut env = Env::default();
                for (param, arg) in params.iter().zip(given) {
                    env = env.with(param, self.eval(arg, cx));
                }
                let inside = Cx {
                    module: key.module,
                    space: &decl.space,
                    env,
                    line: cx.line,
                };
                return self.eval(returns, &inside);
            }
        }
        self.unresolved(&format!("what {name} makes"), cx)
    }

    /// A twin is as stable as the less stable of both.
    pub(super) fn stability(&self, key: DeclKey, decl: &Decl) -> Stability {
        if decl.stability != Stability::Stable {
            return decl.stability;
        }
        let schema = self
            .twins
            .iter()
            .find(|(_, alias)| **alias == key)
            .map(|(schema, _)| *schema);
        schema.map_or(Stability::Stable, |schema| {
            self.modules
                .get(schema.module)
                .decl(schema.index)
                .map_or(Stability::Stable, |decl| decl.stability)
        })
    }
}

/// The parameters of a function that makes a schema, and what it returns.
fn maker_of(decl: &Decl) -> Option<(&[String], &Ty)> {
    match &decl.kind {
        DeclKind::Const(Ty::Maker { params, returns }) | DeclKind::Function(Ty::Maker { params, returns }) => {
            Some((params, returns))
        }
        _ => None,
    }
}

/// Names of helper types that say no more than what they are given.
const SAYING_NO_MORE: [&str; 6] = ["NonNullable", "Readonly", "Infer", "Flatten", "Simplify", "Prettify"];

/// What `type A = z.infer<typeof schema>` is inferred from.
pub(super) fn inferred_from(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::TypeOf(name) => Some(name),
        Ty::Ref { name, args } if args.len() == 1 && SAYING_NO_MORE.contains(&name.as_str()) => {
            inferred_from(args.first()?)
        }
        _ => None,
    }
}
