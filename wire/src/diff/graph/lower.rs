//! First step: one node for each type expression, as it is spelled.

use std::collections::{BTreeMap, BTreeSet};

use super::{ANY, BOOLEAN, Decl, DeclId, Form, Graph, Node, NodeId};
use crate::model::{Arm, Field, Stability, Type, WireModel};

/// A model with more type expressions than this is cut; what is beyond is unresolved.
const NODE_BUDGET: usize = 2_000_000;

/// A node as it is spelled.
pub(super) enum Raw<'m> {
    /// Says what it is.
    Plain(Form<'m>),
    /// A declared type, by id.
    Named(&'m str),
    Object {
        own: Vec<(&'m str, &'m Field, NodeId)>,
        parts: Vec<NodeId>,
        open: bool,
    },
    Union {
        arms: Vec<(&'m Arm, NodeId, Option<NodeId>)>,
        tag: Option<&'m str>,
        open: bool,
        /// Declared types that are nothing but other names for arms.
        names: BTreeSet<DeclId>,
    },
}

/// A graph whose nodes are still as spelled.
pub(super) struct Lowered<'m> {
    pub(super) graph: Graph<'m>,
    pub(super) raw: Vec<Raw<'m>>,
}

struct Builder<'m> {
    lowered: Lowered<'m>,
    todo: Vec<(NodeId, &'m Type)>,
}

pub(super) fn lower(model: &WireModel) -> Lowered<'_> {
    let by_id: BTreeMap<&str, DeclId> = model
        .types
        .keys()
        .enumerate()
        .map(|(index, id)| (id.as_str(), index))
        .collect();
    let graph = Graph {
        decls: Vec::with_capacity(model.types.len()),
        nodes: Vec::new(),
        collisions: BTreeSet::new(),
        by_id,
        decl_of: BTreeMap::new(),
    };
    let mut builder = Builder {
        lowered: Lowered { graph, raw: Vec::new() },
        todo: Vec::new(),
    };
    for (expected, form) in [(ANY, Form::Any), (BOOLEAN, Form::Boolean)] {
        let id = builder.place(0, "", 0, false);
        debug_assert_eq!(id, expected);
        builder.lowered.raw[id] = Raw::Plain(form);
    }
    for (owner, ty) in model.types.values().enumerate() {
        let experimental = ty.stability == Stability::Experimental;
        let root = builder.place(owner, &ty.name, ty.place.line, experimental);
        builder.lowered.graph.decls.push(Decl { ty, root });
        builder.todo.push((root, &ty.body));
    }
    builder.run();
    builder.lowered
}

impl<'m> Builder<'m> {
    fn place(&mut self, owner: DeclId, name: &'m str, line: u32, experimental: bool) -> NodeId {
        let id = self.lowered.raw.len();
        self.lowered.raw.push(Raw::Plain(Form::Any));
        self.lowered.graph.nodes.push(Node {
            owner,
            name,
            line,
            experimental,
            target: id,
            null: false,
            form: Form::Alias,
        });
        id
    }

    /// A node for `ty`, under the same name as `parent`.
    fn child(&mut self, parent: NodeId, ty: &'m Type) -> NodeId {
        let node = &self.lowered.graph.nodes[parent];
        let (owner, name, line, experimental) = (node.owner, node.name, node.line, node.experimental);
        let id = self.place(owner, name, line, experimental);
        self.todo.push((id, ty));
        id
    }

    fn run(&mut self) {
        while let Some((id, ty)) = self.todo.pop() {
            self.lowered.raw[id] = if self.lowered.raw.len() > NODE_BUDGET {
                Raw::Plain(Form::Unresolved("over the budget of type expressions"))
            } else {
                self.spell(id, ty)
            };
        }
    }

    fn spell(&mut self, id: NodeId, ty: &'m Type) -> Raw<'m> {
        Raw::Plain(match ty {
            Type::Any => Form::Any,
            Type::Null => Form::Null,
            Type::Boolean => Form::Boolean,
            Type::Number => Form::Number,
            Type::String => Form::String,
            Type::Literal(literal) => Form::Literal(literal),
            Type::Unresolved(text) => Form::Unresolved(text),
            Type::Named(name) => return Raw::Named(name),
            Type::Array(item) => Form::Array(self.child(id, item)),
            Type::Map(value) => Form::Map(self.child(id, value)),
            Type::Tuple(items) => Form::Tuple(items.iter().map(|item| self.child(id, item)).collect()),
            Type::Object(object) => {
                let (owner, around) = (
                    self.lowered.graph.nodes[id].owner,
                    self.lowered.graph.nodes[id].experimental,
                );
                let own = object
                    .fields
                    .iter()
                    .map(|(name, field)| {
                        let experimental = around || field.stability == Stability::Experimental;
                        let node = self.place(owner, name, field.line, experimental);
                        self.todo.push((node, &field.ty));
                        (name.as_str(), field, node)
                    })
                    .collect();
                let parts = object.parts.iter().map(|part| self.child(id, part)).collect();
                return Raw::Object {
                    own,
                    parts,
                    open: object.open,
                };
            }
            Type::Union(union) => {
                let around = self.lowered.graph.nodes[id].experimental;
                let arms = union
                    .arms
                    .iter()
                    .map(|arm| {
                        let experimental = around || arm.stability == Stability::Experimental;
                        let node = self.child(id, &arm.ty);
                        let result = arm.result.as_ref().map(|result| self.child(id, result));
                        for part in std::iter::once(node).chain(result) {
                            let part = &mut self.lowered.graph.nodes[part];
                            part.experimental = experimental;
                            if arm.line > 0 {
                                part.line = arm.line;
                            }
                        }
                        (arm, node, result)
                    })
                    .collect();
                return Raw::Union {
                    arms,
                    tag: union.tag.as_deref(),
                    open: union.open,
                    names: BTreeSet::new(),
                };
            }
        })
    }
}
