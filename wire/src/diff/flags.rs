//! Flags of two command lines: what an old call means now.
//!
//! Flags are paired by any spelling within their command. A flag that is accepted at a command is so wherever it is
//! declared: at the command itself, or above it and inherited. Moving it up is therefore no change. Of a flag that a
//! command in the scope takes from a declaration outside of it only the coming and going is told.

use std::collections::BTreeSet;

use serde_json::Value;

use super::names;
use super::told::Told;
use super::types::hidden;
use crate::model::{Flag, FlagValue, WireModel};
use crate::rules::{Facts, Fit};

/// How alike two long names must be to be one flag that was renamed, when no short form says so.
const LIKE_FLAG: f64 = 0.85;

/// The changes, and what could not be said.
pub(super) fn changed(old: &WireModel, new: &WireModel) -> (Vec<Told>, Vec<String>) {
    let mut told = Vec::new();
    let mut doubts = Vec::new();
    let mut gone: Vec<&Flag> = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for flag in &old.flags {
        match counterpart(flag, &new.flags) {
            Some(index) => {
                taken.insert(index);
                let other = &new.flags[index];
                if flag.in_scope || other.in_scope {
                    compare((flag, old), (other, new), &mut told);
                }
            }
            None if changed_beyond(flag, new) => {}
            None => match unread(flag, new, old) {
                Some(why) => doubts.push(format!("{} may stand in what could not be read: {why}", flag.name)),
                None => gone.push(flag),
            },
        }
    }
    let mut added: Vec<&Flag> = Vec::new();
    for (index, flag) in new.flags.iter().enumerate() {
        if taken.contains(&index) || counterpart(flag, &old.flags).is_some() || changed_beyond(flag, old) {
            continue;
        }
        match unread(flag, old, new) {
            Some(why) => doubts.push(format!("{} may stand in what could not be read: {why}", flag.name)),
            None => added.push(flag),
        }
    }
    renamed(&mut gone, &mut added, &mut told);
    for flag in gone {
        told.push(Told {
            before: shown(flag),
            ..about("flag_removed", flag, &flag.name)
        });
    }
    for flag in added {
        told.push(Told {
            after: shown(flag),
            ..about("flag_added", flag, &flag.name)
        });
    }
    (told, doubts)
}

/// Whether a flag from outside of the scope is missing in `other` because its declaration changed there: other flags of
/// the same file are still taken in.
fn changed_beyond(flag: &Flag, other: &WireModel) -> bool {
    let beside = |there: &&Flag| !there.in_scope && command(there) == command(flag);
    !flag.in_scope
        && other
            .flags
            .iter()
            .filter(beside)
            .any(|there| there.place.file == flag.place.file)
}

/// Why `model` may have a flag of `other` although it was not read: it stands in what could not be read or could not be
/// resolved. What `other` could not resolve either hides nothing.
fn unread(flag: &Flag, model: &WireModel, other: &WireModel) -> Option<String> {
    hidden(model, &flag.name, &flag.place.file).or_else(|| {
        let news = model
            .unresolved
            .iter()
            .filter(|here| !other.unresolved.iter().any(|there| there.what == here.what));
        let mut news = news.filter(|here| !flag.in_scope || here.place.file == flag.place.file);
        news.next()
            .map(|here| format!("{}:{}: {}", here.place.file, here.place.line, here.what))
    })
}

fn spellings(flag: &Flag) -> impl Iterator<Item = &str> {
    std::iter::once(flag.name.as_str()).chain(flag.aliases.iter().map(String::as_str))
}

/// `$0` is how some libraries call the program itself.
fn command(flag: &Flag) -> &str {
    flag.command.trim_start_matches("$0").trim()
}

/// Every path of the command of a flag.
fn paths(flag: &Flag) -> impl Iterator<Item = &str> {
    std::iter::once(command(flag)).chain(flag.command_aliases.iter().map(String::as_str))
}

/// Whether `flag` is accepted at `at`, by the name of its command or another one.
fn accepted_at(flag: &Flag, at: &str) -> bool {
    let below = |own: &str| own.is_empty() || at.strip_prefix(own).is_some_and(|rest| rest.starts_with(' '));
    paths(flag).any(|own| own == at || (flag.inherited && below(own)))
}

/// The flag of `others` that takes a call with `flag`: of the same command and name first.
fn counterpart(flag: &Flag, others: &[Flag]) -> Option<usize> {
    let at = command(flag);
    others
        .iter()
        .enumerate()
        .filter(|(_, other)| accepted_at(other, at) || accepted_at(flag, command(other)))
        .filter_map(|(index, other)| {
            let rank = if other.name == flag.name {
                0
            } else if spellings(other).any(|name| name == flag.name) {
                1
            } else if spellings(flag).any(|name| name == other.name) {
                2
            } else {
                return None;
            };
            Some(((command(other) != at, rank, index), index))
        })
        .min()
        .map(|(_, index)| index)
}

fn compare((old, before): (&Flag, &WireModel), (new, after): (&Flag, &WireModel), told: &mut Vec<Told>) {
    let accepts = |model: &WireModel, flag: &Flag, name: &str| {
        let taken = |at: &str| {
            let mut here = model.flags.iter().filter(|other| accepted_at(other, at));
            here.any(|other| spellings(other).any(|other| other == name))
        };
        paths(flag).any(taken)
    };
    for name in spellings(old) {
        if !accepts(after, old, name) {
            told.push(Told {
                before: name.into(),
                ..about("flag_removed", old, name)
            });
        }
    }
    for name in spellings(new) {
        // Two flags that became one are no new spellings.
        if !spellings(old).any(|other| other == name) && !accepts(before, new, name) {
            told.push(Told {
                after: name.into(),
                ..about("flag_added", new, name)
            });
        }
    }
    if old.value != new.value && old.value != FlagValue::Unknown && new.value != FlagValue::Unknown {
        let wider = matches!(
            (old.value, new.value),
            (FlagValue::One | FlagValue::Optional, FlagValue::Many) | (FlagValue::One, FlagValue::Optional)
        );
        let facts = Facts {
            fit: if wider { Fit::Widened } else { Fit::Apart },
            ..Facts::default()
        };
        let shown = |value: FlagValue| Value::from(takes(value));
        told.push(Told {
            before: shown(old.value),
            after: shown(new.value),
            facts,
            ..about("flag_type_changed", new, &new.name)
        });
    }
    choices(old, new, told);
    if old.default != new.default {
        let json = |default: &Option<String>| default.as_deref().map_or(Value::Null, Value::from);
        // A default that is no literal is unknown, not absent.
        let facts = Facts {
            told: old.default.is_none() || new.default.is_none(),
            ..Facts::default()
        };
        told.push(Told {
            before: json(&old.default),
            after: json(&new.default),
            facts,
            ..about("flag_default_changed", new, &new.name)
        });
    }
    let state = |flag: &Flag| match (flag.deprecated, flag.hidden) {
        (true, _) => "deprecated",
        (false, true) => "accepted, not shown",
        (false, false) => "shown",
    };
    if state(old) != state(new) {
        let facts = Facts {
            looser: !new.deprecated && (!new.hidden || old.deprecated),
            ..Facts::default()
        };
        told.push(Told {
            before: state(old).into(),
            after: state(new).into(),
            facts,
            ..about("flag_deprecated", new, &new.name)
        });
    }
}

fn choices(old: &Flag, new: &Flag, told: &mut Vec<Told>) {
    let (before, after): (BTreeSet<&String>, BTreeSet<&String>) =
        (old.choices.iter().collect(), new.choices.iter().collect());
    let list = |choices: &[String]| {
        if choices.is_empty() {
            Value::from("any value")
        } else {
            Value::from(choices)
        }
    };
    if before.is_empty() != after.is_empty() {
        let takes_values = old.value != FlagValue::Switch && new.value != FlagValue::Switch;
        let fit = if after.is_empty() { Fit::Widened } else { Fit::Narrowed };
        if takes_values {
            told.push(Told {
                before: list(&old.choices),
                after: list(&new.choices),
                facts: Facts {
                    fit,
                    ..Facts::default()
                },
                ..about("flag_type_changed", new, &new.name)
            });
        }
        return;
    }
    for choice in before.difference(&after) {
        let wire_name = Some((*choice).clone());
        told.push(Told {
            before: choice.as_str().into(),
            wire_name,
            ..about("flag_choice_removed", new, &new.name)
        });
    }
    for choice in after.difference(&before) {
        let wire_name = Some((*choice).clone());
        told.push(Told {
            after: choice.as_str().into(),
            wire_name,
            ..about("flag_choice_added", new, &new.name)
        });
    }
}

/// A flag that went and one that came are one when they share a short form, or their names are nearly the same.
fn renamed(gone: &mut Vec<&Flag>, added: &mut Vec<&Flag>, told: &mut Vec<Told>) {
    let mut ranked = Vec::new();
    for (i, old) in gone.iter().enumerate() {
        for (j, new) in added.iter().enumerate() {
            let same_place = command(old) == command(new) && old.value == new.value;
            let short = |flag: &Flag| -> BTreeSet<String> {
                flag.aliases
                    .iter()
                    .filter(|name| !name.starts_with("--"))
                    .cloned()
                    .collect()
            };
            let shares = short(old).intersection(&short(new)).next().is_some();
            let like = names::likeness(&old.name, &new.name);
            if same_place && (shares || like >= LIKE_FLAG) {
                ranked.push((like + f64::from(u8::from(shares)), i, j));
            }
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut used_old, mut used_new) = (BTreeSet::new(), BTreeSet::new());
    for (_, i, j) in ranked {
        if used_old.contains(&i) || used_new.contains(&j) {
            continue;
        }
        used_old.insert(i);
        used_new.insert(j);
        let name = format!("{} -> {}", gone[i].name, added[j].name);
        told.push(Told {
            before: gone[i].name.as_str().into(),
            after: added[j].name.as_str().into(),
            ..about("flag_renamed", added[j], &name)
        });
    }
    let mut index = 0..;
    gone.retain(|_| index.next().is_none_or(|i| !used_old.contains(&i)));
    let mut index = 0..;
    added.retain(|_| index.next().is_none_or(|j| !used_new.contains(&j)));
}

fn about(rule: &'static str, flag: &Flag, name: &str) -> Told {
    Told {
        rule,
        flag: Some(name.to_owned()),
        command: Some(command(flag).to_owned()),
        // Flags are what a host sends.
        direction: crate::Direction::Input,
        place: flag.place.clone(),
        ..Told::default()
    }
}

fn takes(value: FlagValue) -> &'static str {
    match value {
        FlagValue::Switch => "nothing",
        FlagValue::One => "one value",
        FlagValue::Optional => "a value or nothing",
        FlagValue::Many => "several values",
        FlagValue::Unknown => "unknown",
    }
}

fn shown(flag: &Flag) -> Value {
    let mut text = spellings(flag).collect::<Vec<_>>().join(", ");
    if !flag.choices.is_empty() {
        text.push(' ');
        text.push_str(&flag.choices.join("|"));
    } else if flag.value != FlagValue::Switch {
        text.extend([" (", takes(flag.value), ")"]);
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Place, Unresolved};
    use crate::notation::model;

    /// The rules that fire, with their flags; then the doubts.
    fn changes(old: &WireModel, new: &WireModel) -> Vec<String> {
        let (told, doubts) = changed(old, new);
        let told = told
            .iter()
            .map(|told| format!("{} {}", told.rule, told.flag.as_deref().unwrap_or_default()));
        told.chain(doubts).collect()
    }

    #[test]
    fn a_flag_beyond_the_scope_is_told_when_it_comes_or_goes() {
        let both = model("flag --model one\nflag --cd beyond\nflag --search beyond");
        assert_eq!(
            changes(&both, &model("flag --model one")),
            ["flag_removed --cd", "flag_removed --search"]
        );
        assert_eq!(
            changes(&model("flag --model one"), &both),
            ["flag_added --cd", "flag_added --search"]
        );
        // The declaration is still taken in; what changed inside it is for who scans it.
        let inside = model("flag --model one\nflag --cd one beyond\nflag --image one beyond");
        assert_eq!(changes(&both, &inside), Vec::<String>::new());
        // It moved into the scope.
        assert_eq!(
            changes(&model("flag --cd beyond"), &model("flag --cd one")),
            ["flag_type_changed --cd"]
        );
    }

    #[test]
    fn two_flags_that_become_one_are_still_accepted() {
        let (two, one) = (
            model("flag --json\nflag --experimental-json"),
            model("flag --json --experimental-json"),
        );
        assert_eq!(changes(&two, &one), Vec::<String>::new());
        assert_eq!(changes(&one, &two), Vec::<String>::new());
    }

    #[test]
    fn a_command_goes_by_any_of_its_names() {
        let (old, new) = (
            model("flag debug --full-auto"),
            model("flag sandbox|debug --full-auto\nflag sandbox|debug --log"),
        );
        assert_eq!(changes(&old, &new), ["flag_added --log"]);
        assert_eq!(changes(&new, &old), ["flag_removed --log"]);
        // Two programs in one scope may change places.
        let (one, other) = (model("flag x|a-x --y"), model("flag a-x --y"));
        assert_eq!(changes(&one, &other), Vec::<String>::new());
        assert_eq!(changes(&other, &one), Vec::<String>::new());
        assert_eq!(
            changes(&old, &model("flag sandbox --full-auto")),
            ["flag_removed --full-auto", "flag_added --full-auto"]
        );
    }

    #[test]
    fn what_only_one_side_could_not_resolve_is_a_doubt() {
        let unresolved = |text: &str| {
            let mut model = model(text);
            let file = model
                .flags
                .first()
                .map_or_else(String::new, |flag| flag.place.file.clone());
            model.unresolved.push(Unresolved {
                place: Place { file, line: 3 },
                what: "the flags of Shared".to_owned(),
            });
            model
        };
        let (old, new) = (model("flag --json\nflag --cd"), unresolved("flag --json"));
        let doubts = changes(&old, &new);
        assert!(
            doubts.len() == 1 && doubts[0].contains("--cd may stand in"),
            "{doubts:?}"
        );
        assert_eq!(changes(&new, &old), doubts);
        assert_eq!(
            changes(&unresolved("flag --json\nflag --cd"), &new),
            ["flag_removed --cd"]
        );
    }
}
