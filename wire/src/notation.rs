//! A terse notation for wire models in tests. One statement a line; a line that starts with no keyword goes on.
//!
//! ```text
//! type Name = { a: string, b?: number | null, c=: defaulted, d~"alias": any, ...Base, * }      also: output, input, both, experimental, outside,
//! type Kind = "a" | "b" | 1 | true                              inprocess, literal instead of type
//! type Rows = { method: "x", params: P } => Result | tag kind …
//! const NAME = "1.1"     flag [COMMAND[|ALIAS]] --name --alias -n one choices=a,b default=x hidden deprecated inherited
//! hides Name             files 3            degraded path
//! ```

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::finding::Direction;
use crate::model::{
    Arm, Constant, Degraded, Evidence, Field, Flag, FlagValue, Literal, Object, Place, Stability, Type, TypeDecl,
    Union, WireModel,
};

const KEYWORDS: [&str; 14] = [
    "type",
    "output",
    "input",
    "both",
    "experimental",
    "outside",
    "inprocess",
    "literal",
    "const",
    "flag",
    "hides",
    "files",
    "degraded",
    "in",
];

/// The model that `text` writes down. Panics on bad notation.
pub(crate) fn model(text: &str) -> WireModel {
    let mut statements: Vec<(u32, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let word = line.split_whitespace().next().unwrap_or("");
        match statements.last_mut() {
            Some((_, last)) if !KEYWORDS.contains(&word) => {
                last.push(' ');
                last.push_str(line);
            }
            _ if word.is_empty() => {}
            _ => statements.push((u32::try_from(index).unwrap() + 1, line.to_owned())),
        }
    }
    let mut model = WireModel {
        files: u32::from(!statements.is_empty()),
        ..WireModel::default()
    };
    let mut file = "a.ts".to_owned();
    for (line, statement) in statements {
        let place = Place {
            file: file.clone(),
            line,
        };
        let (keyword, rest) = statement.trim().split_once(' ').unwrap_or((statement.trim(), ""));
        match keyword {
            "in" => file = rest.trim().to_owned(),
            "files" => model.files = rest.trim().parse().unwrap(),
            "hides" | "degraded" => model.degraded.push(Degraded {
                file: if keyword == "hides" {
                    file.clone()
                } else {
                    rest.to_owned()
                },
                lines: (keyword == "hides").then_some((line, line)),
                why: "syntax error".to_owned(),
                hides: if keyword == "hides" {
                    vec![rest.trim().to_owned()]
                } else {
                    vec![]
                },
            }),
            "const" => {
                let (name, value) = rest.split_once('=').unwrap();
                let Type::Literal(value) = Parser::new(value).union() else {
                    panic!("{rest} is no constant")
                };
                model.constants.insert(
                    name.trim().to_owned(),
                    Constant {
                        value,
                        place,
                        in_scope: true,
                    },
                );
            }
            "flag" => model.flags.push(flag(rest, place)),
            _ => {
                let (name, body) = rest.split_once('=').unwrap();
                let name = name.trim().to_owned();
                let body = Parser::new(body).union();
                model.types.insert(name.clone(), decl(keyword, name, place, body));
            }
        }
    }
    model
}

fn decl(keyword: &str, name: String, place: Place, body: Type) -> TypeDecl {
    TypeDecl {
        name,
        place,
        in_scope: keyword != "outside",
        body,
        direction: match keyword {
            "output" => Some(Direction::Output),
            "input" => Some(Direction::Input),
            "both" => Some(Direction::Both),
            _ => None,
        },
        stability: if keyword == "experimental" {
            Stability::Experimental
        } else {
            Stability::Stable
        },
        evidence: match keyword {
            "inprocess" => Evidence::InProcess,
            "literal" => Evidence::Literal,
            _ => Evidence::Declared,
        },
    }
}

fn flag(text: &str, place: Place) -> Flag {
    let mut flag = Flag {
        name: String::new(),
        aliases: vec![],
        command: String::new(),
        command_aliases: Vec::new(),
        inherited: false,
        value: FlagValue::Switch,
        choices: vec![],
        default: None,
        hidden: false,
        deprecated: false,
        place,
        in_scope: true,
    };
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some(("choices", list)) => flag.choices = list.split(',').map(str::to_owned).collect(),
            Some(("default", value)) => flag.default = Some(value.to_owned()),
            _ => match word {
                "hidden" => flag.hidden = true,
                "deprecated" => flag.deprecated = true,
                "inherited" => flag.inherited = true,
                "beyond" => flag.in_scope = false,
                "one" => flag.value = FlagValue::One,
                "many" => flag.value = FlagValue::Many,
                "optional" => flag.value = FlagValue::Optional,
                "unknown" => flag.value = FlagValue::Unknown,
                _ if !word.starts_with('-') => {
                    let mut paths = word.split('|').map(str::to_owned);
                    flag.command = paths.next().unwrap_or_default();
                    flag.command_aliases = paths.collect();
                }
                _ if flag.name.is_empty() => flag.name = word.to_owned(),
                _ => flag.aliases.push(word.to_owned()),
            },
        }
    }
    flag
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
}

impl Parser {
    fn new(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if rest.starts_with("...") {
                3
            } else if rest.starts_with("=>") {
                2
            } else if first == '"' {
                rest[1..].find('"').unwrap() + 2
            } else if first.is_alphanumeric() || "_-$#".contains(first) {
                rest.find(|c: char| !c.is_alphanumeric() && !"_-$#@./".contains(c))
                    .unwrap_or(rest.len())
            } else {
                1
            };
            tokens.push(rest[..length].to_owned());
            rest = rest[length..].trim_start();
        }
        Self { tokens, at: 0 }
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn skip(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn union(&mut self) -> Type {
        let tag = self.skip("tag").then(|| self.next());
        let mut arms = Vec::new();
        let mut open = false;
        self.skip("|");
        loop {
            if self.skip("*") {
                open = true;
            } else {
                let stability = if self.skip("experimental") {
                    Stability::Experimental
                } else {
                    Stability::Stable
                };
                // `name: type` names an arm that the wire does not.
                let name = (self.tokens.get(self.at + 1).map(String::as_str) == Some("#")).then(|| {
                    let name = self.next();
                    self.next();
                    name
                });
                let ty = self.postfix();
                let result = self.skip("=>").then(|| self.postfix());
                arms.push(Arm {
                    name,
                    result,
                    stability,
                    ..Arm::of(ty)
                });
            }
            if !self.skip("|") {
                break;
            }
        }
        match arms.as_slice() {
            [only] if tag.is_none() && !open && only.result.is_none() => only.ty.clone(),
            _ => Type::Union(Union { arms, tag, open }),
        }
    }

    fn postfix(&mut self) -> Type {
        let mut ty = self.primary();
        while self.peek() == "[" {
            self.next();
            assert!(self.skip("]"), "`]` expected at {:?}", &self.tokens[self.at..]);
            ty = Type::Array(Box::new(ty));
        }
        ty
    }

    fn primary(&mut self) -> Type {
        let token = self.next();
        match token.as_str() {
            "string" => Type::String,
            "number" => Type::Number,
            "boolean" => Type::Boolean,
            "null" => Type::Null,
            "any" => Type::Any,
            "true" | "false" => Type::Literal(Literal::Boolean(token == "true")),
            "?" => Type::Unresolved(self.next()),
            "map" => {
                self.next();
                let value = self.union();
                self.next();
                Type::Map(Box::new(value))
            }
            "(" => {
                let inner = self.union();
                assert!(self.skip(")"), "`)` expected");
                inner
            }
            "[" => {
                let mut items = Vec::new();
                while !self.skip("]") {
                    items.push(self.union());
                    self.skip(",");
                }
                Type::Tuple(items)
            }
            "{" => self.object(),
            text if text.starts_with('"') => Type::literal(&text[1..text.len() - 1]),
            text if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                Type::Literal(Literal::Number(text.to_owned()))
            }
            "" => panic!("a type expected"),
            name => Type::Named(name.to_owned()),
        }
    }

    fn object(&mut self) -> Type {
        let mut object = Object {
            fields: BTreeMap::new(),
            parts: Vec::new(),
            open: false,
        };
        while !self.skip("}") {
            if self.skip("...") {
                object.parts.push(self.union());
            } else if self.skip("*") {
                object.open = true;
            } else {
                let stability = if self.skip("experimental") {
                    Stability::Experimental
                } else {
                    Stability::Stable
                };
                let name = self.next().trim_matches('"').to_owned();
                let required = !self.skip("?");
                let defaulted = self.skip("=");
                let mut accepts = Vec::new();
                while self.skip("~") {
                    accepts.push(self.next().trim_matches('"').to_owned());
                }
                assert!(self.skip(":"), "`:` expected behind {name}");
                let field = Field {
                    defaulted,
                    stability,
                    accepts,
                    ..Field::new(self.union(), required, 1)
                };
                object.fields.insert(name, field);
            }
            self.skip(",");
        }
        Type::Object(object)
    }
}
