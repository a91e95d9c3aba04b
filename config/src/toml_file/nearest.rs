//! "Did you mean": the nearest of the known words.

/// The known word that is nearest to `word`, if one is near enough to be meant: at most a third of the letters differ.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let within = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&flat(word), &flat(candidate)), candidate))
        .filter(|(distance, _)| *distance <= within)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Case and the kind of separator are the commonest slips, so they cost nothing.
fn flat(word: &str) -> String {
    word.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_of_the_pen_is_found_and_a_stranger_is_not() {
        let known = ["channels", "sources", "families", "tag_pattern", "id"];
        for (word, found) in [
            ("chanels", Some("channels")),
            ("Sources", Some("sources")),
            ("tag-pattern", Some("tag_pattern")),
            ("tagpatern", Some("tag_pattern")),
            ("ids", Some("id")),
            ("colour", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, known), found, "{word}");
        }
    }
}
