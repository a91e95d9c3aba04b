//! A wire model as a graph of normalised nodes.
//!
//! Two spellings of one wire form become the same graph here, so that nothing later has to know about aliases, nested
//! unions, single-arm unions, `extends` or `flatten`: a node is either what it says, or it points at the node that is
//! (`target`). What a node keeps of its spelling is where it is declared, so that a change is told once, at its place.
//!
//! Everything works on lists and explicit stacks. A type that is a thousand levels deep costs memory, not the stack.

pub(super) mod classes;
mod json;
mod lower;
mod resolve;
pub(super) mod text;

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Literal, TypeDecl, WireModel};

/// Index of a node in its [`Graph`].
pub(crate) type NodeId = usize;
/// Index of a declared type in its [`Graph`].
pub(crate) type DeclId = usize;

/// The node that says `any`; every graph has it.
pub(super) const ANY: NodeId = 0;
/// The node that says `boolean`; every graph has it.
pub(super) const BOOLEAN: NodeId = 1;

/// One model, normalised.
pub(crate) struct Graph<'m> {
    /// Declared types, in the order of their ids.
    pub(super) decls: Vec<Decl<'m>>,
    pub(super) nodes: Vec<Node<'m>>,
    /// Members that an including object and an included union both write, by the node that declares the latter.
    pub(super) collisions: BTreeSet<(NodeId, &'m str)>,
    by_id: BTreeMap<&'m str, DeclId>,
    /// The declared type whose body a node is.
    decl_of: BTreeMap<NodeId, DeclId>,
}

/// A declared type.
pub(super) struct Decl<'m> {
    pub(super) ty: &'m TypeDecl,
    /// Its body, before aliases are followed.
    pub(super) root: NodeId,
}

/// A type expression.
pub(super) struct Node<'m> {
    /// The declared type it stands in.
    pub(super) owner: DeclId,
    /// The nearest name above it that goes over the wire; the declared type's where there is none.
    pub(super) name: &'m str,
    /// Line of that name.
    pub(super) line: u32,
    /// It, or something around it in the same declaration, is marked experimental.
    pub(super) experimental: bool,
    /// The node that says what it looks like: itself unless it is an alias.
    pub(super) target: NodeId,
    /// It may also be `null`.
    pub(super) null: bool,
    pub(super) form: Form<'m>,
}

/// What a node looks like.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form<'m> {
    Any,
    /// A union without arms.
    Never,
    Null,
    Boolean,
    Number,
    String,
    Literal(&'m Literal),
    Array(NodeId),
    Tuple(Vec<NodeId>),
    Map(NodeId),
    Object(ObjectForm<'m>),
    Union(UnionForm<'m>),
    /// Not readable, with its text.
    Unresolved(&'m str),
    /// Says nothing itself; follow `target`.
    Alias,
}

/// An object with the members that stand at its level, whoever declares them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ObjectForm<'m> {
    pub(super) fields: BTreeMap<&'m str, FieldForm<'m>>,
    pub(super) open: bool,
    /// Parts that could not be read: members may be missing here.
    pub(super) holes: BTreeSet<String>,
    /// Declared types whose members stand at this level.
    pub(super) parts: BTreeSet<DeclId>,
}

/// One member.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FieldForm<'m> {
    pub(super) node: NodeId,
    pub(super) required: bool,
    /// A reader can do without it, although it is always written.
    pub(super) defaulted: bool,
    pub(super) experimental: bool,
    /// Further names that a reader takes for it.
    pub(super) accepts: &'m [String],
    pub(super) line: u32,
    /// The declared type that declares it.
    pub(super) owner: DeclId,
    /// The object node that declares it.
    pub(super) site: NodeId,
}

/// A union, flattened.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct UnionForm<'m> {
    pub(super) arms: Vec<ArmForm<'m>>,
    /// The discriminator, where the source says it.
    pub(super) tag: Option<&'m str>,
    /// Other arms may come.
    pub(super) open: bool,
    /// Declared unions that were flattened into it.
    pub(super) components: BTreeSet<DeclId>,
    /// Declared names of arms that are `null`.
    pub(super) nulls: BTreeSet<&'m str>,
    /// The union that stands at the level of an object, when this union came from one.
    pub(super) spread: Option<NodeId>,
}

/// One arm.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ArmForm<'m> {
    /// Its node, aliases followed.
    pub(super) node: NodeId,
    pub(super) name: Option<&'m str>,
    pub(super) result: Option<NodeId>,
    pub(super) experimental: bool,
    pub(super) line: u32,
    /// The declared type whose union lists it.
    pub(super) owner: DeclId,
    /// The union node that lists it.
    pub(super) site: NodeId,
    /// The unions it was flattened into, from the inside out, each with the declared type it stands in.
    pub(super) outer: Vec<(DeclId, NodeId)>,
    /// The outermost declared union through which it came into another.
    pub(super) via: Option<DeclId>,
}

impl<'m> Graph<'m> {
    /// Normalises `model`.
    pub(crate) fn new(model: &'m WireModel) -> Self {
        let mut graph = resolve::resolve(lower::lower(model));
        json::fold(&mut graph);
        graph
    }

    /// The node that says what `node` looks like, and whether `null` may stand there too.
    pub(super) fn resolved(&self, node: NodeId) -> (NodeId, bool) {
        (self.nodes[node].target, self.nodes[node].null)
    }

    pub(super) fn form(&self, node: NodeId) -> &Form<'m> {
        &self.nodes[self.nodes[node].target].form
    }

    /// The declared type whose body `node` is, aliases followed.
    pub(super) fn decl_of(&self, node: NodeId) -> Option<DeclId> {
        self.decl_of.get(&self.nodes[node].target).copied()
    }

    pub(super) fn decl(&self, id: DeclId) -> &'m TypeDecl {
        self.decls[id].ty
    }

    pub(super) fn named(&self, id: &str) -> Option<DeclId> {
        self.by_id.get(id).copied()
    }

    /// The arms of `node`; a node that is no union is its own only arm.
    pub(super) fn arms(&self, node: NodeId) -> Vec<ArmForm<'m>> {
        let (target, _) = self.resolved(node);
        match &self.nodes[target].form {
            Form::Union(union) => union.arms.clone(),
            _ => vec![ArmForm {
                node: target,
                name: None,
                result: None,
                experimental: self.nodes[target].experimental,
                line: self.nodes[target].line,
                owner: self.nodes[target].owner,
                site: target,
                outer: Vec::new(),
                via: None,
            }],
        }
    }

    /// Declared lists of values that stand nowhere but in unions that take other values too: `KnownApi | string`.
    pub(super) fn open_lists(&self) -> BTreeSet<DeclId> {
        let mut open = BTreeSet::new();
        let mut closed = BTreeSet::new();
        for (id, node) in self.nodes.iter().enumerate().filter(|(id, node)| node.target == *id) {
            closed.extend(
                self.children(id)
                    .into_iter()
                    .filter_map(|(child, _)| self.decl_of(child)),
            );
            if let Form::Union(union) = &node.form {
                let takes_more = union.open || union.arms.iter().any(|arm| self.nodes[arm.node].form == Form::String);
                if takes_more { &mut open } else { &mut closed }.extend(&union.components);
            }
        }
        &open - &closed
    }

    /// Every node that `node` is made of, aliases followed, with whether it travels the other way (the answer to a
    /// request).
    pub(super) fn children(&self, node: NodeId) -> Vec<(NodeId, bool)> {
        let same_way = |id: &NodeId| (self.nodes[*id].target, false);
        match &self.nodes[node].form {
            Form::Array(item) | Form::Map(item) => vec![same_way(item)],
            Form::Tuple(items) => items.iter().map(same_way).collect(),
            Form::Object(object) => object.fields.values().map(|field| same_way(&field.node)).collect(),
            Form::Union(union) => union
                .arms
                .iter()
                .flat_map(|arm| {
                    let answer = arm.result.map(|result| (self.nodes[result].target, true));
                    std::iter::once((arm.node, false)).chain(answer)
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}
