//! A type as the set of forms that its values have, written out: what two descriptions of one type have in common when
//! names, references and the order of things are taken away.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter, Result};

use agent_contracts_wire::Direction;
use agent_contracts_wire::model::{Literal, Object, Type, Union, WireModel};

/// How deep containers are written out. Cyclic types are cut here, on both sides alike.
pub(crate) const DEPTH: usize = 5;

/// One of several forms.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Shape(BTreeSet<Form>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    Any,
    Null,
    Boolean,
    Number,
    String,
    /// Its JSON.
    Literal(String),
    Array(Shape),
    Tuple(Vec<Shape>),
    Object(Members),
    /// Below [`DEPTH`].
    Cut,
    /// What the model could not read.
    Unread,
}

/// The members of an object; the flag says that the key is always there.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Members {
    pub(crate) fields: BTreeMap<String, (bool, Shape)>,
    /// What other members hold, where there may be any.
    pub(crate) rest: Option<Box<Shape>>,
}

impl Shape {
    /// `forms`, without what another of them says already.
    pub(crate) fn of(forms: impl IntoIterator<Item = Form>) -> Self {
        let mut set: BTreeSet<Form> = forms.into_iter().collect();
        if set.contains(&Form::Any) {
            return Self([Form::Any].into());
        }
        let (yes, no) = (Form::Literal("true".into()), Form::Literal("false".into()));
        if set.contains(&Form::Boolean) || (set.contains(&yes) && set.contains(&no)) {
            set.retain(|form| *form != yes && *form != no);
            set.insert(Form::Boolean);
        }
        let (string, number) = (set.contains(&Form::String), set.contains(&Form::Number));
        set.retain(|form| match form {
            Form::Literal(text) if text.starts_with('"') => !string,
            Form::Literal(text) if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => !number,
            _ => true,
        });
        Self(set)
    }

    pub(crate) fn one(form: Form) -> Self {
        Self::of([form])
    }

    /// Any of `shapes`.
    pub(crate) fn union(shapes: impl IntoIterator<Item = Self>) -> Self {
        Self::of(shapes.into_iter().flat_map(|shape| shape.0))
    }

    /// Every combination of members of the forms of `shapes`, later ones over earlier ones; what is no object counts
    /// only where all are the same.
    pub(crate) fn both(self, other: &Self) -> Self {
        if self.0.contains(&Form::Any) {
            return other.clone();
        }
        if other.0.contains(&Form::Any) {
            return self;
        }
        let mut forms = Vec::new();
        for a in &self.0 {
            for b in &other.0 {
                match (a, b) {
                    (Form::Object(a), Form::Object(b)) => {
                        let mut all = a.clone();
                        for (name, (required, shape)) in &b.fields {
                            let known = all.fields.get(name);
                            let required = *required || known.is_some_and(|(required, _)| *required);
                            all.fields.insert(name.clone(), (required, shape.clone()));
                        }
                        all.rest = all.rest.or_else(|| b.rest.clone());
                        forms.push(Form::Object(all));
                    }
                    (a, b) if a == b => forms.push(a.clone()),
                    (wide @ (Form::String | Form::Number | Form::Boolean), narrow @ Form::Literal(_))
                    | (narrow @ Form::Literal(_), wide @ (Form::String | Form::Number | Form::Boolean))
                        if Self::of([wide.clone(), narrow.clone()]).0.len() == 1 =>
                    {
                        forms.push(narrow.clone());
                    }
                    _ => {}
                }
            }
        }
        Self::of(forms)
    }
}

/// The shape of a declared type, as who writes it (output) or who reads it (input) sees it; `None` when there is none of
/// this name.
pub(crate) fn of_model(model: &WireModel, name: &str, direction: Direction) -> Option<Shape> {
    let decl = model.types.get(name)?;
    Some(of_type(model, &decl.body, direction, 0))
}

fn of_type(model: &WireModel, ty: &Type, direction: Direction, depth: usize) -> Shape {
    let below = |ty: &Type| of_type(model, ty, direction, depth + 1);
    let container = |form: &dyn Fn() -> Form| Shape::one(if depth >= DEPTH { Form::Cut } else { form() });
    match ty {
        Type::Any => Shape::one(Form::Any),
        Type::Null => Shape::one(Form::Null),
        Type::Boolean => Shape::one(Form::Boolean),
        Type::Number => Shape::one(Form::Number),
        Type::String => Shape::one(Form::String),
        Type::Unresolved(_) => Shape::one(Form::Unread),
        Type::Literal(literal) => Shape::one(Form::Literal(match literal {
            Literal::String(text) => serde_json::Value::from(text.as_str()).to_string(),
            other => other.to_string(),
        })),
        Type::Named(id) => match model.types.get(id) {
            Some(decl) => of_type(model, &decl.body, direction, depth),
            None => Shape::one(Form::Unread),
        },
        Type::Array(item) => container(&|| Form::Array(below(item))),
        Type::Tuple(items) => container(&|| Form::Tuple(items.iter().map(below).collect())),
        Type::Map(item) => container(&|| {
            Form::Object(Members {
                rest: Some(Box::new(below(item))),
                ..Members::default()
            })
        }),
        Type::Object(object) => of_object(model, object, direction, depth),
        Type::Union(union) => of_union(model, union, direction, depth),
    }
}

fn of_object(model: &WireModel, object: &Object, direction: Direction, depth: usize) -> Shape {
    if depth >= DEPTH {
        return Shape::one(Form::Cut);
    }
    let empty = Shape::one(Form::Object(Members::default()));
    let mut all = object.parts.iter().fold(empty, |all, part| {
        // An own member or a later part shadows an earlier one, whatever that says of being there.
        let part = of_type(model, part, direction, depth);
        all.over(&part)
    });
    let own = Members {
        fields: object
            .fields
            .iter()
            .map(|(name, field)| {
                let shape = of_type(model, &field.ty, direction, depth + 1);
                (name.clone(), (field.required_for(direction), shape))
            })
            .collect(),
        rest: object.open.then(|| Box::new(Shape::one(Form::Any))),
    };
    all = all.over(&Shape::one(Form::Object(own)));
    all
}

impl Shape {
    /// The members of `top` over those of `self`.
    fn over(self, top: &Self) -> Self {
        let mut forms = Vec::new();
        for under in &self.0 {
            for over in &top.0 {
                match (under, over) {
                    (Form::Object(under), Form::Object(over)) => {
                        let mut all = under.clone();
                        all.fields.extend(over.fields.clone());
                        all.rest = over.rest.clone().or(all.rest);
                        forms.push(Form::Object(all));
                    }
                    (_, other) => forms.push(other.clone()),
                }
            }
        }
        Self::of(forms)
    }
}

fn of_union(model: &WireModel, union: &Union, direction: Direction, depth: usize) -> Shape {
    let all = Shape::union(union.arms.iter().map(|arm| of_type(model, &arm.ty, direction, depth)));
    if !union.open {
        return all;
    }
    let literal = |start: fn(char) -> bool| {
        all.0.iter().all(|form| match form {
            Form::Literal(text) => text.starts_with(start),
            Form::Null => true,
            _ => false,
        })
    };
    let more = if literal(|c| c == '"') {
        Form::String
    } else if literal(|c| c.is_ascii_digit()) {
        Form::Number
    } else {
        Form::Any
    };
    Shape::union([all, Shape::one(more)])
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.0.is_empty() {
            return f.write_str("never");
        }
        for (index, form) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { " | " })?;
            form.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Null => f.write_str("null"),
            Self::Boolean => f.write_str("boolean"),
            Self::Number => f.write_str("number"),
            Self::String => f.write_str("string"),
            Self::Literal(text) => f.write_str(text),
            Self::Array(item) => write!(f, "({item})[]"),
            Self::Tuple(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Self::Object(Members { fields, rest }) => {
                let mut all: Vec<String> = fields
                    .iter()
                    .map(|(name, (required, shape))| format!("{name}{}: {shape}", if *required { "" } else { "?" }))
                    .collect();
                // Beside known members the model only says that there are others.
                all.extend(rest.as_ref().map(|rest| {
                    if fields.is_empty() {
                        format!("*: {rest}")
                    } else {
                        "*".to_owned()
                    }
                }));
                write!(f, "{{{}}}", all.join(", "))
            }
            Self::Cut => f.write_str("…"),
            Self::Unread => f.write_str("?"),
        }
    }
}
