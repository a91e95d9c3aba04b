//! Names as people read them: their words, and how alike two of them are.

use std::collections::BTreeSet;

/// The words of a name in any case style, in lower case: `RpcExtensionUIRequest` is `rpc extension ui request`.
pub(super) fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (index, c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| chars[before]);
        let after = chars.get(index + 1);
        let starts = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_ascii_digit())
                || before.is_some_and(char::is_uppercase) && after.is_some_and(|a| a.is_lowercase()));
        if !c.is_alphanumeric() || starts {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if !c.is_alphanumeric() {
                continue;
            }
        }
        word.extend(c.to_lowercase());
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The name without case and separators: what two styles of one name have in common.
pub(super) fn bare(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// From 0 to 1: 1 for the same name in another style, else the better of how their letters and their words agree.
pub(super) fn likeness(a: &str, b: &str) -> f64 {
    let (bare_a, bare_b) = (bare(a), bare(b));
    if bare_a == bare_b {
        return 1.0;
    }
    let letters = strsim::normalized_damerau_levenshtein(&bare_a, &bare_b);
    let (words_a, words_b): (BTreeSet<_>, BTreeSet<_>) =
        (words(a).into_iter().collect(), words(b).into_iter().collect());
    let both = words_a.intersection(&words_b).count();
    let all = words_a.len() + words_b.len() - both;
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let shared = if all == 0 { 0.0 } else { both as f64 / all as f64 };
    letters.max(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_every_case_style() {
        for (name, expected) in [
            ("RpcExtensionUIRequest", "rpc extension ui request"),
            ("session/set_model", "session set model"),
            ("JSONRPCInMessage", "jsonrpc in message"),
            ("cacheWriteInputTokens", "cache write input tokens"),
            ("v2Thread", "v2 thread"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn likeness_is_high_for_one_name_written_twice_and_low_for_strangers() {
        assert!(likeness("_meta", "meta") >= 1.0);
        assert!(likeness("entryId", "entry_id") >= 1.0);
        assert!(likeness("canceled", "cancelled") > 0.8);
        assert!(likeness("RpcHookUIRequest", "RpcExtensionUIRequest") >= 0.6);
        assert!(likeness("attachments", "images") < 0.5);
        assert!(likeness("stop", "interface") < 0.5);
    }
}
