//! Second step: aliases followed, unions flattened, members of included objects brought to the level they stand at.
//!
//! Nodes are worked off so that what a node depends on comes first. A dependency on itself (a type that is its own
//! alias, an arm of itself, a part of itself) is cut where it is met.

use std::collections::{BTreeMap, BTreeSet};

use super::lower::{Lowered, Raw};
use super::{ANY, ArmForm, BOOLEAN, DeclId, FieldForm, Form, Graph, Node, NodeId, ObjectForm, UnionForm};
use crate::model::{Literal, Stability};

/// An object that includes unions becomes a union of at most this many objects; beyond, its members are a hole.
const SPREAD_BUDGET: usize = 512;

pub(super) fn resolve(mut lowered: Lowered<'_>) -> Graph<'_> {
    let follow = follow_names(&lowered);
    let passed = names_of_arms(&lowered);
    for (index, raw) in lowered.raw.iter_mut().enumerate() {
        match raw {
            Raw::Object { parts, .. } => parts.iter_mut().for_each(|part| *part = follow[*part]),
            Raw::Union { arms, names, .. } => {
                for (_, node, _) in arms {
                    *node = follow[*node];
                }
                names.extend(passed.get(&index).into_iter().flatten());
            }
            Raw::Plain(_) | Raw::Named(_) => {}
        }
    }
    let order = order(&lowered);
    let Lowered { graph, raw } = lowered;
    let mut resolver = Resolver {
        done: vec![false; raw.len()],
        graph,
    };
    for id in order.into_iter().filter(|id| follow[*id] == *id) {
        resolver.node(id, &raw[id]);
        resolver.done[id] = true;
    }
    // Names last: what they name says what it is by now.
    for (id, named) in follow.iter().enumerate().filter(|(id, named)| id != *named) {
        resolver.alias(id, *named, false);
    }
    let mut graph = resolver.graph;
    for (index, decl) in graph.decls.iter().enumerate() {
        let target = graph.nodes[decl.root].target;
        // Its body, or the one arm that its body is made of.
        let lone = matches!(graph.nodes[target].form, Form::Object(_) | Form::Literal(_));
        if target == decl.root || (lone && graph.nodes[target].owner == index) {
            graph.decl_of.entry(target).or_insert(index);
        }
    }
    graph
}

/// For each node the one that it names, over any number of names; itself where it is no name, or one that leads nowhere.
fn follow_names(lowered: &Lowered<'_>) -> Vec<NodeId> {
    (0..lowered.raw.len())
        .map(|start| {
            let mut at = start;
            for _ in 0..=lowered.graph.decls.len() {
                match lowered.raw[at] {
                    Raw::Named(name) => match lowered.graph.named(name) {
                        Some(decl) => at = lowered.graph.decls[decl].root,
                        None => return at,
                    },
                    _ => return at,
                }
            }
            start
        })
        .collect()
}

/// For each union the declared types that its arms name and that are themselves only names.
fn names_of_arms(lowered: &Lowered<'_>) -> BTreeMap<NodeId, BTreeSet<DeclId>> {
    let mut found: BTreeMap<NodeId, BTreeSet<DeclId>> = BTreeMap::new();
    for (id, raw) in lowered.raw.iter().enumerate() {
        let Raw::Union { arms, .. } = raw else { continue };
        for (_, node, _) in arms {
            let mut at = *node;
            let mut passed = BTreeSet::new();
            while let Raw::Named(name) = lowered.raw[at] {
                match lowered.graph.named(name).filter(|decl| passed.insert(*decl)) {
                    Some(decl) => at = lowered.graph.decls[decl].root,
                    None => break,
                }
            }
            let only_names = |decl: &DeclId| matches!(lowered.raw[lowered.graph.decls[*decl].root], Raw::Named(_));
            passed.retain(only_names);
            if !passed.is_empty() {
                found.entry(id).or_default().extend(passed);
            }
        }
    }
    found
}

fn dependencies(lowered: &Lowered<'_>, id: NodeId) -> Vec<NodeId> {
    match &lowered.raw[id] {
        Raw::Plain(_) | Raw::Named(_) => Vec::new(),
        Raw::Object { parts, .. } => parts.clone(),
        Raw::Union { arms, .. } => arms.iter().map(|(_, node, _)| *node).collect(),
    }
}

/// Every node, what it depends on first.
fn order(lowered: &Lowered<'_>) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(lowered.raw.len());
    let mut entered = vec![false; lowered.raw.len()];
    for start in 0..lowered.raw.len() {
        let mut stack = vec![(start, false)];
        while let Some((id, left)) = stack.pop() {
            if left {
                order.push(id);
            } else if !entered[id] {
                entered[id] = true;
                stack.push((id, true));
                stack.extend(dependencies(lowered, id).into_iter().rev().map(|next| (next, false)));
            }
        }
    }
    order
}

struct Resolver<'m> {
    graph: Graph<'m>,
    done: Vec<bool>,
}

/// What an object is being put together to: one of these for each combination of the arms of its included unions.
#[derive(Clone, Default)]
struct Combination<'m> {
    object: ObjectForm<'m>,
    arm: Option<ArmForm<'m>>,
    /// Members that came through an included union.
    spread: BTreeMap<&'m str, NodeId>,
}

impl<'m> Resolver<'m> {
    fn node(&mut self, id: NodeId, raw: &Raw<'m>) {
        let form = match raw {
            Raw::Plain(form) => form.clone(),
            // Only a name that leads nowhere comes here.
            Raw::Named(name) if self.graph.named(name).is_some() => Form::Unresolved("a type that is its own alias"),
            Raw::Named(name) => Form::Unresolved(name),
            Raw::Union { arms, tag, open, names } => return self.union(id, arms, (*tag, *open, names)),
            Raw::Object { own, parts, open } => return self.object(id, own, parts, *open),
        };
        self.set(id, form, false);
    }

    fn set(&mut self, id: NodeId, form: Form<'m>, null: bool) {
        let node = &mut self.graph.nodes[id];
        node.form = form;
        node.target = id;
        node.null = null;
    }

    fn alias(&mut self, id: NodeId, of: NodeId, null: bool) {
        let (target, nullable) = self.graph.resolved(of);
        let node = &mut self.graph.nodes[id];
        node.form = Form::Alias;
        node.target = target;
        node.null = null || nullable;
    }

    fn union(
        &mut self,
        id: NodeId,
        raw: &[(&'m crate::model::Arm, NodeId, Option<NodeId>)],
        (tag, open, names): (Option<&'m str>, bool, &BTreeSet<DeclId>),
    ) {
        // A union of one is that one, a union itself or not.
        let mut others = raw.iter().filter(|(_, node, _)| *self.graph.form(*node) != Form::Null);
        if let (Some((_, only, None)), None, false) = (others.next(), others.next(), open)
            && self.done[*only]
            && matches!(self.graph.form(*only), Form::Union(_))
        {
            return self.alias(id, *only, raw.len() > 1);
        }
        let mut union = UnionForm {
            tag,
            open,
            components: names.clone(),
            ..UnionForm::default()
        };
        let mut null = false;
        for (arm, node, result) in raw {
            if !self.done[*node] {
                continue;
            }
            let (target, nullable) = self.graph.resolved(*node);
            null |= nullable;
            let (owner, around) = (self.graph.nodes[id].owner, self.graph.nodes[id].experimental);
            // A declared union of one arm is still a union that this one is made of.
            if *node != target {
                union
                    .components
                    .extend(self.graph.nodes[*node].declared(&self.graph, *node));
            }
            match &self.graph.nodes[target].form {
                Form::Null => {
                    null = true;
                    union.nulls.extend(arm.name.as_deref());
                }
                Form::Any => union.open = true,
                Form::Never => {}
                Form::Union(inner) => {
                    let inner = inner.clone();
                    let declared = self.graph.nodes[target].declared(&self.graph, target);
                    union.components.extend(inner.components);
                    union.components.extend(declared);
                    union.open |= inner.open;
                    union.nulls.extend(inner.nulls);
                    union.tag = union.tag.or(inner.tag);
                    union.arms.extend(inner.arms.into_iter().map(|inner| ArmForm {
                        result: inner.result.or(*result),
                        outer: inner.outer.iter().copied().chain([(owner, id)]).collect(),
                        via: declared.or(inner.via),
                        experimental: inner.experimental || arm.stability == Stability::Experimental,
                        ..inner
                    }));
                }
                _ => union.arms.push(ArmForm {
                    node: target,
                    name: arm.name.as_deref(),
                    result: *result,
                    experimental: around || arm.stability == Stability::Experimental,
                    line: if arm.line > 0 {
                        arm.line
                    } else {
                        self.graph.nodes[id].line
                    },
                    owner,
                    site: id,
                    outer: Vec::new(),
                    via: None,
                }),
            }
        }
        self.tidy(&mut union);
        match union.arms.as_slice() {
            [] if union.open => self.alias(id, ANY, null),
            [] if null => self.set(id, Form::Null, false),
            [] => self.set(id, Form::Never, false),
            [only] if !union.open && only.result.is_none() && union.nulls.is_empty() => {
                let node = only.node;
                self.alias(id, node, null);
            }
            _ => self.set(id, Form::Union(union), null),
        }
    }

    /// Drops arms that say the same again, and writes `true | false` as `boolean`.
    fn tidy(&self, union: &mut UnionForm<'m>) {
        let mut nodes = BTreeSet::new();
        let mut literals = BTreeSet::new();
        let mut scalars = BTreeSet::new();
        let mut unread = BTreeSet::new();
        union.arms.retain(|arm| match &self.graph.nodes[arm.node].form {
            Form::Literal(literal) => literals.insert(*literal),
            Form::Unresolved(text) => unread.insert(*text),
            Form::Boolean => scalars.insert(0),
            Form::Number => scalars.insert(1),
            Form::String => scalars.insert(2),
            _ => nodes.insert((arm.node, arm.name.filter(|_| arm.result.is_some()))),
        });
        let is_bool = |arm: &ArmForm<'_>| matches!(self.graph.nodes[arm.node].form, Form::Literal(Literal::Boolean(_)));
        if scalars.contains(&0) {
            union.arms.retain(|arm| !is_bool(arm));
        } else if union.arms.iter().filter(|arm| is_bool(arm)).count() == 2 {
            let mut kept = false;
            union.arms.retain_mut(|arm| {
                if !is_bool(arm) {
                    return true;
                }
                arm.node = BOOLEAN;
                !std::mem::replace(&mut kept, true)
            });
        }
    }

    fn object(&mut self, id: NodeId, own: &[(&'m str, &'m crate::model::Field, NodeId)], parts: &[NodeId], open: bool) {
        if let ([part], [], false) = (parts, own, open)
            && self.done[*part]
        {
            return self.alias(id, *part, false);
        }
        let mut combinations = vec![Combination::default()];
        let mut spread = None;
        let mut tag = None;
        let mut rest_open = open;
        for part in parts {
            if self.done[*part] {
                self.include(*part, &mut combinations, &mut rest_open, &mut spread, &mut tag);
            } else {
                for combination in &mut combinations {
                    combination
                        .object
                        .holes
                        .insert("a part that includes itself".to_owned());
                }
            }
        }
        let (owner, around) = (self.graph.nodes[id].owner, self.graph.nodes[id].experimental);
        for combination in &mut combinations {
            combination.object.open |= rest_open;
            for (name, field, node) in own {
                if let Some(site) = combination.spread.get(name) {
                    self.graph.collisions.insert((*site, name));
                }
                let form = FieldForm {
                    node: *node,
                    required: field.required,
                    defaulted: field.required && field.defaulted,
                    experimental: around || field.stability == Stability::Experimental,
                    accepts: &field.accepts,
                    line: field.line,
                    owner,
                    site: id,
                };
                combination.object.fields.insert(name, form);
            }
        }
        if let (Some(spread), 2..) = (spread, combinations.len()) {
            return self.spread(id, combinations, spread, tag);
        }
        let object = combinations.pop().unwrap_or_default().object;
        let form = if object.fields.is_empty() && object.open && object.holes.is_empty() {
            Form::Map(ANY)
        } else {
            Form::Object(object)
        };
        self.set(id, form, false);
    }

    /// Brings the members of `part` into each combination.
    fn include(
        &mut self,
        part: NodeId,
        combinations: &mut Vec<Combination<'m>>,
        open: &mut bool,
        spread: &mut Option<NodeId>,
        tag: &mut Option<&'m str>,
    ) {
        let (target, _) = self.graph.resolved(part);
        let declared = self.graph.nodes[target].declared(&self.graph, target);
        match self.graph.nodes[target].form.clone() {
            Form::Object(object) => {
                for combination in combinations {
                    merge(&mut combination.object, &object);
                    combination.object.parts.extend(declared);
                }
            }
            Form::Map(_) | Form::Any => *open = true,
            Form::Unresolved(text) => {
                for combination in combinations {
                    combination.object.holes.insert(text.to_owned());
                }
            }
            Form::Union(union) => {
                let objects: Vec<(ArmForm<'m>, ObjectForm<'m>)> = union
                    .arms
                    .iter()
                    .filter_map(|arm| match &self.graph.nodes[arm.node].form {
                        Form::Object(object) => Some((arm.clone(), object.clone())),
                        _ => None,
                    })
                    .collect();
                let unread = union
                    .arms
                    .iter()
                    .filter_map(|arm| match self.graph.nodes[arm.node].form {
                        Form::Unresolved(text) => Some(text.to_owned()),
                        _ => None,
                    });
                for text in unread {
                    for combination in combinations.iter_mut() {
                        combination.object.holes.insert(text.clone());
                    }
                }
                if objects.is_empty() {
                    return;
                }
                if combinations.len() * objects.len() > SPREAD_BUDGET {
                    for combination in combinations {
                        combination
                            .object
                            .holes
                            .insert(format!("a union of {} parts", objects.len()));
                    }
                    return;
                }
                *spread = spread.or(Some(target));
                *tag = tag.or(union.tag);
                *combinations = combinations
                    .iter()
                    .flat_map(|combination| {
                        objects.iter().map(|(arm, object)| {
                            let mut next = combination.clone();
                            merge(&mut next.object, object);
                            next.object.parts.extend(declared);
                            next.object.parts.extend(&union.components);
                            next.object
                                .parts
                                .extend(self.graph.nodes[arm.node].declared(&self.graph, arm.node));
                            next.spread
                                .extend(object.fields.iter().map(|(name, field)| (*name, field.site)));
                            next.arm = next.arm.or_else(|| Some(arm.clone()));
                            next
                        })
                    })
                    .collect();
            }
            _ => {}
        }
    }

    /// The union that an object with included unions is.
    fn spread(&mut self, id: NodeId, combinations: Vec<Combination<'m>>, spread: NodeId, tag: Option<&'m str>) {
        let mut union = UnionForm {
            tag,
            spread: Some(spread),
            ..UnionForm::default()
        };
        union
            .components
            .extend(self.graph.nodes[spread].declared(&self.graph, spread));
        if let Form::Union(inner) = &self.graph.nodes[spread].form {
            union.components.extend(&inner.components);
        }
        for combination in combinations {
            let node = self.graph.nodes.len();
            let outer = &self.graph.nodes[id];
            let experimental = outer.experimental || combination.arm.as_ref().is_some_and(|arm| arm.experimental);
            let (owner, name, line) = (outer.owner, outer.name, outer.line);
            let arm = combination.arm;
            self.graph.nodes.push(Node {
                owner,
                name,
                line,
                experimental,
                target: node,
                null: false,
                form: Form::Object(combination.object),
            });
            self.done.push(true);
            union.arms.push(ArmForm {
                node,
                name: arm.as_ref().and_then(|arm| arm.name),
                result: None,
                experimental,
                line: arm.as_ref().map_or(line, |arm| arm.line),
                owner: arm.as_ref().map_or(owner, |arm| arm.owner),
                site: arm.as_ref().map_or(id, |arm| arm.site),
                outer: arm
                    .iter()
                    .flat_map(|arm| arm.outer.iter().copied())
                    .chain([(owner, id)])
                    .collect(),
                via: None,
            });
        }
        self.set(id, Form::Union(union), false);
    }
}

impl Node<'_> {
    /// The declared type whose body this is, `id` being its own index. Works before the graph is complete.
    fn declared(&self, graph: &Graph<'_>, id: NodeId) -> Option<usize> {
        (graph.decls.get(self.owner)?.root == id).then_some(self.owner)
    }
}

/// Brings the members of `part` into `object`; `part` shadows what is there.
fn merge<'m>(object: &mut ObjectForm<'m>, part: &ObjectForm<'m>) {
    object
        .fields
        .extend(part.fields.iter().map(|(name, field)| (*name, field.clone())));
    object.open |= part.open;
    object.holes.extend(part.holes.iter().cloned());
    object.parts.extend(&part.parts);
}
