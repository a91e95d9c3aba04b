//! Types in one line, for tests, logs and people who look into a model.
//!
//! It reads like TypeScript, with a few marks of its own: `{*: T}` a map, `...T` a part, a closing `*` an open object or
//! union, `Name="x"` an arm with its declared name, `T => R` a request and its answer, `~"x"` another name that a reader
//! accepts, `name=` a key that is always written and that a reader can do without, `!experimental` and `!deprecated`, `@in`, `@out` and `@both` the direction, `?text` what could not be
//! resolved. Not a format to be read back.

use std::fmt::{self, Display, Formatter, Write as _};

use super::{Arm, Evidence, Field, Literal, Object, Stability, Type, TypeDecl, Union, Unresolved, WireModel};
use crate::finding::Direction;

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Null => f.write_str("null"),
            Self::Boolean => f.write_str("boolean"),
            Self::Number => f.write_str("number"),
            Self::String => f.write_str("string"),
            Self::Literal(Literal::String(text)) => write!(f, "{text:?}"),
            Self::Literal(other) => write!(f, "{other}"),
            Self::Named(id) => f.write_str(id),
            Self::Array(item) => match **item {
                Self::Union(_) => write!(f, "({item})[]"),
                _ => write!(f, "{item}[]"),
            },
            Self::Tuple(items) => {
                f.write_char('[')?;
                list(f, items, ", ")?;
                f.write_char(']')
            }
            Self::Map(value) => write!(f, "{{*: {value}}}"),
            Self::Object(object) => object.fmt(f),
            Self::Union(union) => union.fmt(f),
            Self::Unresolved(what) => write!(f, "?{what}"),
        }
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut members: Vec<String> = self.fields.iter().map(|(name, field)| member(name, field)).collect();
        members.extend(self.parts.iter().map(|part| match part {
            Type::Union(_) => format!("...({part})"),
            _ => format!("...{part}"),
        }));
        if self.open {
            members.push("*".to_owned());
        }
        write!(f, "{{{}}}", members.join(", "))
    }
}

fn member(name: &str, field: &Field) -> String {
    let mut line = name.to_owned();
    for other in &field.accepts {
        let _ = write!(line, "~{other}");
    }
    if !field.required {
        line.push('?');
    } else if field.defaulted {
        line.push('=');
    }
    format!("{line}: {}{}", field.ty, mark(field.stability))
}

impl Display for Union {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(tag) = &self.tag {
            write!(f, "<{tag}> ")?;
        }
        list(f, &self.arms, " | ")?;
        if self.arms.is_empty() {
            f.write_str("never")?;
        }
        if self.open {
            f.write_str(" | *")?;
        }
        Ok(())
    }
}

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}=")?;
        }
        match self.ty {
            Type::Union(_) => write!(f, "({})", self.ty)?,
            _ => write!(f, "{}", self.ty)?,
        }
        for other in &self.accepts {
            write!(f, "~{other:?}")?;
        }
        if let Some(result) = &self.result {
            write!(f, " => {result}")?;
        }
        f.write_str(mark(self.stability))
    }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: &[T], between: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

const fn mark(stability: Stability) -> &'static str {
    match stability {
        Stability::Stable => "",
        Stability::Experimental => " !experimental",
        Stability::Deprecated => " !deprecated",
    }
}

/// `NAME = TYPE` with the marks of the declaration, without its place.
impl Display for TypeDecl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}{}", self.name, self.body, mark(self.stability))?;
        f.write_str(match self.direction {
            Some(Direction::Output) => " @out",
            Some(Direction::Input) => " @in",
            Some(Direction::Both) => " @both",
            Some(Direction::Unknown) | None => "",
        })?;
        f.write_str(match self.evidence {
            Evidence::Declared => "",
            Evidence::Literal => " (literal)",
            Evidence::InProcess => " (in process)",
        })?;
        f.write_str(if self.in_scope { "" } else { " (beyond)" })
    }
}

impl WireModel {
    /// One line per type, sorted by id; then constants, unresolved and degraded places.
    #[must_use]
    pub fn print(&self) -> String {
        let mut text = String::new();
        for (id, decl) in &self.types {
            if *id != decl.name {
                let _ = write!(text, "[{id}] ");
            }
            let _ = writeln!(text, "{decl}");
        }
        for (name, constant) in &self.constants {
            let _ = writeln!(text, "const {name} = {}", Type::Literal(constant.value.clone()));
        }
        for flag in &self.flags {
            let _ = writeln!(text, "flag {} {:?} {:?}", flag.command, flag.name, flag.value);
        }
        for unresolved in &self.unresolved {
            let Unresolved { place, what } = unresolved;
            let _ = writeln!(text, "unresolved {}:{} {what}", place.file, place.line);
        }
        for degraded in &self.degraded {
            let lines = degraded.lines.map_or(String::new(), |(a, b)| format!(":{a}-{b}"));
            let _ = writeln!(
                text,
                "degraded {}{lines} {} {:?}",
                degraded.file, degraded.why, degraded.hides
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Place;

    #[test]
    fn types_read_like_typescript() {
        let mut object = Object {
            parts: vec![Type::Named("Base".into())],
            open: true,
            ..Object::default()
        };
        object.fields.insert("id".into(), Field::new(Type::String, true, 1));
        object.fields.insert(
            "list".into(),
            Field::new(Type::Array(Box::new(Type::String.nullable())), false, 2),
        );
        let decl = TypeDecl {
            name: "Thing".into(),
            place: Place::default(),
            in_scope: true,
            body: Type::Object(object),
            direction: Some(Direction::Output),
            stability: Stability::Experimental,
            evidence: Evidence::Declared,
        };
        assert_eq!(
            decl.to_string(),
            "Thing = {id: string, list?: (string | null)[], ...Base, *} !experimental @out"
        );
        let union = Type::Union(Union {
            arms: vec![
                Arm {
                    name: Some("Init".into()),
                    accepts: vec!["start".into()],
                    ..Arm::of(Type::literal("init"))
                },
                Arm {
                    result: Some(Type::Named("R".into())),
                    ..Arm::of(Type::Map(Box::new(Type::Any)))
                },
            ],
            tag: Some("type".into()),
            open: true,
        });
        assert_eq!(union.to_string(), r#"<type> Init="init"~"start" | {*: any} => R | *"#);
    }
}
