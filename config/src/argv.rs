//! Puts the arguments of an invocation together. Pure: the caller says what is known and wanted.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::agent::{Advertised, AgentDef, Invocation, When};

/// What a part may name besides the agent's own options, each with its meaning.
pub const INPUTS: &[(&str, &str)] = &[
    ("cwd", "the workspace, absolute"),
    ("prompt", "the prompt itself"),
    ("prompt_file", "a file that holds the prompt"),
    ("session", "the id of the session to continue"),
    ("new_session", "an id for a new session, made by the host"),
];

/// Lists that a part may name.
pub const LISTS: &[(&str, &str)] = &[
    ("dirs", "further directories that the agent may read, absolute"),
    ("images", "images to attach, absolute"),
    ("skills", "directories of skills, absolute"),
];

/// What the settings for the provider on loopback may name.
pub const PROVIDER: &[(&str, &str)] = &[
    ("base_url", "the provider's address, without a path for the dialect"),
    ("home", "the private home directory"),
    ("cwd", "the workspace, absolute"),
    ("model", "the scenario's model"),
    ("key", "a key that is worth nothing"),
];

/// What is known and wanted for one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// Values of inputs and options, by name.
    pub values: BTreeMap<String, String>,
    /// Items of lists, by name.
    pub lists: BTreeMap<String, Vec<String>>,
    /// What the help probe said, by capability; what is not here is unknown.
    pub capabilities: BTreeMap<String, Advertised>,
    /// The platform, as in `linux-x64`.
    pub platform: String,
}

/// Why no arguments could be put together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArgvError {
    /// A part that stands unconditionally needs something that was not given.
    #[error("{agent}, invocation `{invocation}`: `{name}` is needed and was not given")]
    NotGiven {
        /// The agent.
        agent: String,
        /// The invocation.
        invocation: String,
        /// The input, list or option.
        name: String,
    },
    /// An option was given a value that it does not have.
    #[error("{agent}: `{value}` is no value of the option `{option}`; its values are: {known}")]
    BadValue {
        /// The agent.
        agent: String,
        /// The option.
        option: String,
        /// What was given.
        value: String,
        /// What may be given.
        known: String,
    },
}

/// The arguments after the binary, in order.
pub fn argv(agent: &AgentDef, invocation: &Invocation, given: &Given) -> Result<Vec<String>, ArgvError> {
    let values = with_defaults(agent, given)?;
    let mut args = Vec::new();
    for part in &invocation.parts {
        if !holds(&part.when, &values, given) {
            continue;
        }
        let fill = |item: Option<&str>, args: &mut Vec<String>| {
            for arg in &part.args {
                if let Some(list) = whole(arg).and_then(|name| list_of(given, name)) {
                    args.extend(list.iter().cloned());
                    continue;
                }
                let filled = replace(arg, |name| match name {
                    "item" => item.map(str::to_owned),
                    _ => values.get(name).cloned(),
                });
                args.push(filled.map_err(|name| ArgvError::NotGiven {
                    agent: agent.id.clone(),
                    invocation: invocation.name.clone(),
                    name,
                })?);
            }
            Ok(())
        };
        match &part.each {
            None => fill(None, &mut args)?,
            Some(list) => {
                for item in given.lists.get(list).into_iter().flatten() {
                    fill(Some(item), &mut args)?;
                }
            }
        }
    }
    Ok(args)
}

/// What is given, and the defaults of the options that are not.
fn with_defaults(agent: &AgentDef, given: &Given) -> Result<BTreeMap<String, String>, ArgvError> {
    let mut values = given.values.clone();
    for (name, option) in &agent.options {
        let system = system(&given.platform);
        let default = option
            .default_on
            .get(&given.platform)
            .or_else(|| option.default_on.get(system))
            .or(option.default.as_ref());
        if let Some(default) = default {
            values.entry(name.clone()).or_insert_with(|| default.clone());
        }
        if let Some(value) = values.get(name)
            && !option.values.is_empty()
            && !option.values.contains(value)
        {
            return Err(ArgvError::BadValue {
                agent: agent.id.clone(),
                option: name.clone(),
                value: value.clone(),
                known: option.values.join(", "),
            });
        }
    }
    Ok(values)
}

fn holds(when: &When, values: &BTreeMap<String, String>, given: &Given) -> bool {
    let is_set =
        |name: &String| values.contains_key(name) || given.lists.get(name).is_some_and(|list| !list.is_empty());
    when.set.iter().all(is_set)
        && !when.unset.iter().any(is_set)
        && when
            .equals
            .iter()
            .all(|(name, wanted)| values.get(name).is_some_and(|value| wanted.contains(value)))
        && when
            .capability
            .iter()
            .all(|(name, wanted)| wanted.contains(&given.capabilities.get(name).copied().unwrap_or_default()))
        && (when.platform.is_empty()
            || when
                .platform
                .iter()
                .any(|it| *it == given.platform || it == system(&given.platform)))
        && when
            .resume
            .is_none_or(|resume| resume == values.contains_key("session"))
}

fn system(platform: &str) -> &str {
    platform.split('-').next().unwrap_or(platform)
}

fn list_of<'g>(given: &'g Given, name: &str) -> Option<&'g Vec<String>> {
    static EMPTY: Vec<String> = Vec::new();
    LISTS
        .iter()
        .any(|(list, _)| *list == name)
        .then(|| given.lists.get(name).unwrap_or(&EMPTY))
}

/// The name inside, when the text is one placeholder and nothing else.
fn whole(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    is_name(inner).then_some(inner)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// The names in `{…}`, in order. Braces around anything but lower-case letters and `_` are text.
#[must_use]
pub fn placeholders(text: &str) -> Vec<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|piece| piece.split_once('}'))
        .map(|(name, _)| name)
        .filter(|name| is_name(name))
        .collect()
}

/// Replaces each `{name}`; the error is the first name that has no value.
pub fn replace(text: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut pieces = text.split('{');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if let Some((name, rest)) = piece.split_once('}').filter(|(name, _)| is_name(name)) {
            out.push_str(&value(name).ok_or_else(|| name.to_owned())?);
            out.push_str(rest);
        } else {
            out.push('{');
            out.push_str(piece);
        }
    }
    Ok(out)
}

/// The capabilities that the help probe of an agent asks for.
#[must_use]
pub fn capabilities(agent: &AgentDef) -> BTreeSet<&str> {
    agent
        .help
        .iter()
        .flat_map(|help| help.capabilities.keys().chain(help.hidden.keys()))
        .map(String::as_str)
        .collect()
}
