//! The left column of one entry: `-m, --model <MODEL>`, with the forms of all libraries.
//!
//! Values are `<X>`, `[X]`, `[<X>]`, `=X`, `{a,b}`, `[a|b]`, words in capitals (argparse, click) and one word in small
//! letters before a gap (pflag). Two blanks end the column.

use agent_contracts_wire::model::FlagValue;

use crate::flags::draft::is_spelling;

/// What the left column says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) names: Vec<String>,
    pub(super) value: FlagValue,
    pub(super) choices: Vec<String>,
    /// Where the description begins, in letters from the beginning; `None` when there is none on this line.
    pub(super) rest: Option<usize>,
}

/// Types of pflag that take several values.
const LISTS: [&str; 12] = [
    "strings",
    "stringArray",
    "stringSlice",
    "ints",
    "intSlice",
    "uints",
    "bools",
    "durations",
    "stringToString",
    "stringToInt",
    "float64Slice",
    "ipSlice",
];

/// Reads a line that begins with a dash. `framed` is a line of columns; `plain_words` takes a last word in small letters
/// for a value.
pub(super) fn spec(text: &str, framed: bool, plain_words: bool) -> Option<Spec> {
    let letters: Vec<char> = text.chars().collect();
    let mut reader = Reader {
        letters: &letters,
        at: 0,
        framed,
        plain_words,
        spec: Spec {
            names: Vec::new(),
            value: FlagValue::Switch,
            choices: Vec::new(),
            rest: None,
        },
    };
    reader.read();
    let spec = reader.spec;
    (!spec.names.is_empty()).then_some(spec)
}

struct Reader<'t> {
    letters: &'t [char],
    at: usize,
    framed: bool,
    plain_words: bool,
    spec: Spec,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    /// How many blanks stand here.
    fn gap(&self) -> usize {
        let rest = self.letters.get(self.at..).unwrap_or_default();
        rest.iter().take_while(|letter| **letter == ' ').count()
    }

    fn read(&mut self) {
        while self.at < self.letters.len() {
            let gap = self.gap();
            let ahead = self.peek(gap);
            if ahead.is_none() {
                return;
            }
            let spelled = self.spelling_at(self.at + gap);
            if let Some((names, end)) = spelled {
                self.spec.names.extend(names);
                self.at = end;
                continue;
            }
            if self.spec.names.is_empty() {
                return;
            }
            // `, `, ` / `, `|` and `or` between two spellings.
            let separated = self.separator(gap);
            if let Some(next) = separated {
                self.at = next;
                continue;
            }
            let column = self.framed && gap >= 2 && self.metavar(self.at + gap);
            if (gap < 2 || column) && self.value(gap) {
                continue;
            }
            self.spec.rest = Some(self.at + gap);
            return;
        }
    }

    /// Where the next spelling begins, when a separator stands here.
    fn separator(&self, gap: usize) -> Option<usize> {
        let mut at = self.at + gap;
        match self.letters.get(at)? {
            ',' | '/' | '|' => at += 1,
            'o' if gap > 0 && self.letters.get(at + 1) == Some(&'r') && self.letters.get(at + 2) == Some(&' ') => {
                at += 2;
            }
            _ => return None,
        }
        while self.letters.get(at) == Some(&' ') {
            at += 1;
        }
        self.spelling_at(at).map(|_| at)
    }

    /// The spellings at a place, and where they end: `--x`, `--[no-]x`, `--x...`.
    fn spelling_at(&self, start: usize) -> Option<(Vec<String>, usize)> {
        let dashes = self
            .letters
            .get(start..)?
            .iter()
            .take_while(|letter| **letter == '-')
            .count();
        if !matches!(dashes, 1 | 2) {
            return None;
        }
        let mut at = start + dashes;
        let optional: String = self.letters.get(at..(at + 5).min(self.letters.len()))?.iter().collect();
        let negated = optional == "[no-]" || optional == "(no-)";
        if negated {
            at += 5;
        }
        let word: String = self
            .letters
            .get(at..)?
            .iter()
            .take_while(|letter| is_name(**letter))
            .collect();
        // `--verbose...` may be given again and again; `x:` and `x.` end a word.
        let trimmed = word.trim_end_matches(['.', ':']);
        let mut end = at + trimmed.chars().count();
        let dots = word.len() - trimmed.len();
        if dots == 3 {
            end += dots;
        }
        let dashes = "-".repeat(dashes);
        let mut names = vec![format!("{dashes}{trimmed}")];
        if negated {
            names.push(format!("{dashes}no-{trimmed}"));
        }
        let next = self.letters.get(end).copied();
        let ends = next.is_none_or(|next| " ,=[<|/:{)\t".contains(next) || next == ';');
        (ends && names.iter().all(|name| is_spelling(name))).then_some((names, end))
    }

    /// Whether a word of capitals or a list in brackets stands at a place.
    fn metavar(&self, at: usize) -> bool {
        match self.letters.get(at) {
            Some('<' | '{') => true,
            Some('[') => {
                let inner: String = self.letters[at + 1..]
                    .iter()
                    .take_while(|letter| **letter != ']')
                    .collect();
                !inner.contains(' ') && !inner.is_empty()
            }
            Some(_) => {
                let word = self.word(at);
                let after = self.letters.get(at + word.chars().count()..).unwrap_or_default();
                let next = after.get(1).copied().unwrap_or(' ');
                capitals(&word) && (next == ' ' || next == '[' || after.starts_with(&[' ', 'R', 'A', 'N', 'G', 'E']))
            }
            None => false,
        }
    }

    fn word(&self, at: usize) -> String {
        let rest = self.letters.get(at..).unwrap_or_default();
        let mut word: String = rest
            .iter()
            .take_while(|letter| **letter != ' ' && **letter != ',')
            .collect();
        // `string[="x"]`
        if let Some(at) = word.find("[=") {
            word.truncate(at);
        }
        word
    }

    /// Takes a value, if there is one. Told is whether anything was taken.
    fn value(&mut self, gap: usize) -> bool {
        let mut at = self.at + gap;
        let joined = self.letters.get(at) == Some(&'=');
        if joined {
            at += 1;
        }
        // `FILE…` and `X [X ...]`: what was there before takes more.
        let taken = self.spec.value;
        let Some(first) = self.letters.get(at).copied() else {
            return false;
        };
        let (inner, end) = match first {
            '<' => self.bracketed(at, '<', '>'),
            '[' => self.bracketed(at, '[', ']'),
            '{' => self.bracketed(at, '{', '}'),
            _ => (String::new(), at),
        };
        let dots = self
            .letters
            .get(end..end + 3)
            .is_some_and(|dots| dots == ['.', '.', '.']);
        match first {
            '<' | '{' if end > at => {
                self.choices(&inner, if first == '{' { ',' } else { '|' });
                // typer says that a switch is one.
                if self.framed && inner == "bool" {
                    self.at = end;
                    return true;
                }
                let second = taken == FlagValue::One && !self.again();
                let words = inner.contains(' ') && inner.to_uppercase() == inner;
                let many = dots || second || words || inner.ends_with("...");
                self.take(if many { FlagValue::Many } else { FlagValue::One });
            }
            '[' if end > at => {
                let body = inner.trim_start_matches('=').trim();
                if inner.contains("...") || dots {
                    self.take(FlagValue::Many);
                } else if taken == FlagValue::One && !joined && capitals(&inner) {
                    // `X [Y]`
                    self.take(FlagValue::Many);
                } else if body.contains('|') && !body.starts_with('<') && !inner.starts_with('=') {
                    self.choices(body, '|');
                    self.take(FlagValue::One);
                } else if note(&inner) || (taken != FlagValue::Switch && !inner.starts_with('=')) {
                    return false;
                } else {
                    self.take(FlagValue::Optional);
                }
            }
            _ => return self.bare(at, joined),
        }
        self.at = end + if dots { 3 } else { 0 };
        true
    }

    /// A value without brackets.
    fn bare(&mut self, at: usize, joined: bool) -> bool {
        let word = self.word(at);
        let end = at + word.chars().count();
        let after = self.letters.get(end..).unwrap_or_default();
        let blanks = after.iter().take_while(|letter| **letter == ' ').count();
        let optional = after.first() == Some(&'[');
        let last = blanks == after.len();
        if word.is_empty() || word.starts_with(['(', '[', '"', '\'', '#']) {
            return false;
        }
        if joined {
            self.take(FlagValue::One);
        } else if capitals(&word) {
            // A sentence may begin with such a word: `A flag`.
            let single = word.chars().count() == 1 && !self.framed && blanks == 1 && !after.contains(&',');
            if single && after.get(1).is_some_and(char::is_ascii_lowercase) {
                return false;
            }
            let second = word == "RANGE" && self.spec.value == FlagValue::One;
            let many = word.ends_with("...") || (self.spec.value == FlagValue::One && !second && !self.again());
            self.take(if many { FlagValue::Many } else { FlagValue::One });
        } else if self.spec.value == FlagValue::Switch
            && (blanks >= 2 || optional || (last && self.plain_words))
            && small(&word)
        {
            self.take(match word.as_str() {
                "count" => FlagValue::Switch,
                word if LISTS.contains(&word) => FlagValue::Many,
                _ => FlagValue::One,
            });
        } else {
            return false;
        }
        self.at = end;
        true
    }

    /// Whether the value is that of another spelling: `-m MODEL, --model MODEL`.
    fn again(&self) -> bool {
        let before: String = self.letters.get(..self.at).unwrap_or_default().iter().collect();
        let word = before.trim_end().rsplit([' ', ',', '|']).next().unwrap_or_default();
        word.starts_with('-')
    }

    fn take(&mut self, value: FlagValue) {
        self.spec.value = value;
    }

    /// What stands between two brackets, and where it ends; the end is the beginning when there is no second one.
    fn bracketed(&self, at: usize, open: char, close: char) -> (String, usize) {
        let mut depth = 0_usize;
        for (index, letter) in self.letters.iter().enumerate().skip(at) {
            if *letter == open {
                depth += 1;
            } else if *letter == close {
                depth -= 1;
                if depth == 0 {
                    let inner = self.letters.get(at + 1..index).unwrap_or_default().iter().collect();
                    return (inner, index + 1);
                }
            }
        }
        (String::new(), at)
    }

    fn choices(&mut self, inner: &str, by: char) {
        let items: Vec<String> = inner.split(by).map(|item| item.trim().to_owned()).collect();
        let plain =
            |item: &String| !item.is_empty() && !item.contains([' ', '.', '<']) && item.to_uppercase() != **item;
        let numbers = |item: &String| item.chars().all(|letter| letter.is_ascii_digit()) && !item.is_empty();
        let several = items.len() > 1 && items.iter().all(|item| plain(item) || numbers(item));
        let only = by == ',' && items.len() == 1 && items.iter().all(|item| !item.is_empty());
        if self.spec.choices.is_empty() && (several || only) {
            self.spec.choices = items;
        }
    }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || "-_.:+?@#".contains(letter)
}

/// `MODEL`, `KEY=VALUE`, `HOST:PORT`
fn capitals(word: &str) -> bool {
    let word = word.trim_end_matches("...");
    word.starts_with(|first: char| first.is_uppercase())
        && word
            .chars()
            .all(|letter| letter.is_uppercase() || letter.is_ascii_digit() || "_-=:./|+@%".contains(letter))
}

fn small(word: &str) -> bool {
    word.starts_with(|first: char| first.is_lowercase())
        && word
            .chars()
            .all(|letter| letter.is_alphanumeric() || "-_/:=|".contains(letter))
}

/// What a description begins with: `[boolean]`, `[default: x]`.
fn note(inner: &str) -> bool {
    let word = inner.split([':', ' ']).next().unwrap_or_default();
    [
        "boolean",
        "string",
        "number",
        "array",
        "count",
        "required",
        "deprecated",
        "default",
        "choices",
        "env",
        "aliases",
    ]
    .contains(&word)
        && (inner.contains(':') || inner == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, framed: bool, plain_words: bool) -> String {
        let Some(spec) = spec(text, framed, plain_words) else {
            return "none".to_owned();
        };
        let value = match spec.value {
            FlagValue::Switch => "",
            FlagValue::One => " one",
            FlagValue::Optional => " optional",
            FlagValue::Many => " many",
            FlagValue::Unknown => " unknown",
        };
        let choices = if spec.choices.is_empty() {
            String::new()
        } else {
            format!(" {{{}}}", spec.choices.join("|"))
        };
        let rest: String = spec.rest.map(|at| text.chars().skip(at).collect()).unwrap_or_default();
        format!("{}{value}{choices} / {rest}", spec.names.join(" "))
    }

    #[test]
    fn the_forms_of_the_libraries() {
        for (text, expected) in [
            // clap
            ("-m, --model <MODEL>", "-m --model one / "),
            ("-v, --verbose...  More", "-v --verbose / More"),
            ("--color [<WHEN>]  When", "--color optional / When"),
            ("--color[=<WHEN>]", "--color optional / "),
            ("--pair <A> <B>", "--pair many / "),
            ("--dir <DIR>...  Folders", "--dir many / Folders"),
            ("-c <key=value>  Set", "-c one / Set"),
            // commander
            ("-p, --port [port]  the port", "-p --port optional / the port"),
            ("--dirs <dirs...>  Folders", "--dirs many / Folders"),
            ("--ext [ext...]  x", "--ext many / x"),
            // yargs
            (
                "-m, --model, --mod  Model  [string]",
                "-m --model --mod / Model  [string]",
            ),
            ("--json  [boolean]", "--json / [boolean]"),
            // argparse
            ("-m MODEL, --model MODEL  The model", "-m --model one / The model"),
            ("--format {text,json}  x", "--format one {text|json} / x"),
            ("--pair A B  x", "--pair many / x"),
            ("--all X [X ...]  x", "--all many / x"),
            ("--some [X ...]  x", "--some many / x"),
            ("--opt [X]  x", "--opt optional / x"),
            ("--foo, --no-foo  x", "--foo --no-foo / x"),
            // click
            ("--shout / --no-shout  x", "--shout --no-shout / x"),
            ("--level [low|high]  x", "--level one {low|high} / x"),
            ("--count INTEGER RANGE  x  [1<=x<=5]", "--count one / x  [1<=x<=5]"),
            ("--point <FLOAT FLOAT>...  x", "--point many / x"),
            // by hand
            ("--mode=MODE  x", "--mode one / x"),
            ("-h|--help  x", "-h --help / x"),
            ("--[no-]color  x", "--color --no-color / x"),
            ("--json: print JSON", "--json / : print JSON"),
            ("--json print it", "--json / print it"),
            ("-l or --local  x", "-l --local / x"),
            ("--a  A flag", "--a / A flag"),
            ("--a A flag", "--a / A flag"),
            ("- item", "none"),
            ("--- x", "none"),
            ("-", "none"),
            ("--x(y)", "none"),
        ] {
            assert_eq!(shown(text, false, false), expected, "{text}");
        }
    }

    #[test]
    fn words_and_columns() {
        for (text, expected) in [
            ("-c, --cwd string   Current folder", "-c --cwd one / Current folder"),
            ("--dirs strings   Folders", "--dirs many / Folders"),
            ("--level count", "--level / "),
            ("--since string", "--since one / "),
            ("--log string[=\"info\"]   x", "--log optional / x"),
            ("--debug   Debug", "--debug / Debug"),
        ] {
            assert_eq!(shown(text, false, true), expected, "{text}");
        }
        for (text, expected) in [
            ("--model  -m      TEXT  The model", "--model -m one / The model"),
            ("--yolo  -y  --no-yolo    x", "--yolo -y --no-yolo / x"),
            ("--agent          [default|okabe]  x", "--agent one {default|okabe} / x"),
            ("--n              INTEGER RANGE [x>=1]  x", "--n one / [x>=1]  x"),
            ("--json           Print it", "--json / Print it"),
            ("--json           AI prints it", "--json / AI prints it"),
            ("--all  -a  <bool>  All", "--all -a / All"),
            ("--level  <low|high>  x", "--level one {low|high} / x"),
        ] {
            assert_eq!(shown(text, true, false), expected, "{text}");
        }
    }
}
