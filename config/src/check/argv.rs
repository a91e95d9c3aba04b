//! Arguments refer only to what exists: inputs, options, capabilities, invocations.

use std::collections::BTreeSet;

use crate::agent::AgentDef;
use crate::argv::{self, INPUTS, LISTS, PROVIDER};
use crate::toml_file::{Doc, Problem, Step, at, nearest};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let mut known: BTreeSet<&str> = agent.options.keys().map(String::as_str).collect();
    known.extend(INPUTS.iter().chain(LISTS).map(|(name, _)| *name));
    let mut list = Checker { agent, doc, problems };

    for (name, option) in &agent.options {
        for (key, value) in option
            .default
            .iter()
            .map(|value| ("default", value))
            .chain(option.default_on.values().map(|value| ("default_on", value)))
        {
            list.value(&at!["options", name, key], name, value);
        }
    }
    let mut names = BTreeSet::new();
    for (i, invocation) in agent.invocations.iter().enumerate() {
        if !names.insert(invocation.name.as_str()) {
            list.push(
                &at!["invocations", i, "name"],
                format!("invocation `{}` stands here twice", invocation.name),
                None,
            );
        }
        for (j, part) in invocation.parts.iter().enumerate() {
            let when = |key: &str| at!["invocations", i, "parts", j, "when", key].to_vec();
            for (k, arg) in part.args.iter().enumerate() {
                let place = at!["invocations", i, "parts", j, "args", k];
                for name in argv::placeholders(arg) {
                    if !(known.contains(name) || name == "item" && part.each.is_some()) {
                        list.unknown(&place, "placeholder", name, known.iter().copied());
                    }
                }
            }
            if let Some(each) = &part.each
                && !LISTS.iter().any(|(name, _)| name == each)
            {
                list.unknown(
                    &at!["invocations", i, "parts", j, "each"],
                    "list",
                    each,
                    LISTS.iter().map(|(name, _)| *name),
                );
            }
            for name in part.when.set.iter().chain(&part.when.unset) {
                if !known.contains(name.as_str()) {
                    list.unknown(&when("set"), "input or option", name, known.iter().copied());
                }
            }
            for (name, values) in &part.when.equals {
                if !agent.options.contains_key(name) {
                    list.unknown(
                        &when("equals"),
                        "option",
                        name,
                        agent.options.keys().map(String::as_str),
                    );
                }
                for value in values {
                    list.value(&when("equals"), name, value);
                }
            }
            for name in part.when.capability.keys() {
                let capabilities = argv::capabilities(agent);
                if !capabilities.contains(name.as_str()) {
                    list.unknown(&when("capability"), "capability", name, capabilities.iter().copied());
                }
            }
        }
    }
    for (i, loopback) in agent.loopback.iter().enumerate() {
        for (k, name) in loopback.invocations.iter().enumerate() {
            if !names.contains(name.as_str()) {
                list.unknown(
                    &at!["loopback", i, "invocations", k],
                    "invocation",
                    name,
                    names.iter().copied(),
                );
            }
        }
        for (name, value) in &loopback.options {
            if agent.options.contains_key(name) {
                if argv::placeholders(value).is_empty() {
                    list.value(&at!["loopback", i, "options", name], name, value);
                }
            } else {
                list.unknown(
                    &at!["loopback", i, "options", name],
                    "option",
                    name,
                    agent.options.keys().map(String::as_str),
                );
            }
        }
        let files = loopback.files.iter().flat_map(|file| [&file.path, &file.contents]);
        for text in loopback
            .args
            .iter()
            .chain(loopback.env.values())
            .chain(loopback.options.values())
            .chain(files)
        {
            for name in argv::placeholders(text) {
                if !PROVIDER.iter().any(|(known, _)| *known == name) {
                    list.unknown(
                        &at!["loopback", i],
                        "placeholder",
                        name,
                        PROVIDER.iter().map(|(name, _)| *name),
                    );
                }
            }
        }
    }
}

struct Checker<'a> {
    agent: &'a AgentDef,
    doc: &'a Doc<'a>,
    problems: &'a mut Vec<Problem>,
}

impl Checker<'_> {
    fn push(&mut self, place: &[Step], what: String, help: Option<String>) {
        self.problems.push(self.doc.problem(place, what, help));
    }

    fn unknown<'k>(&mut self, place: &[Step], kind: &str, name: &str, known: impl Iterator<Item = &'k str> + Clone) {
        let all = known.clone().collect::<Vec<_>>().join(", ");
        let help = match nearest(name, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if all.is_empty() => format!("this file has no {kind}"),
            None => format!("known here: {all}"),
        };
        self.push(place, format!("unknown {kind} `{name}`"), Some(help));
    }

    /// An option that has a closed set of values takes one of them.
    fn value(&mut self, place: &[Step], option: &str, value: &str) {
        let Some(option_def) = self.agent.options.get(option) else {
            return;
        };
        if !option_def.values.is_empty() && !option_def.values.iter().any(|known| known == value) {
            let values = option_def.values.join(", ");
            self.push(
                place,
                format!("`{value}` is no value of the option `{option}`"),
                Some(format!("its values are: {values}")),
            );
        }
    }
}
