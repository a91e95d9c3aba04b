//! The names of fields on the wire, as pydantic makes them.

use super::convert::last;
use super::facts::Expr;

/// A function from the name of a field to its name on the wire.
pub(super) type Rename = fn(&str) -> String;

/// What `alias_generator` makes of the names of fields.
#[derive(Clone, Copy, Default)]
pub(super) struct Generator {
    /// On the way out.
    pub(super) write: Option<Rename>,
    /// On the way in.
    pub(super) read: Option<Rename>,
}

/// The functions that `alias_generator` names.
pub(super) fn generator(setting: Option<&Expr>) -> Generator {
    let Some(setting) = setting else {
        return Generator::default();
    };
    match setting {
        Expr::Call(name, _) if last(name) == "AliasGenerator" => {
            let both = setting.keyword("alias");
            let of = |own: &str| setting.keyword(own).or(both).and_then(function);
            Generator {
                write: of("serialization_alias"),
                read: of("validation_alias"),
            }
        }
        other => Generator {
            write: function(other),
            read: function(other),
        },
    }
}

fn function(named: &Expr) -> Option<Rename> {
    let named = named.last_name()?;
    let word: String = named
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase();
    // Projects write such functions themselves under telling names.
    if word.contains("camel") {
        Some(to_camel)
    } else if word.contains("pascal") {
        Some(to_pascal)
    } else if word.contains("snake") {
        Some(to_snake)
    } else {
        None
    }
}

/// The name of a field on the wire, and other names that a reader accepts for it.
pub(super) fn alias_of(settings: &[&Expr], name: &str, generator: Generator) -> (String, Vec<String>) {
    let text = |key: &str| settings.iter().find_map(|call| call.keyword(key)?.text());
    // dacite and dataclasses-json: `metadata`; attrs and msgspec: `name`.
    let both = || text("alias").or_else(|| text("name")).map(str::to_owned);
    let made = |rename: Option<Rename>| rename.map_or_else(|| name.to_owned(), |rename| rename(name));
    let written = text("serialization_alias")
        .map(str::to_owned)
        .or_else(both)
        .unwrap_or_else(|| made(generator.write));
    let mut accepts = vec![];
    if settings.iter().all(|call| call.keyword("validation_alias").is_none()) {
        accepts.push(both().unwrap_or_else(|| made(generator.read)));
    }
    for call in settings {
        match call.keyword("validation_alias") {
            Some(Expr::Text(text)) => accepts.push(text.clone()),
            Some(Expr::Call(choices, given)) if last(choices) == "AliasChoices" => {
                accepts.extend(given.iter().filter_map(|(_, choice)| choice.text().map(str::to_owned)));
            }
            _ => {}
        }
    }
    accepts.retain(|accepted| *accepted != written);
    (written, accepts)
}

/// `to_pascal` of pydantic.alias_generators.
fn to_pascal(name: &str) -> String {
    // `str.title`: a letter is large when no letter stands before it.
    let mut titled = String::new();
    let mut before = None::<char>;
    for c in name.chars() {
        if before.is_some_and(char::is_alphabetic) {
            titled.extend(c.to_lowercase());
        } else {
            titled.extend(c.to_uppercase());
        }
        before = Some(c);
    }
    let chars: Vec<char> = titled.chars().collect();
    let mut out = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let after_word = at > 0 && chars[at - 1].is_ascii_alphanumeric();
        let before_word = chars
            .get(at + 1)
            .is_some_and(|next| next.is_ascii_digit() || next.is_ascii_uppercase());
        if !(c == '_' && after_word && before_word) {
            out.push(c);
        }
    }
    out
}

/// `to_camel` of pydantic.alias_generators.
fn to_camel(name: &str) -> String {
    let bytes = name.as_bytes();
    let plain = bytes.first().is_some_and(u8::is_ascii_lowercase) && bytes.iter().all(u8::is_ascii_alphanumeric);
    let broken = bytes
        .windows(2)
        .any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_lowercase());
    if plain && !broken {
        return name.to_owned();
    }
    let pascal = to_pascal(name);
    let start = pascal.len() - pascal.trim_start_matches('_').len();
    let mut chars = pascal[start..].chars();
    match chars.next() {
        Some(first) if first.is_ascii_uppercase() => {
            format!("{}{}{}", &pascal[..start], first.to_ascii_lowercase(), chars.as_str())
        }
        _ => pascal,
    }
}

/// `to_snake` of pydantic.alias_generators: `_` before a word that begins with a capital, and before digits.
fn to_snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or_default();
    let mut snake = String::new();
    for (index, &c) in chars.iter().enumerate() {
        let before = if index == 0 { '\0' } else { at(index - 1) };
        let starts_word = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && at(index + 1).is_ascii_lowercase());
        let starts_number = c.is_ascii_digit() && before.is_ascii_alphabetic();
        if starts_word || starts_number {
            snake.push('_');
        }
        snake.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second and third columns were printed by pydantic 2.13.
    #[test]
    fn names_as_pydantic_makes_them() {
        for (name, camel, pascal) in [
            ("session_id", "sessionId", "SessionId"),
            ("id", "id", "Id"),
            ("alreadyCamel", "alreadyCamel", "Alreadycamel"),
            ("http_url_2", "httpUrl2", "HttpUrl2"),
            ("item_2b", "item2B", "Item2B"),
            ("a2b", "a2B", "A2B"),
            ("_meta", "_meta", "_Meta"),
            ("field_meta_", "fieldMeta_", "FieldMeta_"),
            ("a__b", "a__B", "A__B"),
            ("x_y_z", "xYZ", "XYZ"),
            ("HTTPServer", "httpserver", "Httpserver"),
        ] {
            assert_eq!(
                (to_camel(name).as_str(), to_pascal(name).as_str()),
                (camel, pascal),
                "{name}"
            );
        }
    }
}
