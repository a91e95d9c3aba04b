//! Two objects: members that came, went, were renamed, or hold something else.

use super::change::{Change, Kind, PairId, Position, Seg};
use super::graph::text::field_text;
use super::graph::{DeclId, FieldForm, Form, Graph, NodeId, ObjectForm};
use super::names;
use super::pairs::kind;
use super::roles::Role;
use super::walk::{Presence, Spot, Walk};
use crate::rules::Facts;

/// How alike two names must be, by how sure the types are: equal types, the only two in question, or other scalars.
const LIKE_SAME_TYPE: f64 = 0.6;
const LIKE_OTHER_TYPE: f64 = 0.65;

type Member<'m> = (&'m str, FieldForm<'m>);

impl<'m> Walk<'_, 'm> {
    /// Compares the members of two objects.
    pub(super) fn objects(&mut self, pair: PairId, a: NodeId, b: NodeId) {
        let (Form::Object(old), Form::Object(new)) = (self.old.nodes[a].form.clone(), self.new.nodes[b].form.clone())
        else {
            return;
        };
        for (name, field) in &old.fields {
            if let Some(other) = new.fields.get(name)
                && !self.shadows(&old, &new, name, field, other)
            {
                self.members(pair, name, field, other);
            }
        }
        let mut gone = left(&old, &new);
        let mut added = left(&new, &old);
        self.doubt_holes(&old, &new, (a, b), (&mut gone, &mut added));
        let nested = self.nested_parts(&old, &new, &mut gone, &mut added);
        for (from, to) in self.renamed(&mut gone, &mut added) {
            self.rename(pair, (a, b), (&old, &new), &from, &to);
        }
        for (name, field) in gone {
            let facts = Facts {
                nested: nested.contains(&name),
                required: field.required,
                ..Facts::default()
            };
            self.member_gone(pair, a, b, &new, name, &field, facts);
        }
        for (name, field) in added {
            let collision = (field.site, name);
            let collides = self.new.collisions.contains(&collision)
                && !self.old.collisions.iter().any(|(_, other)| *other == name);
            let facts = Facts {
                nested: nested.contains(&name),
                required: field.required,
                defaulted: field.defaulted,
                nullable: self.new.resolved(field.node).1,
                collides,
                ..Facts::default()
            };
            self.member_added(pair, a, b, &old, name, &field, facts);
        }
    }

    /// Whether another part of both objects declares the member now: told at that part, as a member that it gained or
    /// lost.
    fn shadows(
        &self,
        old: &ObjectForm<'m>,
        new: &ObjectForm<'m>,
        name: &str,
        was: &FieldForm<'m>,
        is: &FieldForm<'m>,
    ) -> bool {
        let declares = |graph: &Graph<'_>, decl: DeclId| matches!(graph.form(graph.decls[decl].root), Form::Object(part) if part.fields.contains_key(name));
        let (Some(was_now), Some(is_then)) = (self.pairs.new_of(was.owner), self.pairs.old_of(is.owner)) else {
            return false;
        };
        was_now != is.owner
            && old.parts.contains(&is_then)
            && new.parts.contains(&was_now)
            && (!declares(self.old, is_then) || !declares(self.new, was_now))
    }

    /// Members that one side lacks may stand in a part that could not be read.
    fn doubt_holes(
        &mut self,
        old: &ObjectForm<'m>,
        new: &ObjectForm<'m>,
        (a, b): (NodeId, NodeId),
        (gone, added): (&mut Vec<Member<'m>>, &mut Vec<Member<'m>>),
    ) {
        if old.holes == new.holes {
            return;
        }
        for (holes, other, members, name) in [
            (&new.holes, &old.holes, gone, self.old.nodes[a].name),
            (&old.holes, &new.holes, added, self.new.nodes[b].name),
        ] {
            if let Some(hole) = holes.difference(other).next() {
                if !members.is_empty() {
                    self.doubts
                        .insert(format!("members of {name} may stand in what could not be read: {hole}"));
                }
                members.clear();
            }
        }
        if gone_or_added_depends(old, new) {
            self.doubts
                .insert(format!("a part of {} could not be read", self.new.nodes[b].name));
        }
    }

    /// A part whose members stood at this level and now stand in one member, or the reverse: told as that member alone.
    fn nested_parts(
        &self,
        old: &ObjectForm<'m>,
        new: &ObjectForm<'m>,
        gone: &mut Vec<Member<'m>>,
        added: &mut Vec<Member<'m>>,
    ) -> Vec<&'m str> {
        let mut nested = Vec::new();
        for (name, field) in added.iter() {
            let Some(part) = self.new.decl_of(field.node) else {
                continue;
            };
            let Some(before) = self.pairs.old_of(part) else {
                continue;
            };
            if old.parts.contains(&before) && !new.parts.contains(&part) {
                gone.retain(|(_, member)| member.owner != before);
                nested.push(*name);
            }
        }
        for (name, field) in gone.iter() {
            let Some(part) = self.old.decl_of(field.node) else {
                continue;
            };
            let Some(after) = self.pairs.new_of(part) else { continue };
            if new.parts.contains(&after) && !old.parts.contains(&part) {
                added.retain(|(_, member)| member.owner != after);
                nested.push(*name);
            }
        }
        nested
    }

    /// One member that both sides have.
    pub(super) fn members(&mut self, pair: PairId, name: &str, old: &FieldForm<'m>, new: &FieldForm<'m>) {
        let spot = Spot {
            pair,
            tail: vec![Seg::Field(name.to_owned())],
            name: name.to_owned(),
            old_owner: old.owner,
            new_owner: new.owner,
            old_site: old.site,
            new_site: new.site,
            line: new.line,
            experimental: old.experimental && new.experimental,
        };
        let ((x, x_null), (y, y_null)) = (self.old.resolved(old.node), self.new.resolved(new.node));
        let same = self.classes.old[x] == self.classes.new[y];
        let whole = !same && self.compare_at(&spot, old.node, new.node, false);
        // Whether `null` may stand there belongs to a type that changed as a whole.
        let null_changed = x_null != y_null && !whole;
        let presence = |field: &FieldForm<'_>| (field.required, field.defaulted);
        if presence(old) != presence(new) || null_changed {
            let (x_null, y_null) = if whole { (false, false) } else { (x_null, y_null) };
            let state = |field: &FieldForm<'_>, null: bool| Presence {
                null,
                ..Presence::of(field)
            };
            self.optionality(&spot, (state(old, x_null), old.node), (state(new, y_null), new.node));
        }
    }

    /// Pairs of members that are one member under another name. Takes them out of both lists.
    fn renamed(&self, gone: &mut Vec<Member<'m>>, added: &mut Vec<Member<'m>>) -> Vec<(Member<'m>, Member<'m>)> {
        let alone = gone.len() == 1 && added.len() == 1;
        let mut ranked = Vec::new();
        for (i, from) in gone.iter().enumerate() {
            for (j, to) in added.iter().enumerate() {
                if let Some(score) = self.rename_score(from, to, alone) {
                    ranked.push((score, i, j));
                }
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut used_old, mut used_new) = (vec![false; gone.len()], vec![false; added.len()]);
        let mut renamed = Vec::new();
        for (_, i, j) in ranked {
            if !used_old[i] && !used_new[j] {
                (used_old[i], used_new[j]) = (true, true);
                renamed.push((gone[i].clone(), added[j].clone()));
            }
        }
        let mut keep = used_old.iter().map(|used| !used);
        gone.retain(|_| keep.next().unwrap_or(true));
        let mut keep = used_new.iter().map(|used| !used);
        added.retain(|_| keep.next().unwrap_or(true));
        renamed
    }

    /// How sure it is that `from` became `to`; `None` when it did not.
    fn rename_score(&self, (from, old): &Member<'m>, (to, new): &Member<'m>, alone: bool) -> Option<f64> {
        let like = names::likeness(from, to);
        if like >= 1.0 || new.accepts.iter().any(|name| name == from) || old.accepts.iter().any(|name| name == to) {
            return Some(3.0);
        }
        let (was, is) = (self.old.resolved(old.node).0, self.new.resolved(new.node).0);
        let (before, after) = (&self.old.nodes[was].form, &self.new.nodes[is].form);
        let scalar = |form: &Form<'_>| matches!(kind(form), "string" | "number" | "boolean");
        if self.classes.old[was] == self.classes.new[is] {
            // A type of its own is a sign; that both are strings is none.
            let telling = matches!(before, Form::Object(_) | Form::Union(_))
                && !matches!(before, Form::Object(o) if o.fields.is_empty());
            let paired = matches!(
                (self.old.decl_of(was), self.new.decl_of(is)),
                (Some(one), Some(other)) if self.pairs.new_of(one) == Some(other)
            );
            if like >= LIKE_SAME_TYPE || (alone && (telling || paired)) {
                return Some(2.0 + like);
            }
        }
        (scalar(before) && scalar(after) && like >= LIKE_OTHER_TYPE).then_some(like)
    }

    fn rename(
        &mut self,
        pair: PairId,
        (a, b): (NodeId, NodeId),
        (old, new): (&ObjectForm<'m>, &ObjectForm<'m>),
        (from, was): &Member<'m>,
        (to, is): &Member<'m>,
    ) {
        let (old_owner, old_site) = declaring(self.old, a, was, |part| {
            self.pairs.new_of(part).is_some_and(|part| new.parts.contains(&part))
        });
        let (new_owner, new_site) = declaring(self.new, b, is, |part| {
            self.pairs.old_of(part).is_some_and(|part| old.parts.contains(&part))
        });
        let ((x, _), (y, _)) = (self.old.resolved(was.node), self.new.resolved(is.node));
        let same = self.classes.old[x] == self.classes.new[y] && was.required == is.required;
        let shown = |name: &str, graph: &Graph<'_>, field: &FieldForm<'_>| {
            if same {
                name.to_owned()
            } else {
                format!("{name}: {}", field_text(graph, field.node, field.required))
            }
        };
        let facts = Facts {
            required: is.required,
            defaulted: is.defaulted,
            keeps_old: is.accepts.iter().any(|name| name == from),
            ..Facts::default()
        };
        self.changes.add(Change {
            kind: Kind::FieldRenamed,
            old_site: Some(old_site),
            new_site: Some(new_site),
            name: format!("{from} -> {to}"),
            before: shown(from, self.old, was).into(),
            after: shown(to, self.new, is).into(),
            old_owner: Some(old_owner),
            new_owner: Some(new_owner),
            line: is.line,
            experimental: was.experimental && is.experimental,
            facts,
            role: Role::Nested,
            positions: vec![Position {
                pair,
                tail: vec![Seg::Field((*to).to_owned())],
                old: Some(was.node),
                new: Some(is.node),
            }],
        });
        if matches!(
            (&self.old.nodes[x].form, &self.new.nodes[y].form),
            (Form::Object(_), Form::Object(_)) | (Form::Array(_), Form::Array(_))
        ) {
            self.visit(pair, vec![Seg::Field((*to).to_owned())], x, y);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one member with all that is known about it")]
    fn member_gone(
        &mut self,
        pair: PairId,
        a: NodeId,
        b: NodeId,
        new: &ObjectForm<'m>,
        name: &str,
        field: &FieldForm<'m>,
        facts: Facts,
    ) {
        let (owner, site) = declaring(self.old, a, field, |part| {
            self.pairs.new_of(part).is_some_and(|part| new.parts.contains(&part))
        });
        let new_owner = if owner == field.owner {
            self.pairs.new_of(owner)
        } else {
            None
        };
        self.changes.add(Change {
            kind: Kind::FieldRemoved,
            old_site: Some(site),
            new_site: None,
            name: name.to_owned(),
            before: field_text(self.old, field.node, field.required).into(),
            after: serde_json::Value::Null,
            old_owner: Some(owner),
            new_owner: new_owner.or(Some(self.new.nodes[b].owner)),
            line: field.line,
            experimental: field.experimental,
            facts,
            role: Role::Nested,
            positions: vec![Position {
                pair,
                tail: vec![Seg::Field(name.to_owned())],
                old: Some(field.node),
                new: None,
            }],
        });
    }

    #[expect(clippy::too_many_arguments, reason = "one member with all that is known about it")]
    fn member_added(
        &mut self,
        pair: PairId,
        a: NodeId,
        b: NodeId,
        old: &ObjectForm<'m>,
        name: &str,
        field: &FieldForm<'m>,
        facts: Facts,
    ) {
        let (owner, site) = declaring(self.new, b, field, |part| {
            self.pairs.old_of(part).is_some_and(|part| old.parts.contains(&part))
        });
        let old_owner = if owner == field.owner {
            self.pairs.old_of(owner)
        } else {
            None
        };
        self.changes.add(Change {
            kind: Kind::FieldAdded,
            old_site: None,
            new_site: Some(site),
            name: name.to_owned(),
            before: serde_json::Value::Null,
            after: field_text(self.new, field.node, field.required).into(),
            old_owner: old_owner.or(Some(self.old.nodes[a].owner)),
            new_owner: Some(owner),
            line: field.line,
            experimental: field.experimental,
            facts,
            role: Role::Nested,
            positions: vec![Position {
                pair,
                tail: vec![Seg::Field(name.to_owned())],
                old: None,
                new: Some(field.node),
            }],
        });
    }
}

/// The declared type and the node that a change of `field` in the object `node` belongs to: the part that declares it
/// where the other side includes that part too (`shared`), else the object itself.
fn declaring(
    graph: &Graph<'_>,
    node: NodeId,
    field: &FieldForm<'_>,
    shared: impl Fn(DeclId) -> bool,
) -> (DeclId, NodeId) {
    let owner = graph.nodes[node].owner;
    if field.owner == owner || shared(field.owner) {
        (field.owner, field.site)
    } else {
        (owner, node)
    }
}

fn left<'m>(one: &ObjectForm<'m>, other: &ObjectForm<'m>) -> Vec<Member<'m>> {
    one.fields
        .iter()
        .filter(|(name, _)| !other.fields.contains_key(**name))
        .map(|(name, field)| (*name, field.clone()))
        .collect()
}

/// Both sides have the same members to see, so that only what could not be read tells them apart.
fn gone_or_added_depends(old: &ObjectForm<'_>, new: &ObjectForm<'_>) -> bool {
    old.fields.keys().eq(new.fields.keys())
}
