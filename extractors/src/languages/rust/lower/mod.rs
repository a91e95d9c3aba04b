//! Declarations as serde writes them.
//!
//! **Both directions in one type.** Where a type derives `Serialize`, its form is what is written; `required` says that
//! the key is always written, and `defaulted` that a reader does without it (`default`, a plain `Option`). Names that
//! only a reader takes (`alias`, `rename(deserialize = …)`) are in `accepts`. An `Option` that is skipped when it is
//! `None` is written as its content or not at all, so it is no `null`. A type that only derives `Deserialize` has the
//! form that is read, and `required` says that the reader refuses a frame without the key.
//!
//! **Generic types** are written out for each set of arguments, as `Name<Args>`; the declaration itself stands there with
//! `any` for its parameters. Aliases, newtypes and smart pointers are what they hold.

mod body;
mod codec;
mod finish;
mod shape;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use agent_contracts_wire::Direction;
use agent_contracts_wire::model::{
    Constant, Degraded, Evidence, Literal, Place, Type, TypeDecl, Unresolved, WireModel,
};

use super::facts::{ConstItem, ConstValue, Derives, Facts, Scope, Serde, TypeBody, TypeItem};
use super::resolve::{Module, Resolver};
use crate::SourceTree;
use crate::literals::{declare, is_test};

/// How many types a model may have; beyond, references are unresolved.
const MAX_TYPES: usize = 50_000;
/// How deep arguments of generic types may nest before they are taken as any.
const MAX_ARGUMENT: usize = 400;

/// A type with its arguments.
struct Instance {
    module: Module,
    name: String,
    args: Vec<Type>,
    in_scope: bool,
    decl: Option<TypeDecl>,
}

/// Where an expression stands.
#[derive(Clone)]
struct Context {
    module: Module,
    /// What type parameters stand for.
    env: Rc<BTreeMap<String, Type>>,
    /// The declared type around it.
    this: usize,
    /// The line to name when something is not known.
    line: u32,
    depth: usize,
}

/// Which direction of a type is described.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// What is written; the type is read too, or not.
    Write { read_too: bool },
    /// What is read.
    Read,
}

struct Lower<'t> {
    resolver: Resolver<'t>,
    instances: Vec<Instance>,
    index: HashMap<(Module, String, String), usize>,
    /// The files whose types are reported.
    files: BTreeSet<Rc<str>>,
    queue: VecDeque<usize>,
    unresolved: Vec<Unresolved>,
}

/// Links the files of `scope`.
pub(super) fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    let mut lower = Lower {
        resolver: Resolver::new(tree),
        instances: Vec::new(),
        index: HashMap::new(),
        files: scope.iter().map(|&path| Rc::from(path)).collect(),
        queue: VecDeque::new(),
        unresolved: Vec::new(),
    };
    let mut model = WireModel::default();
    let mut literals = Vec::new();
    for &path in scope {
        let file = lower.resolver.with_facts(path, |facts| {
            let Facts {
                root,
                literals,
                degraded,
                manifest,
            } = facts;
            let degraded: Vec<Degraded> = degraded.iter().map(|damage| damage.at(path)).collect();
            let mut found = Declared::default();
            found.collect(root, &mut Vec::new());
            (degraded, found, literals.clone(), manifest.is_some())
        });
        let Some((degraded, declared, events, is_manifest)) = file else {
            continue;
        };
        if is_manifest {
            continue;
        }
        model.files += 1;
        model.degraded.extend(degraded);
        declared.constants(path, &mut model);
        if !is_test(path) {
            literals.extend(events.into_iter().map(|event| (path.to_owned(), event)));
        }
        lower.roots(path, &declared);
    }
    while let Some(index) = lower.queue.pop_front() {
        let decl = lower.declaration(index);
        lower.instances[index].decl = decl;
    }
    lower.finish(&mut model);
    model.types.extend(
        declare(&literals, "json!")
            .into_iter()
            .map(|decl| (decl.name.clone(), decl)),
    );
    model
}

/// What one file declares.
#[derive(Default)]
struct Declared {
    /// Modules with declarations, and the names of their types.
    modules: Vec<Vec<String>>,
    constants: Vec<ConstItem>,
}

impl Declared {
    fn collect(&mut self, scope: &Scope, path: &mut Vec<String>) {
        self.modules.push(path.clone());
        self.constants.extend(scope.consts.iter().cloned());
        for module in &scope.mods {
            if let Some(inline) = &module.inline {
                path.push(module.name.clone());
                self.collect(inline, path);
                path.pop();
            }
        }
    }

    fn constants(&self, file: &str, model: &mut WireModel) {
        for constant in &self.constants {
            // Of the constants of a version type only the one that is sent counts, not the list of those there were.
            let version = constant.name.rsplit_once("::").map(|(_, name)| name);
            if version.is_some_and(|name| !matches!(name, "LATEST" | "CURRENT" | "DEFAULT" | "STABLE")) {
                continue;
            }
            if let Some(value) = self.value(constant, 0) {
                let place = Place {
                    file: file.to_owned(),
                    line: constant.line,
                };
                model.constants.entry(constant.name.clone()).or_insert(Constant {
                    value,
                    place,
                    in_scope: true,
                });
            }
        }
    }

    fn value(&self, constant: &ConstItem, depth: usize) -> Option<Literal> {
        match &constant.value {
            ConstValue::Text(text) => Some(Literal::String(text.clone())),
            ConstValue::Number(text) => Some(Literal::Number(text.clone())),
            ConstValue::Other(name) if depth < 8 => {
                let other = self
                    .constants
                    .iter()
                    .find(|other| other.name.rsplit("::").next() == Some(name))?;
                self.value(other, depth + 1)
            }
            ConstValue::Other(_) => None,
        }
    }
}

impl Lower<'_> {
    /// Takes every type of a file of the scope that goes over a wire.
    fn roots(&mut self, file: &str, declared: &Declared) {
        let file: Rc<str> = file.into();
        for inline in &declared.modules {
            let module = self.resolver.module(&file, inline);
            let mut names: Vec<String> = Vec::new();
            let wire = |item: &TypeItem| !matches!(item.body, TypeBody::Alias(_)) && self.is_wire(&module, item);
            self.resolver.with_facts(&file, |facts| {
                if let Some(scope) = super::resolve::scope_of(&facts.root, inline) {
                    names.extend(
                        scope
                            .types
                            .iter()
                            .filter(|item| wire(item))
                            .map(|item| item.name.clone()),
                    );
                }
            });
            let expanded = self.resolver.expansions(&module);
            names.extend(
                expanded
                    .types
                    .iter()
                    .filter(|item| wire(item))
                    .map(|item| item.name.clone()),
            );
            for name in names {
                self.instance(&module, &name, Vec::new());
            }
        }
    }

    /// The index of a type with these arguments.
    fn instance(&mut self, module: &Module, name: &str, args: Vec<Type>) -> usize {
        let args = if args.iter().all(|arg| *arg == Type::Any) {
            Vec::new()
        } else {
            args
        };
        let text = args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (args, text) = if text.len() > MAX_ARGUMENT {
            (Vec::new(), String::new())
        } else {
            (args, text)
        };
        let key = (module.clone(), name.to_owned(), text);
        if let Some(&known) = self.index.get(&key) {
            return known;
        }
        let index = self.instances.len();
        let in_scope = self.files.contains(&module.file);
        self.instances.push(Instance {
            module: module.clone(),
            name: name.to_owned(),
            args,
            in_scope,
            decl: None,
        });
        self.index.insert(key, index);
        self.queue.push_back(index);
        index
    }

    fn is_wire(&self, module: &Module, item: &TypeItem) -> bool {
        let (ser, de) = self.sides(module, item);
        ser || de
    }

    /// Whether a type is serialised and deserialised, by derive or by hand.
    fn sides(&self, module: &Module, item: &TypeItem) -> (bool, bool) {
        let Derives { ser, de, .. } = item.attrs.derives;
        (
            ser || self.forms(module, &item.name, "Serialize").is_some(),
            de || self.forms(module, &item.name, "Deserialize").is_some(),
        )
    }

    fn declaration(&mut self, index: usize) -> Option<TypeDecl> {
        let Instance {
            module,
            name,
            args,
            in_scope,
            ..
        } = &self.instances[index];
        let (module, args, in_scope) = (module.clone(), args.clone(), *in_scope);
        let item = self.resolver.type_item(&module, name)?;
        let mut args = args.into_iter();
        let env = Rc::new(
            item.generics
                .iter()
                .map(|name| (name.clone(), args.next().unwrap_or(Type::Any)))
                .collect(),
        );
        let context = Context {
            module,
            env,
            this: index,
            line: item.line,
            depth: 0,
        };
        let (ser, de) = self.sides(&context.module, &item);
        let body = self.body(&item, &context, ser, de);
        let has_method_tag = item.attrs.has(&Serde::Tag("method".to_owned()));
        Some(TypeDecl {
            name: item.name.clone(),
            place: Place {
                file: context.module.file.to_string(),
                line: item.line,
            },
            in_scope,
            body,
            direction: has_method_tag.then(|| table_direction(&item.name)).flatten(),
            stability: item.attrs.stability,
            evidence: if ser || de {
                Evidence::Declared
            } else {
                Evidence::InProcess
            },
        })
    }

    /// Says that something is not known, and gives it as a type.
    fn unknown(&mut self, context: &Context, what: String) -> Type {
        let file = context.module.file.to_string();
        self.unresolved.push(Unresolved {
            place: Place {
                file,
                line: context.line,
            },
            what: what.clone(),
        });
        Type::Unresolved(what)
    }
}

/// Who writes the frames of a method table, by who declares it.
fn table_direction(name: &str) -> Option<Direction> {
    Some(match name {
        "ClientRequest" | "ClientNotification" => Direction::Input,
        "ServerRequest" | "ServerNotification" | "AgentRequest" | "AgentNotification" => Direction::Output,
        _ => return None,
    })
}
