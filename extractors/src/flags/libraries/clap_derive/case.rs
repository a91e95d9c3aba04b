//! The names that clap makes of fields and variants. It uses the conversions of the `heck` crate; words end where a
//! letter in lower case meets one in upper case, and before the last capital of a row of them. A digit ends no word.

/// The words of a name.
fn words(name: &str) -> Vec<String> {
    #[derive(PartialEq, Clone, Copy)]
    enum Mode {
        Boundary,
        Lower,
        Upper,
    }
    let mut words = Vec::new();
    for part in name.split(|letter: char| !letter.is_alphanumeric()) {
        let letters: Vec<char> = part.chars().collect();
        let (mut start, mut mode) = (0, Mode::Boundary);
        for (index, &letter) in letters.iter().enumerate() {
            let Some(&next) = letters.get(index + 1) else { break };
            let then = if letter.is_lowercase() {
                Mode::Lower
            } else if letter.is_uppercase() {
                Mode::Upper
            } else {
                mode
            };
            if then == Mode::Lower && next.is_uppercase() {
                words.push(letters[start..=index].iter().collect());
                start = index + 1;
                mode = Mode::Boundary;
            } else if mode == Mode::Upper && letter.is_uppercase() && next.is_lowercase() {
                if index > start {
                    words.push(letters[start..index].iter().collect());
                }
                start = index;
                mode = Mode::Boundary;
            } else {
                mode = then;
            }
        }
        if start < letters.len() {
            words.push(letters[start..].iter().collect());
        }
    }
    words
}

/// A name in the case that `rename_all` asks for; kebab-case when it asks for none.
pub(super) fn convert(name: &str, case: Option<&str>) -> String {
    let case: String = case
        .unwrap_or("kebab")
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .collect();
    let case = case.to_lowercase();
    let case = case.strip_suffix("case").unwrap_or(&case);
    let words = words(name);
    let lower = || words.iter().map(|word| word.to_lowercase());
    let title = |word: &String| {
        let mut letters = word.chars();
        let first: String = letters.next().map(char::to_uppercase).into_iter().flatten().collect();
        first + &letters.as_str().to_lowercase()
    };
    match case {
        "snake" => lower().collect::<Vec<_>>().join("_"),
        "screamingsnake" => lower().collect::<Vec<_>>().join("_").to_uppercase(),
        "lower" => lower().collect(),
        "upper" => lower().collect::<String>().to_uppercase(),
        "pascal" | "uppercamel" => words.iter().map(title).collect(),
        "camel" => {
            let rest = words.iter().skip(1).map(title);
            words
                .first()
                .map(|word| word.to_lowercase())
                .into_iter()
                .chain(rest)
                .collect()
        }
        "verbatim" => name.to_owned(),
        _ => lower().collect::<Vec<_>>().join("-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_converted_as_heck_does() {
        for (name, case, expected) in [
            ("McpServer", None, "mcp-server"),
            ("HTTPError", None, "http-error"),
            ("V2Item", None, "v2-item"),
            ("SendMessageV2", None, "send-message-v2"),
            ("GenerateTs", None, "generate-ts"),
            ("X", None, "x"),
            ("A1B2c", None, "a1b2c"),
            ("add_dir", None, "add-dir"),
            ("oss_provider_2", None, "oss-provider-2"),
            ("AddDir", Some("snake_case"), "add_dir"),
            ("AddDir", Some("SCREAMING_SNAKE_CASE"), "ADD_DIR"),
            ("add_dir", Some("camelCase"), "addDir"),
            ("add_dir", Some("PascalCase"), "AddDir"),
            ("AddDir", Some("lower"), "adddir"),
            ("AddDir", Some("UPPER"), "ADDDIR"),
            ("AddDir", Some("verbatim"), "AddDir"),
        ] {
            assert_eq!(convert(name, case), expected, "{name} {case:?}");
        }
    }
}
