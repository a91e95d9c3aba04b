//! What a comment says of the stability of what it stands above.

use agent_contracts_wire::Stability;

/// Reads the customs of the languages: `Experimental: …` and `Deprecated: …` at the start of a line (Go), the tags
/// `@experimental` and `@deprecated`, and `UNSTABLE`, `[EXPERIMENTAL]` or `Experimental` as the first word.
pub(crate) fn of_comment(text: &str) -> Stability {
    let words = [
        ("experimental", Stability::Experimental),
        ("unstable", Stability::Experimental),
        ("deprecated", Stability::Deprecated),
    ];
    let mut found = Stability::Stable;
    for (at, line) in text.lines().enumerate() {
        let first = line.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        for (word, stability) in words {
            let starts = first
                .get(..word.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(word));
            let next = first.get(word.len()..).and_then(|rest| rest.chars().next());
            let marked = starts && (next == Some(':') || at == 0 && !next.is_some_and(char::is_alphanumeric));
            if (marked || line.contains(&format!("@{word}"))) && found == Stability::Stable {
                found = stability;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        for (text, expected) in [
            ("", Stability::Stable),
            ("Name is experimental in nature", Stability::Stable),
            ("Something\nExperimental: X may change", Stability::Experimental),
            ("**UNSTABLE**\n\nMay go.", Stability::Experimental),
            ("[EXPERIMENTAL] x", Stability::Experimental),
            ("Experimental support for it", Stability::Experimental),
            ("Experimentally", Stability::Stable),
            ("Old.\n\nDeprecated: use B.", Stability::Deprecated),
            ("@deprecated use B", Stability::Deprecated),
            ("It was\ndeprecated once", Stability::Stable),
        ] {
            assert_eq!(of_comment(text), expected, "{text}");
        }
    }
}
