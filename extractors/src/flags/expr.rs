//! Expressions of any of the languages, in one small form.
//!
//! Flag libraries are used by calls: a chain of methods on something, with literals, tables and names in it. All
//! languages that we read write them alike, so each is lowered to this form once and every reader asks the same
//! questions. What has no such form is [`Expr::Unknown`] with its text.

use std::ops::Range;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    /// A string.
    Text(String),
    /// A number, as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// `null`, `undefined`, `None`, `nil`.
    Null,
    /// A list, a tuple, a set.
    List(Vec<Expr>),
    /// An object, a dictionary, a struct literal with named fields.
    Table(Vec<Entry>),
    /// A literal of a named type, an enumeration (`enum`), a macro (`arg!`).
    Typed(String, Box<Expr>),
    /// A name, with its path where the language has one in the name itself (`a::b`).
    Name(String),
    /// Something with members, calls and indexes behind it.
    Chain(Box<Chain>),
    /// A function, by the bytes of its node.
    Function(Range<usize>),
    /// One of several: `a ? b : c`, `a || b`, `A | B`.
    Either(Vec<Expr>),
    /// Text made of pieces.
    Joined(Vec<Expr>),
    /// `...items`.
    Spread(Box<Expr>),
    /// Anything else, with its text.
    Unknown(String),
}

/// One member of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// Its key; `...` for a spread table.
    pub(crate) key: String,
    pub(crate) value: Expr,
    pub(crate) line: u32,
}

/// An expression and what is done with it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chain {
    pub(crate) base: Expr,
    pub(crate) steps: Vec<Step>,
}

/// One step of a chain.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// `.name`
    Member(String),
    /// `(…)`, with the line of its opening parenthesis.
    Call(Vec<Arg>, u32),
    /// `[…]`
    Index(Vec<Expr>),
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arg {
    /// Its name, where it is given by name.
    pub(crate) name: Option<String>,
    pub(crate) value: Expr,
}

/// A method call in a chain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MethodCall<'a> {
    pub(crate) name: &'a str,
    pub(crate) args: &'a [Arg],
    pub(crate) line: u32,
    /// How many steps of the chain stand before its name.
    pub(crate) at: usize,
}

impl Expr {
    /// The string it is.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The strings it is: one, or a list of nothing else.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        match self {
            Self::Text(text) => Some(vec![text.clone()]),
            Self::List(items) => items.iter().map(|item| item.text().map(str::to_owned)).collect(),
            _ => None,
        }
    }

    /// The truth value it is.
    pub(crate) fn bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A literal as text: what a default is told as. A list is its items, joined by commas.
    pub(crate) fn literal(&self) -> Option<String> {
        match self {
            Self::Text(text) | Self::Number(text) => Some(text.clone()),
            Self::Bool(value) => Some(value.to_string()),
            Self::List(items) => Some(items.iter().map(Self::literal).collect::<Option<Vec<_>>>()?.join(",")),
            _ => None,
        }
    }

    /// Literals of a list as text; `None` when it is no list, or an item is none.
    pub(crate) fn literals(&self) -> Option<Vec<String>> {
        match self {
            Self::List(items) => items.iter().map(Self::literal).collect(),
            _ => None,
        }
    }

    /// All words that stand in it literally, for the description of a flag.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Joined(parts) | Self::Either(parts) | Self::List(parts) => {
                parts.iter().map(Self::words).collect::<Vec<_>>().concat()
            }
            Self::Chain(chain) => {
                // `dedent("…")`, `"…".trim()`, `fmt.Sprintf("…", x)`
                let mut all = chain.base.words();
                for step in &chain.steps {
                    if let Step::Call(args, _) = step {
                        all.extend(args.first().map(|arg| arg.value.words()));
                    }
                }
                all
            }
            _ => String::new(),
        }
    }

    /// The member of a table. A later one of the same key wins.
    pub(crate) fn get(&self, key: &str) -> Option<&Expr> {
        match self {
            Self::Table(entries) => entries
                .iter()
                .rev()
                .find(|entry| entry.key == key)
                .map(|entry| &entry.value),
            Self::Typed(_, body) => body.get(key),
            _ => None,
        }
    }

    /// Its members, when it is a table.
    pub(crate) fn entries(&self) -> &[Entry] {
        match self {
            Self::Table(entries) => entries,
            Self::Typed(_, body) => body.entries(),
            _ => &[],
        }
    }

    /// The name it is, dotted members included: `program`, `argparse.SUPPRESS`.
    pub(crate) fn path(&self) -> Option<String> {
        match self {
            Self::Name(name) => Some(name.clone()),
            Self::Chain(chain) => {
                let mut path = chain.base.path()?;
                for step in &chain.steps {
                    let Step::Member(name) = step else { return None };
                    path.push('.');
                    path.push_str(name);
                }
                Some(path)
            }
            _ => None,
        }
    }

    /// The chain it is; a lone call of a name counts.
    pub(crate) fn chain(&self) -> Option<&Chain> {
        match self {
            Self::Chain(chain) => Some(chain),
            _ => None,
        }
    }
}

impl Chain {
    /// Its method calls, in order: `.name(…)`.
    pub(crate) fn calls(&self) -> Vec<MethodCall<'_>> {
        let pairs = self.steps.iter().zip(self.steps.iter().skip(1)).enumerate();
        pairs
            .filter_map(|(at, pair)| match pair {
                (Step::Member(name), Step::Call(args, line)) => Some(MethodCall {
                    name,
                    args,
                    line: *line,
                    at,
                }),
                _ => None,
            })
            .collect()
    }

    /// What is called first, with its path: `new Option("x")` is `Option`, `typer.Option(…)` is `typer.Option`.
    pub(crate) fn callee(&self) -> Option<(String, &[Arg], u32)> {
        let mut path = self.base.path()?;
        for step in &self.steps {
            match step {
                Step::Member(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Step::Call(args, line) => return Some((path, args, *line)),
                Step::Index(_) => return None,
            }
        }
        None
    }

    /// The same without its last steps.
    pub(crate) fn until(&self, steps: usize) -> Expr {
        if steps == 0 {
            self.base.clone()
        } else {
            Expr::Chain(Box::new(Self {
                base: self.base.clone(),
                steps: self.steps.iter().take(steps).cloned().collect(),
            }))
        }
    }
}

/// The positional argument at `index`.
pub(crate) fn positional(args: &[Arg], index: usize) -> Option<&Expr> {
    args.iter()
        .filter(|arg| arg.name.is_none())
        .nth(index)
        .map(|arg| &arg.value)
}

/// The argument given by name.
pub(crate) fn named<'a>(args: &'a [Arg], name: &str) -> Option<&'a Expr> {
    args.iter()
        .find(|arg| arg.name.as_deref() == Some(name))
        .map(|arg| &arg.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_tell_their_calls_and_paths() {
        let call = |text: &str| {
            Step::Call(
                vec![Arg {
                    name: None,
                    value: Expr::Text(text.into()),
                }],
                3,
            )
        };
        let chain = Chain {
            base: Expr::Name("a".into()),
            steps: vec![
                Step::Member("b".into()),
                call("x"),
                Step::Member("c".into()),
                Step::Index(vec![]),
                Step::Member("d".into()),
                call("y"),
            ],
        };
        let calls: Vec<_> = chain
            .calls()
            .iter()
            .map(|call| (call.name, call.line, call.at))
            .collect();
        assert_eq!(calls, [("b", 3, 0), ("d", 3, 4)]);
        assert_eq!(chain.callee().map(|(path, _, _)| path), Some("a.b".into()));
        assert_eq!(chain.until(1).path(), Some("a.b".into()));
        assert_eq!(chain.until(2).path(), None);
        assert_eq!(Expr::Chain(Box::new(chain)).words(), "xy");
    }

    #[test]
    fn literals_are_told_as_text() {
        let list = Expr::List(vec![Expr::Text("a".into()), Expr::Number("1".into()), Expr::Bool(true)]);
        assert_eq!(list.literal().as_deref(), Some("a,1,true"));
        assert_eq!(list.texts(), None);
        assert_eq!(Expr::Name("x".into()).literal(), None);
    }
}
