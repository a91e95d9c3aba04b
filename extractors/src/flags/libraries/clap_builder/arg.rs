//! One argument of clap's builder: `Arg::new("x").long("x").short('x')…`.

use std::collections::BTreeSet;

use agent_contracts_wire::model::{FlagValue, Place};

use crate::flags::draft::{Draft, says_deprecated};
use crate::flags::expr::{Expr, positional};
use crate::flags::libraries::clap_derive::{number, possible};

/// An argument while it is built.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "the facts of an argument")]
pub(super) struct ArgSpec {
    pub(super) id: String,
    pub(super) names: Vec<String>,
    pub(super) place: Place,
    /// Made by a version of clap in which an argument takes nothing unless it says so.
    pub(super) old: bool,
    pub(super) in_scope: bool,
    counted: Option<(usize, Option<usize>)>,
    action: Option<String>,
    choices: Vec<String>,
    default: Option<String>,
    /// Setters that were called with `true`.
    set: BTreeSet<String>,
    takes: bool,
    deprecated: bool,
    /// A name that could not be read.
    pub(super) unread: Option<String>,
}

impl ArgSpec {
    /// Applies one setter, whose first argument is given with its names resolved.
    pub(super) fn set(&mut self, method: &str, value: Option<&Expr>) {
        let text = || value.and_then(Expr::text).map(str::to_owned);
        let texts = || value.and_then(Expr::texts).unwrap_or_default();
        let yes = value.and_then(Expr::bool) != Some(false);
        match method {
            "long" => match text() {
                Some(name) => self.names.insert(0, format!("--{}", name.trim_start_matches("--"))),
                None => self.unread = Some(format!("the name of the flag of {}", self.id)),
            },
            "short" => self
                .names
                .extend(text().map(|name| format!("-{}", name.trim_start_matches('-')))),
            "alias" | "aliases" | "visible_alias" | "visible_aliases" => {
                self.names.extend(texts().iter().map(|name| format!("--{name}")));
            }
            "short_alias" | "short_aliases" | "visible_short_alias" | "visible_short_aliases" => {
                self.names.extend(texts().iter().map(|name| format!("-{name}")));
            }
            "value_parser" | "possible_values" => {
                self.takes = true;
                let list = match value {
                    Some(Expr::Chain(chain)) => match chain.callee() {
                        Some((name, args, _)) if name.contains("PossibleValues") => positional(args, 0).cloned(),
                        _ => None,
                    },
                    other => other.cloned(),
                };
                self.choices = list.and_then(|list| possible(&list)).unwrap_or_default();
            }
            "default_value" | "default_values" | "default_value_os" => {
                self.takes = true;
                self.default = value.and_then(Expr::literal);
            }
            "num_args" | "number_of_values" => {
                self.counted = match value {
                    Some(Expr::Number(text) | Expr::Unknown(text)) => number(text),
                    _ => None,
                };
            }
            "value_names" => {
                self.takes = true;
                let count = texts().len();
                if count > 1 && self.counted.is_none() {
                    self.counted = Some((count, Some(count)));
                }
            }
            "value_name" | "min_values" | "max_values" => self.takes = true,
            "action" => {
                let path = value.and_then(Expr::path).unwrap_or_default();
                self.action = Some(path.rsplit("::").next().unwrap_or_default().to_owned());
            }
            "help" | "long_help" | "about" => {
                self.deprecated |= value.is_some_and(|text| says_deprecated(&text.words()));
            }
            _ if yes => {
                self.set.insert(method.to_owned());
            }
            _ => {
                self.set.remove(method);
            }
        }
    }

    /// The flag; `None` for a positional argument.
    pub(super) fn flag(&self) -> Option<Draft> {
        if self.names.is_empty() {
            return None;
        }
        let mut flag = Draft::new(self.names.clone(), "", self.place.clone());
        flag.value = self.value();
        flag.choices.clone_from(&self.choices);
        flag.default.clone_from(&self.default);
        flag.inherited = self.set.contains("global");
        flag.hidden = self.set.contains("hide") || self.set.contains("hidden");
        flag.deprecated = self.deprecated;
        flag.in_scope = self.in_scope;
        Some(flag)
    }

    fn value(&self) -> FlagValue {
        let has = |names: &[&str]| names.iter().any(|name| self.set.contains(*name));
        let many =
            has(&["multiple", "multiple_values", "multiple_occurrences"]) || self.action.as_deref() == Some("Append");
        match self.action.as_deref() {
            Some("SetTrue" | "SetFalse" | "Count" | "Help" | "HelpShort" | "HelpLong" | "Version") => {
                return FlagValue::Switch;
            }
            Some("Append" | "Set") | None => {}
            Some(_) => return FlagValue::Unknown,
        }
        match self.counted {
            Some((_, Some(0))) => return FlagValue::Switch,
            Some((0, Some(1))) if !many => return FlagValue::Optional,
            Some((1, Some(1))) | None => {}
            Some(_) => return FlagValue::Many,
        }
        let takes =
            self.takes || has(&["takes_value", "use_value_delimiter", "require_equals"]) || self.counted.is_some();
        if self.old && !takes {
            return FlagValue::Switch;
        }
        if many { FlagValue::Many } else { FlagValue::One }
    }
}
