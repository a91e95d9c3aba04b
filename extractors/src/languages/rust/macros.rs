//! Macros by example: a call and the rules of its macro give tokens.
//!
//! Matching is greedy, without going back, as rustc demands of macros that are not ambiguous. Fragments are taken by
//! shape: an `expr` is what stands before the next `,`, `;` or `=>`. Hygiene does not matter to declarations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::lex::{Kind, Token, after, close_groups, inside, lex, marks};
use super::{chunks, types};

/// How many tokens one call may expand to.
const MAX_TOKENS: usize = 400_000;
/// How deep groups and repetitions of a rule may nest.
const MAX_DEPTH: usize = 32;

/// The rules of a macro: what each takes, and what it gives.
#[derive(Debug)]
pub(super) struct Rules<'a>(Vec<Rule<'a>>);

type Rule<'a> = (Vec<Pattern<'a>>, Vec<Token<'a>>);

#[derive(Debug)]
enum Pattern<'a> {
    Token(Token<'a>),
    Group(&'static str, Vec<Pattern<'a>>),
    Variable(String, String),
    /// What repeats, what stands between, and whether it is `?`.
    Repeat(Vec<Pattern<'a>>, Vec<Token<'a>>, bool),
}

/// What a variable stands for.
#[derive(Debug, Clone)]
enum Bound<'t, 'a> {
    One(&'t [Token<'a>]),
    Many(Vec<Bound<'t, 'a>>),
}

type Bindings<'t, 'a> = BTreeMap<String, Bound<'t, 'a>>;

/// Reads the rules, given with their delimiters; `None` when they are none. Their tokens have no place.
pub(super) fn rules(text: &str) -> Option<Rules<'_>> {
    let mut tokens = lex(text);
    for token in &mut tokens {
        token.at = u32::MAX;
    }
    if tokens.first().is_none_or(|token| token.kind != Kind::Open) {
        return None;
    }
    let inner = inside(&tokens, 0);
    let (mut rules, mut at) = (Vec::new(), 0);
    while at < inner.len() {
        let behind = after(inner, at);
        if inner[at].kind != Kind::Open || !marks(inner, behind, "=>") {
            return None;
        }
        let body = behind + 2;
        rules.push((patterns(inside(inner, at), 0)?, inside(inner, body).to_vec()));
        at = after(inner, body);
        if inner.get(at).is_some_and(|token| token.is(";")) {
            at += 1;
        }
    }
    (!rules.is_empty()).then_some(Rules(rules))
}

fn patterns<'a>(tokens: &[Token<'a>], depth: usize) -> Option<Vec<Pattern<'a>>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        if token.is("$") && tokens.get(at + 1).is_some_and(|next| next.is("(")) {
            let inner = patterns(inside(tokens, at + 1), depth + 1)?;
            let (separator, kind, end) = repetition(tokens, after(tokens, at + 1))?;
            found.push(Pattern::Repeat(inner, separator, kind == "?"));
            at = end;
        } else if token.is("$") && tokens.get(at + 2).is_some_and(|next| next.is(":")) {
            found.push(Pattern::Variable(tokens[at + 1].name(), tokens.get(at + 3)?.name()));
            at += 4;
        } else if token.kind == Kind::Open {
            found.push(Pattern::Group(
                delimiter(token),
                patterns(inside(tokens, at), depth + 1)?,
            ));
            at = after(tokens, at);
        } else {
            found.push(Pattern::Token(token.clone()));
            at += 1;
        }
    }
    Some(found)
}

/// The separator and the kind of a repetition, and the index behind them.
fn repetition<'a>(tokens: &[Token<'a>], mut at: usize) -> Option<(Vec<Token<'a>>, String, usize)> {
    let start = at;
    while at < start + 4 {
        let token = tokens.get(at)?;
        if ["*", "+", "?"].iter().any(|kind| token.is(kind)) {
            return Some((tokens[start..at].to_vec(), token.text.to_string(), at + 1));
        }
        at += 1;
    }
    None
}

fn delimiter(token: &Token<'_>) -> &'static str {
    match token.text.as_ref() {
        "(" => "(",
        "[" => "[",
        _ => "{",
    }
}

impl<'a> Rules<'a> {
    /// Whether any rule could declare something, by itself or by what it hands on.
    pub(super) fn may_declare(&self) -> bool {
        let words = ["struct", "enum", "type", "mod", "impl", "!"];
        self.0.iter().any(|(pattern, body)| {
            hands_on(pattern) || body.iter().any(|token| words.iter().any(|word| token.is(word)))
        })
    }

    /// What a call with this input stands for; `None` when no rule matches or the budget is spent.
    pub(super) fn expand<'t>(&'t self, input: &'t [Token<'a>]) -> Option<Vec<Token<'a>>> {
        for (pattern, body) in &self.0 {
            let mut bound = Bindings::new();
            if take(pattern, input, 0, &mut bound) == Some(input.len()) {
                let mut out = Vec::new();
                transcribe(body, &bound, &mut out, 0)?;
                close_groups(&mut out);
                return Some(paste(out));
            }
        }
        None
    }
}

/// Matches `patterns` at `at`: the index behind what they take.
fn take<'t, 'a>(
    patterns: &'t [Pattern<'a>],
    input: &'t [Token<'a>],
    mut at: usize,
    bound: &mut Bindings<'t, 'a>,
) -> Option<usize> {
    for pattern in patterns {
        match pattern {
            Pattern::Token(wanted) => {
                let token = input.get(at)?;
                let same = token.text == wanted.text
                    && (token.kind == wanted.kind || !matches!(token.kind, Kind::Literal | Kind::Doc));
                if !same {
                    return None;
                }
                at += 1;
            }
            Pattern::Group(open, inner) => {
                if !input.get(at)?.is(open) {
                    return None;
                }
                let content = inside(input, at);
                if take(inner, content, 0, bound)? != content.len() {
                    return None;
                }
                at = after(input, at);
            }
            Pattern::Variable(name, fragment) => {
                let end = fragment_end(input, at, fragment)?;
                bound.insert(name.clone(), Bound::One(&input[at..end]));
                at = end;
            }
            Pattern::Repeat(inner, separator, once) => at = take_repeat(inner, separator, *once, input, at, bound),
        }
    }
    Some(at)
}

fn take_repeat<'t, 'a>(
    inner: &'t [Pattern<'a>],
    separator: &[Token<'a>],
    once: bool,
    input: &'t [Token<'a>],
    mut at: usize,
    bound: &mut Bindings<'t, 'a>,
) -> usize {
    let mut names = Vec::new();
    variables(inner, &mut names);
    let mut rounds: BTreeMap<String, Vec<Bound<'t, 'a>>> = names.into_iter().map(|name| (name, Vec::new())).collect();
    let mut count = 0;
    loop {
        let mut start = at;
        if count > 0 {
            if !separator
                .iter()
                .enumerate()
                .all(|(offset, mark)| input.get(at + offset).is_some_and(|token| token.text == mark.text))
            {
                break;
            }
            start += separator.len();
        }
        let mut round = Bindings::new();
        match take(inner, input, start, &mut round) {
            Some(end) if end > start => {
                at = end;
                count += 1;
                for (name, values) in &mut rounds {
                    values.extend(round.remove(name));
                }
            }
            _ => break,
        }
        if once {
            break;
        }
    }
    for (name, values) in rounds {
        bound.insert(name, Bound::Many(values));
    }
    at
}

/// Whether a rule takes whole items, or anything at all.
fn hands_on(patterns: &[Pattern<'_>]) -> bool {
    patterns.iter().any(|pattern| match pattern {
        Pattern::Token(_) => false,
        Pattern::Group(_, inner) | Pattern::Repeat(inner, ..) => hands_on(inner),
        Pattern::Variable(_, fragment) => fragment == "item" || fragment == "tt",
    })
}

fn variables(patterns: &[Pattern<'_>], names: &mut Vec<String>) {
    for pattern in patterns {
        match pattern {
            Pattern::Token(_) => {}
            Pattern::Group(_, inner) | Pattern::Repeat(inner, ..) => variables(inner, names),
            Pattern::Variable(name, _) => names.push(name.clone()),
        }
    }
}

/// The index behind a fragment; `None` when there is none.
fn fragment_end(input: &[Token<'_>], at: usize, fragment: &str) -> Option<usize> {
    let token = input.get(at);
    if fragment == "vis" {
        if !token.is_some_and(|token| token.is("pub")) {
            return Some(at);
        }
        let group = input.get(at + 1).is_some_and(|next| next.is("("));
        return Some(if group { after(input, at + 1) } else { at + 1 });
    }
    let token = token?;
    let until = |ends: &[&str]| {
        let mut end = at;
        while let Some(token) = input.get(end) {
            if ends.iter().any(|mark| token.is(mark)) || marks(input, end, "=>") {
                break;
            }
            end = after(input, end);
        }
        (end > at).then_some(end.min(input.len()))
    };
    match fragment {
        "ident" => (token.is_ident() && token.text != "_").then_some(at + 1),
        "lifetime" => (token.kind == Kind::Lifetime).then_some(at + 1),
        "literal" => {
            let start = if token.is("-") { at + 1 } else { at };
            let literal = input.get(start)?;
            let word = literal.is("true") || literal.is("false");
            (word || matches!(literal.kind, Kind::Literal | Kind::Doc)).then_some(start + 1)
        }
        "tt" => (token.kind != Kind::Close).then(|| after(input, at).min(input.len())),
        "block" => token.is("{").then(|| after(input, at)),
        "ty" | "path" => {
            let starts = token.is_ident()
                || token.kind == Kind::Lifetime
                || ["&", "(", "[", "<", ":", "!", "*", "$"]
                    .iter()
                    .any(|mark| token.is(mark));
            starts.then(|| types::parse(input, at).1.min(input.len()))
        }
        "meta" => {
            let path = types::parse(input, at).1;
            (path > at && token.is_ident()).then_some(())?;
            match input.get(path) {
                Some(next) if next.kind == Kind::Open => Some(after(input, path)),
                Some(next) if next.is("=") => until(&[",", ";"]),
                _ => Some(path),
            }
        }
        "item" => chunks::split(&input[at..]).first().map(|chunk| at + chunk.end),
        "stmt" => until(&[";"]),
        "pat" | "pat_param" => until(&[",", ";", "="]),
        _ => until(&[",", ";"]),
    }
}

/// Writes `body` with the variables replaced. `None` when the budget is spent or a repetition has nothing to count by.
fn transcribe<'a>(body: &[Token<'a>], bound: &Bindings<'_, 'a>, out: &mut Vec<Token<'a>>, depth: usize) -> Option<()> {
    let mut at = 0;
    if depth > MAX_DEPTH {
        return None;
    }
    while let Some(token) = body.get(at) {
        if out.len() > MAX_TOKENS {
            return None;
        }
        if !token.is("$") {
            out.push(token.clone());
            at += 1;
            continue;
        }
        let next = body.get(at + 1)?;
        if next.is("(") {
            let inner = inside(body, at + 1);
            let (separator, _, end) = repetition(body, after(body, at + 1))?;
            let here: Vec<(&String, &Bound<'_, 'a>)> = bound.iter().filter(|(name, _)| uses(inner, name)).collect();
            let lengths = here.iter().filter_map(|(_, bound)| match bound {
                Bound::Many(values) => Some(values.len()),
                Bound::One(_) => None,
            });
            for round in 0..lengths.min()? {
                if round > 0 {
                    out.extend(separator.iter().cloned());
                }
                let bound = here.iter().map(|&(name, bound)| match bound {
                    Bound::Many(values) => (name.clone(), values[round].clone()),
                    Bound::One(_) => (name.clone(), bound.clone()),
                });
                transcribe(inner, &bound.collect(), out, depth + 1)?;
            }
            at = end;
        } else {
            match bound.get(next.text.as_ref()) {
                Some(Bound::One(tokens)) => out.extend(tokens.iter().cloned()),
                // `$crate`, and variables of an inner macro.
                _ => out.push(next.clone()),
            }
            at += 2;
        }
    }
    Some(())
}

fn uses(body: &[Token<'_>], name: &str) -> bool {
    body.windows(2).any(|pair| pair[0].is("$") && pair[1].text == name)
}

/// Joins the names in `[< … >]` of the `paste` crate.
pub(super) fn paste(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    if !tokens.windows(2).any(|pair| pair[0].is("[") && pair[1].is("<")) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let inner = inside(&tokens, at);
        if tokens[at].is("[") && inner.len() > 2 && inner[0].is("<") && inner[inner.len() - 1].is(">") {
            let mut name = String::new();
            let mut words = inner[1..inner.len() - 1].iter().peekable();
            while let Some(word) = words.next() {
                let mut text = super::lex::string_value(word).unwrap_or_else(|| word.name());
                while words.next_if(|next| next.is(":")).is_some() {
                    text = modified(&text, words.next().map_or("", |word| word.text.as_ref()));
                }
                name.push_str(&text);
            }
            out.push(Token {
                kind: Kind::Ident,
                text: Cow::Owned(name),
                at: inner[1].at,
                skip: 0,
            });
            at = after(&tokens, at);
        } else {
            out.push(tokens[at].clone());
            at += 1;
        }
    }
    close_groups(&mut out);
    out
}

fn modified(text: &str, modifier: &str) -> String {
    use super::cases::Case;
    match modifier {
        "lower" | "snake" if !text.contains(char::is_lowercase) || modifier == "lower" => text.to_lowercase(),
        "upper" => text.to_uppercase(),
        "snake" => Case::Snake.variant(text),
        "camel" => Case::Pascal.field(text),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::super::lex::render;
    use super::*;

    fn expand(rules_text: &str, input: &str) -> Option<String> {
        let rules = rules(rules_text).unwrap();
        let input = lex(input);
        rules.expand(&input).map(|tokens| render(&tokens).0)
    }

    #[test]
    fn a_table_of_rows_gives_an_enum() {
        let rules = r"{
            ($($(#[$meta:meta])* $name:ident $(=> $wire:literal)? { params: $(#[$pm:meta])* $p:ty, $(skip: $s:tt,)? response: $r:ty, }),* $(,)?) => {
                pub enum All { $($(#[$meta])* $(#[serde(rename = $wire)])? $name { $(#[$pm])* params: $p },)* }
            };
        }";
        let input = r#"/// Doc
            A => "a/b" { params: x::P<Q, R>, response: (), },
            B { params: #[serde(default)] Option<()>, skip: true, response: S, },"#;
        assert_eq!(
            expand(rules, input).unwrap(),
            "pub enum All { # [ doc = \" Doc\" ] # [ serde ( rename = \"a/b\" ) ] A { params : x :: P < Q , R > } , \
             B { # [ serde ( default ) ] params : Option < ( ) > } , }"
        );
    }

    #[test]
    fn rules_are_tried_in_order_and_fragments_end_where_they_end() {
        for (rules, input, expected) in [
            ("{ (a) => { one }; ($x:ident) => { two $x } }", "a", Some("one")),
            ("{ (a) => { one }; ($x:ident) => { two $x } }", "b", Some("two b")),
            ("{ ($x:literal) => { $x } }", "b", None),
            (
                "{ ($a:expr, $b:expr) => { $b $a } }",
                "f(x, y) + 1, 2",
                Some("2 f ( x , y ) + 1"),
            ),
            (
                "{ ($v:vis $n:ident: $t:ty) => { $v $n $t } }",
                "pub(crate) a: &'static [u8; 4]",
                Some("pub ( crate ) a & 'static [ u8 ; 4 ]"),
            ),
            ("{ ($v:vis $n:ident) => { $v $n } }", "a", Some("a")),
            (
                "{ ($($k:ident = $v:expr),+) => { $($v => $k);+ } }",
                "a = 1, b = 2",
                Some("1 => a ; 2 => b"),
            ),
            (
                "{ ($($a:ident [$($b:ident)*])*) => { $($($a $b,)*)* } }",
                "x [y z] w []",
                Some("x y , x z ,"),
            ),
            (
                "{ ($i:item) => { $i } }",
                "struct A { b: C }",
                Some("struct A { b : C }"),
            ),
            ("{ ($($t:tt)*) => { $($t)* } }", "a (b) c", Some("a ( b ) c")),
            (
                "{ ($n:ident) => { struct [<$n Event>]; } }",
                "Foo",
                Some("struct FooEvent ;"),
            ),
        ] {
            assert_eq!(expand(rules, input).as_deref(), expected, "{rules} {input}");
        }
    }

    #[test]
    fn growth_and_nonsense_end() {
        assert!(rules("{ a b }").is_none() && rules("").is_none() && rules("{ ($(a => {} }").is_none());
        let wide = format!("{{ ($($a:tt)*) => {{ {} }} }}", "$($a)*".repeat(2000));
        let input = "x ".repeat(2000);
        assert_eq!(expand(&wide, &input), None);
    }
}
