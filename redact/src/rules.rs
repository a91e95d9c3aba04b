//! The rules of `rules.toml`, and what is done with them.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

/// All rules, compiled.
#[derive(Debug)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// One rule, compiled.
#[derive(Debug)]
pub struct Rule {
    /// kebab-case; part of what users see.
    pub id: String,
    /// What it finds, for people.
    pub about: String,
    pattern: Regex,
    allow: Vec<Regex>,
    instead: String,
    hits: Vec<String>,
    misses: Vec<String>,
}

/// Something that must not be published. Says where it is and never what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The rule.
    pub rule: String,
    /// What that rule finds, for people.
    pub about: String,
    /// Line in the text, from 1.
    pub line: usize,
    /// Bytes of the text that must not be seen.
    pub range: Range<usize>,
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in line {} (rule {})", self.about, self.line, self.rule)
    }
}

/// A rule that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// The file is not in its format.
    #[error("redact/rules.toml cannot be read: {0}")]
    File(#[from] toml::de::Error),
    /// An expression does not compile.
    #[error("rule `{rule}` of redact/rules.toml does not compile")]
    Pattern {
        /// The rule.
        rule: String,
        /// Why.
        source: regex::Error,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    about: String,
    pattern: String,
    #[serde(default)]
    allow: Vec<String>,
    instead: String,
    hits: Vec<String>,
    misses: Vec<String>,
}

impl Rules {
    /// The rules that come with the program.
    pub fn builtin() -> Result<Self, RuleError> {
        Self::read(include_str!("../rules.toml"))
    }

    fn read(text: &str) -> Result<Self, RuleError> {
        let file: File = toml::from_str(text)?;
        let rules = file.rule.into_iter().map(compile).collect::<Result<_, _>>()?;
        Ok(Self { rules })
    }

    /// The rules, in the order of their file.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// Everything in `text` that must not be published, in the order of the text.
    #[must_use]
    pub fn scan(&self, text: &str) -> Vec<Hit> {
        let found = self
            .rules
            .iter()
            .flat_map(|rule| rule.find(text).into_iter().map(move |range| (range, rule)));
        let mut found: Vec<(Range<usize>, &Rule)> = found.collect();
        found.sort_by(|(a, one), (b, other)| (a.start, a.end, &one.id).cmp(&(b.start, b.end, &other.id)));
        let (mut line, mut counted) = (1, 0);
        let hits = found.into_iter().map(|(range, rule)| {
            line += text[counted..range.start].matches('\n').count();
            counted = range.start;
            Hit {
                rule: rule.id.clone(),
                about: rule.about.clone(),
                line,
                range,
            }
        });
        hits.collect()
    }

    /// `text` with a placeholder for everything that must not be published.
    #[must_use]
    pub fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut masked = Cow::Borrowed(text);
        for rule in &self.rules {
            // From the end, so that the places before stay where they are.
            for range in rule.find(&masked).into_iter().rev() {
                masked.to_mut().replace_range(range, &rule.instead);
            }
        }
        masked
    }

    /// Masks every string and every key inside `value`. Says whether anything was masked.
    pub fn mask_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.mask_string(text),
            Value::Array(items) => {
                let mut any = false;
                for item in items {
                    any |= self.mask_value(item);
                }
                any
            }
            Value::Object(members) => {
                let mut any = false;
                for (mut key, mut member) in std::mem::take(members) {
                    any |= self.mask_string(&mut key);
                    any |= self.mask_value(&mut member);
                    members.insert(key, member);
                }
                any
            }
            _ => false,
        }
    }

    /// Masks `text` in place. Says whether anything was masked.
    pub fn mask_string(&self, text: &mut String) -> bool {
        match self.mask(text) {
            Cow::Borrowed(_) => false,
            Cow::Owned(masked) => {
                *text = masked;
                true
            }
        }
    }
}

impl Rule {
    /// The parts of `text` that must not be seen, in the order of the text; they do not overlap.
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        self.pattern
            .captures_iter(text)
            .filter_map(|found| found.name("hide").or_else(|| found.get(0)))
            .filter(|part| !self.allow.iter().any(|allow| allow.is_match(part.as_str())))
            .map(|part| part.range())
            .collect()
    }

    /// Texts in which it must find something.
    #[must_use]
    pub fn hits(&self) -> Vec<String> {
        self.hits.iter().map(|text| spelled_out(text)).collect()
    }

    /// Texts in which it must find nothing.
    #[must_use]
    pub fn misses(&self) -> Vec<String> {
        self.misses.iter().map(|text| spelled_out(text)).collect()
    }
}

fn compile(entry: Entry) -> Result<Rule, RuleError> {
    let build = |pattern: &str| {
        Regex::new(pattern).map_err(|source| RuleError::Pattern {
            rule: entry.id.clone(),
            source,
        })
    };
    let pattern = build(&entry.pattern)?;
    let allow = entry
        .allow
        .iter()
        .map(|pattern| build(&format!("^(?:{pattern})$")))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Rule {
        id: entry.id,
        about: entry.about,
        pattern,
        allow,
        instead: entry.instead,
        hits: entry.hits,
        misses: entry.misses,
    })
}

/// `{ab*3}` as `ababab`. Examples are kept folded, so that they are no secrets to other scanners.
fn spelled_out(example: &str) -> String {
    let mut text = String::new();
    let mut rest = example;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let folded = after.split_once('}').and_then(|(inside, tail)| {
            let (unit, times) = inside.rsplit_once('*')?;
            Some((unit.repeat(times.parse().ok()?), tail))
        });
        if let Some((unit, tail)) = folded {
            text.push_str(&unit);
            rest = tail;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn every_rule_finds_its_hits_and_no_rule_finds_a_miss() {
        let rules = Rules::builtin().unwrap();
        for rule in rules.iter() {
            assert!(
                !rule.hits.is_empty() && !rule.misses.is_empty(),
                "{} has no examples",
                rule.id
            );
            for text in rule.hits() {
                assert!(!rule.find(&text).is_empty(), "{} misses {text:?}", rule.id);
                let masked = rules.mask(&text);
                assert_eq!(rules.scan(&masked), [], "{} leaves something in {masked:?}", rule.id);
                assert_eq!(rules.mask(&masked), masked, "masking twice changes more");
            }
            for text in rule.misses() {
                assert_eq!(rules.scan(&text), [], "a false alarm in {text:?}");
            }
        }
    }

    #[test]
    fn a_hit_says_where_and_never_what() {
        let rules = Rules::builtin().unwrap();
        let hits = rules.scan("first\nsecond /home/alice/x\n\n/home/alice");
        assert_eq!(hits.iter().map(|hit| hit.line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(
            hits[0].to_string(),
            "a path inside somebody's home folder in line 2 (rule home-path)"
        );
        assert!(!format!("{:?}", hits[0]).contains("alice"));
    }

    #[test]
    fn values_are_masked_in_keys_and_leaves_and_keep_their_structure() {
        let rules = Rules::builtin().unwrap();
        let mut value = serde_json::json!({"/home/alice": [1, {"to": "bob@corp-mail.io", "n": null}], "type": "x"});
        assert!(rules.mask_value(&mut value));
        assert_eq!(
            value,
            serde_json::json!({"<home>": [1, {"to": "<email>", "n": null}], "type": "x"})
        );
        assert!(!rules.mask_value(&mut value));
    }

    #[test]
    fn a_rule_that_does_not_compile_is_an_error() {
        let text = "[[rule]]\nid='x'\nabout='x'\npattern='('\ninstead=''\nhits=[]\nmisses=[]\n";
        assert_eq!(
            Rules::read(text).unwrap_err().to_string(),
            "rule `x` of redact/rules.toml does not compile"
        );
    }
}
