//! A shape as a wire model, so that what ran and what a source declares go through the same diff.
//!
//! Each class of frames is a declared type of its event's name, and both directions are a union of theirs. The arms of
//! those unions are told apart by one member that is in no frame, [`FRAME`], which holds the whole name of the event.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::event::{ITEM_TAGS, UNKNOWN};
use agent_contracts_wire::model::{Constant, Evidence, Place};
use agent_contracts_wire::{
    Arm, Direction, Field, Literal, Object, Path, Stability, Step, Type, TypeDecl, Union, WireModel,
};

use crate::shape::{FrameDirection, FrameShape, PathType, Shape};

/// The member that holds the name of an event. No frame has it.
pub(super) const FRAME: &str = "(frame)";
/// An event of every shape, so that a side that says nothing is still one to compare with.
pub(super) const SILENCE: &str = "(silence)";
/// The frames that the CLI writes.
pub(super) const OUTPUT: &str = "OutputEvent";
/// The frames that the host writes.
pub(super) const INPUT: &str = "InputCommand";

/// The model of a shape. `place` is where the shape is kept. `order` are the events whose order is compared.
pub(super) fn model(shape: &Shape, place: &str, order: &[&str]) -> WireModel {
    let mut model = WireModel {
        files: 1,
        ..WireModel::default()
    };
    let place = Place {
        file: place.to_owned(),
        line: 1,
    };
    for (root, direction) in [(OUTPUT, FrameDirection::Output), (INPUT, FrameDirection::Input)] {
        let mut arms = Vec::new();
        // Lines that are no frames have no form that could become another.
        let is_frame = |frame: &&FrameShape| frame.event_type != UNKNOWN || !frame.paths.is_empty();
        let frames = shape.frame_shapes.iter().filter(is_frame);
        for frame in frames.filter(|frame| frame.direction == direction) {
            let id = format!("{}@{root}", frame.event_type);
            arms.push(Arm::of(Type::Named(id.clone())));
            let body = body(frame);
            model.types.insert(id, decl(&frame.event_type, body, direction, &place));
        }
        let mut silence = Object::default();
        silence
            .fields
            .insert(FRAME.to_owned(), Field::new(Type::literal(SILENCE), true, 1));
        arms.push(Arm::of(Type::Object(silence)));
        let union = Union {
            arms,
            tag: Some(FRAME.to_owned()),
            open: false,
        };
        model
            .types
            .insert(root.to_owned(), decl(root, Type::Union(union), direction, &place));
    }
    let word = |value: serde_json::Result<serde_json::Value>| {
        value
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    for (name, value) in [
        ("order", order.join(", ")),
        ("exit_class", word(serde_json::to_value(shape.exit))),
        ("stderr_class", word(serde_json::to_value(shape.stderr_class))),
    ] {
        let constant = Constant {
            value: Literal::String(value),
            place: place.clone(),
            in_scope: true,
        };
        model.constants.insert(name.to_owned(), constant);
    }
    model
}

fn decl(name: &str, body: Type, direction: FrameDirection, place: &Place) -> TypeDecl {
    TypeDecl {
        name: name.to_owned(),
        place: place.clone(),
        in_scope: true,
        body,
        direction: Some(match direction {
            FrameDirection::Output => Direction::Output,
            FrameDirection::Input => Direction::Input,
        }),
        stability: Stability::Stable,
        evidence: Evidence::Declared,
    }
}

/// What a frame holds, with its name.
fn body(frame: &FrameShape) -> Type {
    let mut root = Node::default();
    for path in &frame.paths {
        // A path that cannot be read is none of ours; the validation of the record tells it.
        let Ok(read) = path.path.parse::<Path>() else {
            continue;
        };
        let node = root.at(read.steps());
        node.types.insert(path.ty);
        node.required |= path.required;
    }
    for (path, values) in &frame.enums {
        if let Ok(read) = path.parse::<Path>() {
            root.at(read.steps()).values.clone_from(values);
        }
    }
    let mut object = root.object();
    object
        .fields
        .insert(FRAME.to_owned(), Field::new(Type::literal(&frame.event_type), true, 1));
    Type::Object(object)
}

/// One place of a frame.
#[derive(Default)]
struct Node {
    types: BTreeSet<PathType>,
    required: bool,
    values: Vec<String>,
    members: BTreeMap<String, Self>,
    any: Option<Box<Self>>,
    items: Option<Box<Self>>,
    tagged: BTreeMap<String, Self>,
}

impl Node {
    fn at(&mut self, steps: &[Step]) -> &mut Self {
        steps.iter().fold(self, |node, step| match step {
            Step::Member(name) => node.members.entry(name.clone()).or_default(),
            Step::AnyMember => node.any.get_or_insert_default(),
            Step::Items => node.items.get_or_insert_default(),
            Step::Tagged(tag) => node.tagged.entry(tag.clone()).or_default(),
        })
    }

    fn ty(&self) -> Type {
        let mut types: Vec<Type> = Vec::new();
        for ty in &self.types {
            match ty {
                PathType::Null => types.push(Type::Null),
                PathType::Boolean => types.push(Type::Boolean),
                PathType::Number => types.push(Type::Number),
                PathType::Unknown => types.push(Type::Any),
                PathType::String if self.values.is_empty() => types.push(Type::String),
                PathType::String => types.extend(self.values.iter().map(Type::literal)),
                PathType::Array => types.push(Type::Array(Box::new(self.item()))),
                PathType::Object => types.push(match &self.any {
                    Some(any) if self.members.is_empty() => Type::Map(Box::new(any.ty())),
                    _ => Type::Object(self.object()),
                }),
            }
        }
        match types.len() {
            1 => types.swap_remove(0),
            0 => Type::Any,
            _ => Type::union(types),
        }
    }

    fn object(&self) -> Object {
        let mut fields: BTreeMap<String, Field> = self
            .members
            .iter()
            .map(|(name, node)| (name.clone(), Field::new(node.ty(), node.required, 1)))
            .collect();
        // Beside named members, those whose names are data are one more.
        if let Some(any) = &self.any {
            fields.insert("*".to_owned(), Field::new(any.ty(), false, 1));
        }
        Object {
            fields,
            ..Object::default()
        }
    }

    /// The items of a list: those without a tag, and one object for each tag.
    fn item(&self) -> Type {
        let tagged = self.tagged.iter().map(|(tag, node)| {
            let mut object = node.object();
            let named = ITEM_TAGS.iter().find(|name| object.fields.contains_key(**name));
            let name = named.map_or(ITEM_TAGS[0], |name| name);
            object
                .fields
                .insert(name.to_owned(), Field::new(Type::literal(tag), true, 1));
            Type::Object(object)
        });
        let mut types: Vec<Type> = tagged.collect();
        types.extend(self.items.as_ref().map(|items| items.ty()));
        match types.len() {
            1 => types.swap_remove(0),
            // An empty list says nothing of its items.
            0 => Type::Any,
            _ => Type::union(types),
        }
    }
}
