//! What a hand-written `serialize` writes and a hand-written `deserialize` reads.
//!
//! Only what follows from the calls on the serialiser itself is believed; each other use of it is [`Form::Unknown`].

use super::facts::{Form, TypeExpr};
use super::lex::{Kind, Token, after, inside, lex, marks, split_commas};
use super::types;

/// The forms that a function gives a value, each once. The text is that of the whole function.
pub(super) fn forms(function: &str) -> Vec<Form> {
    let tokens = lex(function);
    let Some(parameters) = parameters(&tokens) else {
        return vec![Form::Unknown];
    };
    let body = match tokens
        .iter()
        .rposition(|token| token.kind == Kind::Close && token.is("}") && token.skip > 0)
    {
        Some(close) => inside(&tokens, close - tokens[close].skip as usize),
        None => return vec![Form::Unknown],
    };
    let generics = generic_names(&tokens);
    let [value, codec] = match parameters.as_slice() {
        [codec] => ["", codec.as_str()],
        [value, codec, ..] => [value.as_str(), codec.as_str()],
        [] => return vec![Form::Unknown],
    };
    let mut found = Vec::new();
    for at in 0..body.len() {
        if body[at].is(codec) && body[at].is_ident() && !(at > 0 && body[at - 1].is(".")) {
            let form = if value.is_empty() {
                read(body, at)
            } else {
                written(body, at, value)
            };
            // A type parameter of the function stands for what is declared.
            let form = match form {
                Form::Of(ty) if generics.iter().any(|name| mentions(&ty, name)) => Form::Declared,
                form => form,
            };
            if !found.contains(&form) {
                found.push(form);
            }
        }
    }
    if found.is_empty() {
        found.push(Form::Unknown);
    }
    found
}

/// The names of the parameters.
fn parameters(tokens: &[Token<'_>]) -> Option<Vec<String>> {
    let mut at = tokens.iter().position(|token| token.is("fn"))? + 2;
    if tokens.get(at)?.is("<") {
        at = types::angle_end(tokens, at);
    }
    if !tokens.get(at)?.is("(") {
        return None;
    }
    Some(
        split_commas(inside(tokens, at))
            .into_iter()
            .map(|part| {
                let end = part.iter().position(|token| token.is(":")).unwrap_or(part.len());
                part[..end].last().map(Token::name).unwrap_or_default()
            })
            .collect(),
    )
}

/// The names of the type parameters.
fn generic_names(tokens: &[Token<'_>]) -> Vec<String> {
    let Some(open) = tokens.iter().position(|token| token.is("fn")).map(|at| at + 2) else {
        return Vec::new();
    };
    if !tokens.get(open).is_some_and(|token| token.is("<")) {
        return Vec::new();
    }
    let inner = tokens
        .get(open + 1..types::angle_end(tokens, open).saturating_sub(1))
        .unwrap_or(&[]);
    split_commas(inner)
        .into_iter()
        .filter_map(|part| part.first().filter(|token| token.is_ident()).map(Token::name))
        .collect()
}

fn mentions(ty: &TypeExpr, name: &str) -> bool {
    match ty {
        TypeExpr::Path(path, args) => path.as_slice() == [name] || args.iter().any(|arg| mentions(arg, name)),
        TypeExpr::Tuple(items) => items.iter().any(|item| mentions(item, name)),
        TypeExpr::Array(item) => mentions(item, name),
        TypeExpr::Assoc(..) | TypeExpr::Other(_) => false,
    }
}

/// What the use of the serialiser at `at` writes.
fn written(body: &[Token<'_>], at: usize, value: &str) -> Form {
    // serializer.serialize_str(…)
    if body.get(at + 1).is_some_and(|token| token.is(".")) {
        return body.get(at + 2).map_or(Form::Unknown, |method| primitive(&method.text));
    }
    // (…, serializer) or (serializer)
    let Some(open) = enclosing_group(body, at) else {
        return Form::Unknown;
    };
    let arguments = split_commas(inside(body, open));
    if !(open > 0 && body[open - 1].is("serialize") && arguments.last().is_some_and(|last| last.len() == 1)) {
        return match arguments.as_slice() {
            // A function of its own, as `ts::write(value, serializer)`.
            [_, last] if last.len() == 1 => path_before(body, open).map_or(Form::Unknown, Form::Call),
            _ => Form::Unknown,
        };
    }
    match (open.checked_sub(2).map(|dot| &body[dot]), arguments.as_slice()) {
        (Some(dot), [_]) if dot.is(".") => value_form(body, receiver(body, open - 2), value),
        (Some(mark), [of, _]) if mark.is(":") => match path_before(body, open) {
            Some(path) => {
                let owner = path[..path.len() - 1].to_vec();
                match owner.last() {
                    Some(last) if last == "Serialize" => value_form(body, of, value),
                    Some(last) if last.starts_with(char::is_uppercase) => Form::Of(TypeExpr::Path(owner, Vec::new())),
                    _ => Form::Call(path),
                }
            }
            None => Form::Unknown,
        },
        _ => Form::Unknown,
    }
}

/// What the use of the deserialiser at `at` reads.
fn read(body: &[Token<'_>], at: usize) -> Form {
    if body.get(at + 1).is_some_and(|token| token.is(".")) {
        return body.get(at + 2).map_or(Form::Unknown, |method| primitive(&method.text));
    }
    let Some(open) = enclosing_group(body, at).filter(|&open| open > 2 && body[open - 1].is("deserialize")) else {
        return Form::Unknown;
    };
    // The path before `::deserialize`, with its arguments.
    let start = path_start(body, open - 1);
    let owner = &body[start..open - 3];
    let (ty, _) = types::parse(owner, 0);
    match &ty {
        TypeExpr::Path(segments, _) => match segments.last().map(String::as_str) {
            Some("Deserialize") => annotated(body, start).map_or(Form::Unknown, Form::Of),
            Some(last) if last.starts_with(char::is_uppercase) => Form::Of(ty),
            _ => path_before(body, open).map_or(Form::Unknown, Form::Call),
        },
        TypeExpr::Assoc(..) | TypeExpr::Other(_) => Form::Unknown,
        _ => Form::Of(ty),
    }
}

/// The type of `let name: TYPE =` that ends right before `at`.
fn annotated(body: &[Token<'_>], at: usize) -> Option<TypeExpr> {
    let start = body[..at].iter().rposition(|token| token.is("let") || token.is(";"))?;
    let colon = body[start..at].iter().position(|token| token.is(":"))? + start;
    let (ty, end) = types::parse(body, colon + 1);
    body.get(end).is_some_and(|token| token.is("=")).then_some(ty)
}

/// `serialize_*` and `deserialize_*` of the data model that are one JSON type.
fn primitive(method: &str) -> Form {
    let kind = method
        .strip_prefix("serialize_")
        .or_else(|| method.strip_prefix("deserialize_"))
        .unwrap_or(method);
    match kind {
        "str" | "string" | "char" | "identifier" | "collect_str" => Form::String,
        "bool" => Form::Boolean,
        "none" | "unit" | "unit_struct" => Form::Null,
        "i8" | "i16" | "i32" | "i64" | "i128" | "u8" | "u16" | "u32" | "u64" | "u128" | "f32" | "f64" => Form::Number,
        _ => Form::Unknown,
    }
}

/// The form of an expression that is serialised as itself.
fn value_form(body: &[Token<'_>], expression: &[Token<'_>], value: &str) -> Form {
    let expression = strip(expression);
    let ends_in = |names: &[&str]| {
        let count = expression.len();
        count > 3 && expression[count - 1].is(")") && names.iter().any(|name| expression[count - 3].is(name))
    };
    let text = |token: &Token<'_>| token.name();
    match expression {
        [only] if only.is_ident() && (only.is(value) || only.is("self")) => Form::Declared,
        [only] if only.kind == Kind::Literal && only.text.contains('"') => Form::String,
        [only] if only.is_ident() => bound(body, &only.text, value),
        [of, dot, field] if of.is("self") && dot.is(".") && !field.is("(") => Form::SelfField(text(field)),
        [name, bang, ..] if name.is("format") && bang.is("!") => Form::String,
        _ if ends_in(&[
            "to_string",
            "as_str",
            "to_string_lossy",
            "to_rfc3339",
            "to_lowercase",
            "to_hex",
        ]) =>
        {
            Form::String
        }
        _ => made_by(expression).map_or(Form::Unknown, Form::Of),
    }
}

/// `Type { … }`, `Type(…)`, `Type::from(…)` and the like.
fn made_by(expression: &[Token<'_>]) -> Option<TypeExpr> {
    let open = expression.iter().position(|token| token.kind == Kind::Open)?;
    if after(expression, open) < expression.len() {
        return None;
    }
    let mut path = path_before(expression, open)?;
    if path.last()?.starts_with(char::is_lowercase) {
        let method = path.pop()?;
        if !(method.starts_with("from") || method == "new") {
            return None;
        }
    }
    path.last()?
        .starts_with(char::is_uppercase)
        .then(|| TypeExpr::Path(path, Vec::new()))
}

/// What a local name stands for: a pattern of a variant, or a `let`.
fn bound(body: &[Token<'_>], name: &str, value: &str) -> Form {
    for at in 1..body.len() {
        if !body[at].is(name) {
            continue;
        }
        if body[at - 1].is("let") && body.get(at + 1).is_some_and(|token| token.is("=")) {
            let end = (at..body.len()).find(|&end| body[end].is(";")).unwrap_or(body.len());
            let expression = &body[at + 2..end];
            // A name cannot be made of itself.
            let recursive = expression.iter().any(|token| token.is(name));
            return if recursive {
                Form::Unknown
            } else {
                value_form(body, expression, value)
            };
        }
        let Some(open) = enclosing_group(body, at) else {
            continue;
        };
        let alone = inside(body, open)
            .iter()
            .filter(|token| !token.is("ref") && !token.is("..") && !token.is(","))
            .count()
            == 1;
        let behind = after(body, open);
        let tested = body.get(behind).is_some_and(|token| token.is("="));
        let pattern = marks(body, behind, "=>") || tested || body.get(behind).is_some_and(|token| token.is("|"));
        if alone
            && pattern
            && let Some(mut path) = path_before(body, open)
        {
            let variant = path.pop().unwrap_or_default();
            if path.is_empty() && variant == "Some" {
                // `if let Some(x) = &self.field {`
                let end = (behind..body.len())
                    .find(|&end| body[end].is("{"))
                    .unwrap_or(body.len());
                return match value_form(body, body.get(behind + 1..end).unwrap_or(&[]), value) {
                    Form::SelfField(field) if tested => Form::SomeField(field),
                    _ => Form::Unknown,
                };
            }
            if path.is_empty() {
                path.push("Self".to_owned());
            }
            return Form::Payload(path, variant);
        }
    }
    Form::Unknown
}

/// The index of the innermost group that holds `at`.
fn enclosing_group(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    (0..at)
        .rev()
        .find(|&open| tokens[open].kind == Kind::Open && tokens[open].skip as usize > at - open)
}

/// The path that ends right before `end`, without arguments.
fn path_before(tokens: &[Token<'_>], end: usize) -> Option<Vec<String>> {
    let start = path_start(tokens, end);
    let mut path = Vec::new();
    let mut at = start;
    while at < end {
        if tokens[at].is("<") {
            at = types::angle_end(tokens, at);
            continue;
        }
        if tokens[at].is_ident() {
            path.push(tokens[at].name());
        }
        at += 1;
    }
    (!path.is_empty()).then_some(path)
}

/// Where the path that ends right before `end` starts.
fn path_start(tokens: &[Token<'_>], end: usize) -> usize {
    let (mut start, mut angles) = (end, 0i32);
    while start > 0 {
        let token = &tokens[start - 1];
        if token.is(">") {
            angles += 1;
        } else if token.is("<") {
            angles -= 1;
            if angles < 0 {
                break;
            }
        } else if angles == 0 {
            let next_is_name = tokens.get(start).is_some_and(Token::is_ident) && start < end;
            let joins = token.is(":") || token.is_ident() && !next_is_name && !is_keyword(&token.text);
            if !joins {
                break;
            }
        }
        start -= 1;
    }
    start
}

fn is_keyword(text: &str) -> bool {
    matches!(
        text,
        "return" | "let" | "match" | "if" | "else" | "in" | "ref" | "mut" | "as" | "move"
    )
}

/// The expression before the dot at `dot`: names, fields, calls.
fn receiver<'s, 'a>(tokens: &'s [Token<'a>], dot: usize) -> &'s [Token<'a>] {
    let mut start = dot;
    while start > 0 {
        let token = &tokens[start - 1];
        let part = match token.kind {
            Kind::Close if token.skip > 0 => token.skip as usize + 1,
            Kind::Ident if !is_keyword(&token.text) => 1,
            Kind::Literal => 1,
            Kind::Punct(_) if [".", ":", "!", "&", "*"].iter().any(|mark| token.is(mark)) => 1,
            _ => break,
        };
        // Two operands side by side: the outer one belongs to another expression.
        let operand = matches!(token.kind, Kind::Close | Kind::Ident | Kind::Literal);
        let next_operand = tokens
            .get(start)
            .is_some_and(|next| matches!(next.kind, Kind::Ident | Kind::Literal));
        if operand && next_operand && start < dot {
            break;
        }
        start -= part;
    }
    &tokens[start..dot]
}

/// Without references and parentheses around the whole.
fn strip<'s, 'a>(mut tokens: &'s [Token<'a>]) -> &'s [Token<'a>] {
    loop {
        match tokens {
            [first, rest @ ..] if first.is("&") || first.is("*") => tokens = rest,
            [first, .., _] if first.is("(") && after(tokens, 0) == tokens.len() && first.skip > 1 => {
                tokens = inside(tokens, 0);
            }
            _ => return tokens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ser(body: &str) -> Vec<Form> {
        forms(&format!(
            "fn serialize<S>(&self, s: S) -> Result<S::Ok, S::Error> where S: Serializer {{ {body} }}"
        ))
    }

    fn of(name: &str) -> Form {
        Form::Of(types::parse_text(name))
    }

    #[test]
    fn what_is_written_is_read_from_the_calls() {
        let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
        for (body, expected) in [
            ("s.collect_str(&self.uuid)", vec![Form::String]),
            ("s.serialize_str(match self { A => \"a\" })", vec![Form::String]),
            ("self.0.serialize(s)", vec![Form::SelfField("0".into())]),
            ("self.inner.serialize(s)", vec![Form::SelfField("inner".into())]),
            ("self.to_string().serialize(s)", vec![Form::String]),
            ("(&self.as_str()).serialize(s)", vec![Form::String]),
            ("Repr::from(self).serialize(s)", vec![of("Repr")]),
            ("let repr = Repr { a: self.a }; repr.serialize(s)", vec![of("Repr")]),
            (
                "let text = format!(\"{}\", self.a); s.serialize_str(&text)",
                vec![Form::String],
            ),
            (
                "match self { Self::V(v) => v.serialize(s), Self::N => s.serialize_none() }",
                vec![Form::Payload(path("Self"), "V".into()), Form::Null],
            ),
            (
                "match &self.body { Body::T(t) => s.serialize_str(t), Body::I(items) => items.serialize(s) }",
                vec![Form::String, Form::Payload(path("Body"), "I".into())],
            ),
            (
                "if let Some(x) = &self.items { x.serialize(s) } else { s.serialize_str(&self.text) }",
                vec![Form::SomeField("items".into()), Form::String],
            ),
            (
                "if self.a { let repr = Repr::new(self); repr.serialize(s) } else { s.serialize_unit() }",
                vec![of("Repr"), Form::Null],
            ),
            (
                "serde::Serialize::serialize(&self.0, s)",
                vec![Form::SelfField("0".into())],
            ),
            (
                "humantime_serde::serialize(&self.0, s)",
                vec![Form::Call(path("humantime_serde::serialize"))],
            ),
            ("let mut map = s.serialize_map(None)?; map.end()", vec![Form::Unknown]),
            ("write(s)", vec![Form::Unknown]),
            ("panic!()", vec![Form::Unknown]),
        ] {
            assert_eq!(ser(body), expected, "{body}");
        }
        let written = forms("pub fn ser<S: Serializer>(value: &Option<T>, out: S) -> R { value.serialize(out) }");
        assert_eq!(written, [Form::Declared]);
    }

    #[test]
    fn what_is_read_is_read_from_the_calls() {
        for (body, expected) in [
            ("let text = String::deserialize(d)?; Ok(text)", of("String")),
            ("let v = Vec::<Item<M>>::deserialize(d)?;", of("Vec<Item<M>>")),
            ("let x: Option<T> = Deserialize::deserialize(d)?;", of("Option<T>")),
            ("let raw: Raw = serde::Deserialize::deserialize(d)?;", of("Raw")),
            ("d.deserialize_str(V)", Form::String),
            ("d.deserialize_any(V)", Form::Unknown),
        ] {
            let text = format!("fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {{ {body} }}");
            assert_eq!(forms(&text), [expected], "{body}");
        }
    }
}
