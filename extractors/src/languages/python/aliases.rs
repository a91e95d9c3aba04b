//! The names of fields on the wire, as pydantic makes them.

use super::convert::last;
use super::facts::Expr;

/// A function from the name of a field to its name on the wire.
pub(super) type Rename = fn(&str) -> String;

/// The function that `alias_generator` names.
pub(super) fn generator(setting: Option<&Expr>) -> Option<Rename> {
    let setting = setting?;
    let named = match setting {
        Expr::Call(name, _) if last(name) == "AliasGenerator" => {
            return generator(setting.keyword("serialization_alias").or(setting.keyword("alias")));
        }
        other => other.last_name()?,
    };
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
    } else {
        None
    }
}

/// The name of a field on the wire, and other names that a reader accepts for it.
pub(super) fn alias_of(settings: &[&Expr], name: &str, rename: Option<Rename>) -> (String, Vec<String>) {
    let text = |key: &str| settings.iter().find_map(|call| call.keyword(key)?.text());
    let written = text("serialization_alias")
        .or_else(|| text("alias"))
        // dacite and dataclasses-json: `metadata`; attrs and msgspec: `name`.
        .or_else(|| text("name"))
        .map(str::to_owned)
        .or_else(|| rename.map(|rename| rename(name)))
        .unwrap_or_else(|| name.to_owned());
    let mut accepts = vec![];
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
