//! The case conversions of serde's `rename_all`, character by character as serde_derive does them
//! (`serde_derive_internals::case`): ASCII only, a variant is taken as PascalCase and a field as snake_case, acronyms
//! and digits are not looked at.

use serde::{Deserialize, Serialize};

/// A value of `rename_all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    /// The case that serde knows by this text; `None` for a text that it refuses.
    pub(super) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// The wire name of a variant.
    pub(super) fn variant(self, name: &str) -> String {
        match self {
            Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => lower_first(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The wire name of a field.
    pub(super) fn field(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => lower_first(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (index, char) in name.chars().enumerate() {
        if index > 0 && char.is_uppercase() {
            snake.push('_');
        }
        snake.push(char.to_ascii_lowercase());
    }
    snake
}

fn pascal(name: &str) -> String {
    let mut pascal = String::new();
    let mut upper = true;
    for char in name.chars() {
        if char == '_' {
            upper = true;
        } else if upper {
            pascal.push(char.to_ascii_uppercase());
            upper = false;
        } else {
            pascal.push(char);
        }
    }
    pascal
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    /// What serde 1.0 prints for these, by `tests/rust_serde.rs`.
    #[test]
    fn names_are_converted_as_serde_does() {
        let table = [
            ("lowercase", "httperror", "user_id2"),
            ("UPPERCASE", "HTTPERROR", "USER_ID2"),
            ("PascalCase", "HTTPError", "UserId2"),
            ("camelCase", "hTTPError", "userId2"),
            ("snake_case", "h_t_t_p_error", "user_id2"),
            ("SCREAMING_SNAKE_CASE", "H_T_T_P_ERROR", "USER_ID2"),
            ("kebab-case", "h-t-t-p-error", "user-id2"),
            ("SCREAMING-KEBAB-CASE", "H-T-T-P-ERROR", "USER-ID2"),
        ];
        for (text, variant, field) in table {
            let case = Case::parse(text).unwrap();
            assert_eq!(
                (case.variant("HTTPError").as_str(), case.field("user_id2").as_str()),
                (variant, field)
            );
        }
        assert_eq!(Case::parse("Camel"), None);
    }

    #[test]
    fn odd_names_do_not_panic() {
        for case in [Case::Camel, Case::Pascal, Case::Snake] {
            for name in ["", "_", "__", "Élan", "élan_x", "_private", "V2Item"] {
                let _ = (case.variant(name), case.field(name));
            }
        }
        assert_eq!(Case::Camel.field("_private"), "private");
        assert_eq!(Case::Snake.variant("V2Item"), "v2_item");
    }
}
