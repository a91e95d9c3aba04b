//! Facts of many files to one [`WireModel`]: which declarations become types, under which ids, with which evidence.
//!
//! Every declared type of the scope becomes one, exported or not. Declarations beyond the scope become types only when
//! something refers to them. A zod schema and the type that is inferred from it are one type.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::{Degraded, Evidence, Place, Type, TypeDecl, Unresolved};

use super::ast::{Decl, DeclKind, Export, Param, Ty};
use super::constants;
use super::eval::{Cx, Env, Val};
use super::json_values;
use super::modules::{DeclKey, Found, Module, Modules, Want};
use super::schemas::{SchemaRole, inferred_from};
use super::unions::UnionBuilder;
use crate::SourceTree;
use crate::literals::{Placed, declare, is_test};

/// How many types one declaration, and one link, may evaluate: bounds against types that compute without end.
const FUEL_OF_BODY: u32 = 300_000;
const FUEL: u32 = 20_000_000;

/// What a declaration looks like on the wire.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) val: Val,
    /// It has required methods, so that no such object comes from a wire.
    pub(super) behaves: bool,
}

/// The state of one link.
pub(super) struct Linker<'a> {
    pub(super) modules: Modules<'a>,
    in_scope: BTreeSet<usize>,
    ids: BTreeMap<DeclKey, String>,
    keys: BTreeMap<String, DeclKey>,
    queue: VecDeque<DeclKey>,
    bodies: BTreeMap<DeclKey, Rc<Body>>,
    /// Bodies that are being made.
    pub(super) open_bodies: BTreeSet<DeclKey>,
    /// The type that a schema constant is the twin of.
    pub(super) twins: BTreeMap<DeclKey, DeclKey>,
    /// Interfaces of other modules that `declare module` blocks of the scope add to.
    augmented: BTreeMap<DeclKey, Vec<DeclKey>>,
    unresolved: BTreeSet<Unresolved>,
    /// How deep the evaluation is.
    pub(super) depth: u32,
    pub(super) fuel: u32,
    all_fuel: u32,
    /// Instances of generic types that are being made, with their arguments.
    pub(super) instances: Vec<(DeclKey, String)>,
    /// Members of two types that are being made one, so that types inside of themselves end.
    pub(super) narrowing: Vec<(Type, Type)>,
    /// The declaration that is being made is not reported, so neither is what it leaves open.
    quiet: bool,
}

/// Links the files of `scope` into one model.
pub(super) fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    let mut linker = Linker {
        modules: Modules::new(tree),
        in_scope: BTreeSet::new(),
        ids: BTreeMap::new(),
        keys: BTreeMap::new(),
        queue: VecDeque::new(),
        bodies: BTreeMap::new(),
        open_bodies: BTreeSet::new(),
        twins: BTreeMap::new(),
        augmented: BTreeMap::new(),
        unresolved: BTreeSet::new(),
        depth: 0,
        fuel: FUEL_OF_BODY,
        all_fuel: FUEL,
        instances: Vec::new(),
        narrowing: Vec::new(),
        quiet: false,
    };
    let mut paths = scope.to_vec();
    paths.sort_unstable();
    paths.dedup();
    let mut model = WireModel::default();
    for path in paths {
        if let Some(module) = linker.modules.load(path) {
            linker.in_scope.insert(module);
            model.files += 1;
        }
    }
    linker.follow_entry_points();
    linker.find_twins();
    linker.find_augmentations();
    let roots = linker.roots();
    for key in roots {
        linker.id(key);
    }
    while let Some(key) = linker.queue.pop_front() {
        if let Some(decl) = linker.emit(key) {
            let id = linker.id(key);
            model.types.insert(id, decl);
        }
    }
    constants::add(&mut linker, &mut model);
    let literals = linker.event_literals();
    model.types.extend(
        declare(&literals, "emit")
            .into_iter()
            .map(|decl| (decl.name.clone(), decl)),
    );
    mark_heirs_of_behaviour(&mut model);
    json_values::widen(&mut model);
    model.degraded = linker.degraded();
    model.unresolved = linker.unresolved.into_iter().collect();
    model
}

impl Linker<'_> {
    /// A file of the scope that declares nothing and only passes on others (`export * from "./types.js"`) stands for
    /// them: they are in the scope too, with what they pass on in turn.
    fn follow_entry_points(&mut self) {
        let scope = self.in_scope.clone();
        let mut queue: Vec<usize> = scope.iter().copied().collect();
        while let Some(index) = queue.pop() {
            let module = self.modules.get(index);
            if scope.contains(&index) && !module.facts().decls.is_empty() {
                continue;
            }
            for export in &module.facts().exports {
                let (Export::All { module } | Export::From { module, .. } | Export::Module { module, .. }) = export
                else {
                    continue;
                };
                match self.modules.target(index, module) {
                    Some(target) if self.in_scope.insert(target) => queue.push(target),
                    Some(_) => {}
                    None => {
                        let what = format!("what {module} exports");
                        let place = Place {
                            file: self.modules.get(index).path.clone(),
                            line: 1,
                        };
                        self.unresolved.insert(Unresolved { place, what });
                    }
                }
            }
        }
    }

    /// The event literals of the scope that stand in no test.
    fn event_literals(&self) -> Vec<Placed> {
        let mut all = Vec::new();
        for (_, module) in self.scope() {
            if !is_test(&module.path) {
                let found = module.facts().literals.iter().cloned();
                all.extend(found.map(|literal| (module.path.clone(), literal)));
            }
        }
        all
    }

    pub(super) fn is_in_scope(&self, module: usize) -> bool {
        self.in_scope.contains(&module)
    }

    /// The modules of the scope, by path.
    pub(super) fn scope(&self) -> Vec<(usize, Rc<Module>)> {
        let mut modules: Vec<_> = self
            .in_scope
            .iter()
            .map(|&index| (index, self.modules.get(index)))
            .collect();
        modules.sort_by(|a, b| a.1.path.cmp(&b.1.path));
        modules
    }

    /// `declare module "./types.js" { interface A { … } }` adds to the interface `A` of that module.
    fn find_augmentations(&mut self) {
        for (index, module) in self.scope() {
            for (place, decl) in module.facts().decls.iter().enumerate() {
                let target = decl.space.strip_prefix('"').and_then(|space| space.strip_suffix('"'));
                let (Some(target), DeclKind::Interface { .. }) = (target, &decl.kind) else {
                    continue;
                };
                if let Some(target) = self.modules.target(index, target)
                    && let Found::Decl(original, rest) = self.modules.exported(target, &decl.name, Want::Type)
                    && rest.is_empty()
                {
                    let addition = DeclKey {
                        module: index,
                        index: place,
                    };
                    self.augmented.entry(original).or_default().push(addition);
                }
            }
        }
    }

    /// The declarations of the scope that become types, by path and line.
    fn roots(&mut self) -> Vec<DeclKey> {
        let mut roots = Vec::new();
        let additions: BTreeSet<DeclKey> = self.augmented.values().flatten().copied().collect();
        for (index, module) in self.scope() {
            let mut seen = BTreeSet::new();
            for (place, decl) in module.facts().decls.iter().enumerate() {
                let key = DeclKey {
                    module: index,
                    index: place,
                };
                let wanted = match &decl.kind {
                    DeclKind::Alias { .. }
                    | DeclKind::Interface { .. }
                    | DeclKind::Class { .. }
                    | DeclKind::Enum(_) => true,
                    DeclKind::Const(_) => self.schema_role(key) == Some(SchemaRole::Itself),
                    DeclKind::Function(_) => false,
                };
                if wanted && !additions.contains(&key) && seen.insert((decl.path(), is_value(decl))) {
                    roots.push(key);
                }
            }
        }
        roots
    }

    /// The id of a declaration. Whoever asks will refer to it, so it becomes a type.
    pub(super) fn id(&mut self, key: DeclKey) -> String {
        if let Some(id) = self.ids.get(&key) {
            return id.clone();
        }
        let module = self.modules.get(key.module);
        let name = module
            .decl(key.index)
            .map_or_else(String::new, |decl| decl.name.clone());
        let mut id = name.clone();
        if self.keys.contains_key(&id) {
            id = format!("{name}@{}", module.path);
        }
        let mut next = 2;
        while self.keys.contains_key(&id) {
            id = format!("{name}@{}#{next}", module.path);
            next += 1;
        }
        self.keys.insert(id.clone(), key);
        self.ids.insert(key, id.clone());
        self.queue.push_back(key);
        id
    }

    /// The body of the type with this id, made now if need be; `None` while it is being made.
    pub(super) fn body_of_id(&mut self, id: &str) -> Option<Rc<Body>> {
        let key = *self.keys.get(id)?;
        self.body(key)
    }

    /// The body of a declaration; `None` while it is being made, so that cycles end.
    pub(super) fn body(&mut self, key: DeclKey) -> Option<Rc<Body>> {
        if let Some(body) = self.bodies.get(&key) {
            return Some(Rc::clone(body));
        }
        if !self.open_bodies.insert(key) {
            return None;
        }
        let module = self.modules.get(key.module);
        let is_class = matches!(
            module.decl(key.index).map(|decl| &decl.kind),
            Some(DeclKind::Class { .. })
        );
        let unreported = is_class || !self.is_in_scope(key.module);
        let quiet = std::mem::replace(&mut self.quiet, unreported);
        let outer = self.fuel;
        self.fuel = FUEL_OF_BODY.min(self.all_fuel);
        let given = self.fuel;
        let body = self.make_body(key).map(Rc::new);
        self.all_fuel -= given - self.fuel;
        self.fuel = outer;
        self.quiet = quiet;
        self.open_bodies.remove(&key);
        if let Some(body) = &body {
            self.bodies.insert(key, Rc::clone(body));
        }
        body
    }

    fn make_body(&mut self, key: DeclKey) -> Option<Body> {
        let module = self.modules.get(key.module);
        let decl = module.decl(key.index)?;
        let cx = Cx {
            module: key.module,
            space: &decl.space,
            env: Env::default(),
            line: decl.line,
        };
        let plain = |val| Body { val, behaves: false };
        Some(match &decl.kind {
            DeclKind::Enum(members) => plain(Val::of(constants::enum_type(members))),
            DeclKind::Const(ty) => plain(self.eval(ty, &cx)),
            DeclKind::Function(_) => plain(Val::function()),
            DeclKind::Alias { params, ty } => {
                let env = self.declared_env(params, &cx);
                if let Some(union) = self.by_key(params, ty, &cx, &env) {
                    return Some(plain(union));
                }
                let cx = Cx { env, ..cx };
                match ty {
                    // The twin of a schema is made from it.
                    _ if inferred_from(ty).is_some() => plain(self.inferred(key, ty, &cx)),
                    Ty::Object(shape) => {
                        let (ty, behaves) = self.shape(&[shape], &cx);
                        Body {
                            val: Val::of(ty),
                            behaves,
                        }
                    }
                    _ => plain(self.eval(ty, &cx)),
                }
            }
            DeclKind::Interface { shape, .. } if shape.is_function() => plain(Val::function()),
            DeclKind::Interface { params, .. } | DeclKind::Class { params, .. } => {
                let cx = Cx {
                    env: self.declared_env(params, &cx),
                    ..cx
                };
                let (ty, behaves) = self.merged_shape(key, &cx);
                Body {
                    val: Val::of(ty),
                    behaves,
                }
            }
        })
    }

    /// All that is declared under the name of an interface or class, with what `cx` says of its parameters.
    pub(super) fn merged_shape(&mut self, key: DeclKey, cx: &Cx<'_>) -> (Type, bool) {
        let module = self.modules.get(key.module);
        let additions: Vec<(DeclKey, Rc<Module>)> = self.augmented.get(&key).map_or_else(Vec::new, |all| {
            all.iter().map(|&key| (key, self.modules.get(key.module))).collect()
        });
        let shapes: Vec<_> = module
            .merged(key.index)
            .chain(additions.iter().filter_map(|(key, module)| module.decl(key.index)))
            .filter_map(|decl| match &decl.kind {
                DeclKind::Interface { shape, .. } | DeclKind::Class { shape, .. } => Some(shape),
                _ => None,
            })
            .collect();
        self.shape(&shapes, cx)
    }

    /// What type parameters stand for when nobody says: their defaults, else their constraints, else anything.
    fn declared_env(&mut self, params: &[Param], cx: &Cx<'_>) -> Env {
        let mut cx = cx.clone();
        for param in params {
            let val = match param.default.as_ref().or(param.constraint.as_ref()) {
                Some(ty) => self.eval(ty, &cx),
                None => Val::of(Type::Any),
            };
            cx.env = cx.env.with(&param.name, val);
        }
        cx.env
    }

    /// An alias with one parameter that is a key (`Event<K extends keyof Events>`): the union of what it is for each key,
    /// so that the key and what it selects stay together.
    fn by_key(&mut self, params: &[Param], ty: &Ty, cx: &Cx<'_>, env: &Env) -> Option<Val> {
        let [
            Param {
                name,
                constraint: Some(Ty::KeyOf(_)),
                ..
            },
        ] = params
        else {
            return None;
        };
        let keys = self.literals(&env.get(name)?.ty.clone())?;
        if keys.len() < 2 {
            return None;
        }
        let mut union = UnionBuilder::default();
        for key in keys {
            let cx = Cx {
                env: cx.env.with(name, Val::of(Type::Literal(key))),
                ..cx.clone()
            };
            union.add(self.eval(ty, &cx));
        }
        Some(union.build(self))
    }

    /// Notes that `what` cannot be resolved, and gives the type that says so.
    pub(super) fn unresolved(&mut self, what: &str, cx: &Cx<'_>) -> Val {
        if !self.quiet {
            let file = self.modules.get(cx.module).path.clone();
            let place = Place { file, line: cx.line };
            self.unresolved.insert(Unresolved {
                place,
                what: what.to_owned(),
            });
        }
        Val::of(Type::Unresolved(what.to_owned()))
    }

    fn emit(&mut self, key: DeclKey) -> Option<TypeDecl> {
        let body = self.body(key)?;
        // A function, or nothing at all.
        if body.val.is_nothing() {
            return None;
        }
        let module = self.modules.get(key.module);
        let decl = module.decl(key.index)?;
        let in_process =
            body.behaves || matches!(decl.kind, DeclKind::Class { .. }) || self.is_computed(key.module, decl);
        Some(TypeDecl {
            name: decl.name.clone(),
            place: Place {
                file: module.path.clone(),
                line: decl.line,
            },
            in_scope: self.is_in_scope(key.module),
            body: body.val.ty.clone(),
            direction: None,
            stability: self.stability(key, decl),
            evidence: if in_process {
                Evidence::InProcess
            } else {
                Evidence::Declared
            },
        })
    }

    /// An alias that only computes with types of the scope (`Command["type"]`, `keyof Events`, `type Pretty<T> = {…}`) says
    /// nothing of its own: what it shows is declared, and compared, elsewhere.
    fn is_computed(&mut self, module: usize, decl: &Decl) -> bool {
        let DeclKind::Alias { params, ty } = &decl.kind else {
            return false;
        };
        let open = params.iter().any(|param| param.default.is_none());
        let of = match ty {
            Ty::Mapped(_) if open => return true,
            Ty::Intersection(all) if open && all.iter().any(|ty| matches!(ty, Ty::Mapped(_) | Ty::Conditional(_))) => {
                return true;
            }
            // What the compiler is made to decide: a helper, or a check of other types.
            Ty::Conditional(_) => return true,
            Ty::Ref { name, .. } if params.iter().any(|param| param.name == *name) => return true,
            Ty::Index(pair) if open && matches!(pair.0, Ty::Mapped(_)) => return true,
            Ty::Index(pair) => &pair.0,
            Ty::KeyOf(of) => &**of,
            _ => return false,
        };
        let Ty::Ref { name, .. } = of else { return false };
        match self.modules.resolve(module, &decl.space, name, Want::Type) {
            Found::Decl(key, _) => self.is_in_scope(key.module),
            _ => false,
        }
    }

    fn degraded(&self) -> Vec<Degraded> {
        let mut degraded = Vec::new();
        for (_, module) in self.scope() {
            degraded.extend(module.facts().gaps.iter().map(|gap| Degraded {
                file: module.path.clone(),
                lines: gap.lines,
                why: gap.why.clone(),
                hides: gap.hides.clone(),
            }));
        }
        degraded
    }
}

const fn is_value(decl: &Decl) -> bool {
    matches!(decl.kind, DeclKind::Const(_) | DeclKind::Function(_))
}

/// What extends a type with required methods has them too.
fn mark_heirs_of_behaviour(model: &mut WireModel) {
    let behaves = |model: &WireModel, decl: &TypeDecl| match &decl.body {
        Type::Object(object) => object.parts.iter().any(|part| match part {
            Type::Named(id) => model
                .types
                .get(id)
                .is_some_and(|base| base.evidence == Evidence::InProcess),
            _ => false,
        }),
        _ => false,
    };
    loop {
        let heirs: Vec<String> = model
            .types
            .iter()
            .filter(|(_, decl)| decl.evidence == Evidence::Declared && behaves(model, decl))
            .map(|(id, _)| id.clone())
            .collect();
        if heirs.is_empty() {
            return;
        }
        for id in heirs {
            if let Some(decl) = model.types.get_mut(&id) {
                decl.evidence = Evidence::InProcess;
            }
        }
    }
}
