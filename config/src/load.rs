//! Loads the agents: those that come with the program, and those of a user's directory.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::agent::AgentDef;
use crate::check;
use crate::embedded::EMBEDDED;
use crate::settings::Settings;
use crate::toml_file::{Problem, Problems, Required, StandIn, at, nearest, read};

/// The agents, by id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agents(BTreeMap<String, AgentDef>);

/// Why there are no agents.
#[derive(Debug, Error)]
pub enum LoadError {
    /// Files have mistakes. All of them are listed.
    #[error("{0}")]
    Problems(Problems),
    /// The file of settings could not be read.
    #[error("the settings {}: {source}; name a file that exists, or none", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The user's directory could not be read.
    #[error("the directory of agents {}: {source}; name one that exists with --agents", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// No agent has this id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no agent `{id}`{}; `agents list` names them all", suggestion.as_ref().map(|it| format!(", did you mean `{it}`?")).unwrap_or_default())]
pub struct UnknownAgent {
    /// What was asked for.
    pub id: String,
    /// The nearest id that there is.
    pub suggestion: Option<String>,
}

impl Agents {
    /// The agents that come with the program.
    pub fn embedded() -> Result<Self, LoadError> {
        Self::parse(
            EMBEDDED
                .iter()
                .map(|(stem, text)| (format!("agents/{stem}.toml"), (*text).to_owned())),
        )
    }

    /// The agents that come with the program and those of `directory`: every `*.toml` right in it.
    ///
    /// An id that stands twice is a mistake, also when one is the program's and the other the user's.
    pub fn load(directory: Option<&Path>) -> Result<Self, LoadError> {
        let Some(directory) = directory else {
            return Self::embedded();
        };
        let unreadable = |source| LoadError::Directory {
            path: directory.to_owned(),
            source,
        };
        let mut files: Vec<(String, String)> = EMBEDDED
            .iter()
            .map(|(stem, text)| (format!("agents/{stem}.toml"), (*text).to_owned()))
            .collect();
        let mut unread = Vec::new();
        let mut paths = Vec::new();
        for entry in fs::read_dir(directory).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                paths.push(path);
            }
        }
        paths.sort();
        for path in paths {
            let name = path.display().to_string();
            match fs::read_to_string(&path) {
                Ok(text) => files.push((name, text)),
                Err(error) => unread.push(Problem::whole(&name, format!("cannot be read: {error}"), None)),
            }
        }
        Self::parse_with(files, unread)
    }

    /// The agent of this id alone, when it comes with the program and no directory could hold another of its id; otherwise
    /// everything that [`Agents::load`] gives. For answers that must not wait for files that they do not need.
    pub fn load_only(directory: Option<&Path>, id: &str) -> Result<Self, LoadError> {
        match EMBEDDED.iter().find(|(stem, _)| *stem == id) {
            Some((stem, text)) if directory.is_none() => {
                Self::parse([(format!("agents/{stem}.toml"), (*text).to_owned())])
            }
            _ => Self::load(directory),
        }
    }

    /// Reads agents from texts, each with the name of its file. Pure.
    pub fn parse(files: impl IntoIterator<Item = (String, String)>) -> Result<Self, LoadError> {
        Self::parse_with(files, Vec::new())
    }

    fn parse_with(
        files: impl IntoIterator<Item = (String, String)>,
        mut problems: Vec<Problem>,
    ) -> Result<Self, LoadError> {
        let mut agents: BTreeMap<String, AgentDef> = BTreeMap::new();
        let mut first_file: BTreeMap<String, String> = BTreeMap::new();
        for (file, text) in files {
            let result = read::<AgentDef>(&file, &text, &required(&file));
            problems.extend(result.problems);
            let Some(agent) = result.value else { continue };
            check::all(&agent, &result.doc, &mut problems);
            if let Some(other) = first_file.get(&agent.id) {
                problems.push(result.doc.problem(
                    &at!["id"],
                    format!("the id `{}` is taken by {other}", agent.id),
                    Some("give this agent another id, and its file the same name".to_owned()),
                ));
                continue;
            }
            first_file.insert(agent.id.clone(), file);
            agents.insert(agent.id.clone(), agent);
        }
        match Problems::from_list(problems) {
            Some(problems) => Err(LoadError::Problems(problems)),
            None => Ok(Self(agents)),
        }
    }

    /// The agent of this id.
    pub fn get(&self, id: &str) -> Result<&AgentDef, UnknownAgent> {
        self.0.get(id).ok_or_else(|| UnknownAgent {
            id: id.to_owned(),
            suggestion: nearest(id, self.0.keys().map(String::as_str)).map(str::to_owned),
        })
    }

    /// All agents, by id.
    pub fn iter(&self) -> impl Iterator<Item = &AgentDef> {
        self.0.values()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// There are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Reads the bot's settings.
pub fn settings(path: &Path) -> Result<Settings, LoadError> {
    let text = fs::read_to_string(path).map_err(|source| LoadError::Settings {
        path: path.to_owned(),
        source,
    })?;
    Settings::parse(&path.display().to_string(), &text).map_err(LoadError::Problems)
}

/// What the top of each file must say.
fn required(file: &str) -> [Required; 3] {
    [
        Required {
            key: "id",
            stand_in: StandIn::Text(check::stem(file).to_owned()),
            help: "add `id = \"…\"`, the name of the file without `.toml`",
        },
        Required {
            key: "name",
            stand_in: StandIn::Text(String::new()),
            help: "add `name = \"…\"`, what people call it",
        },
        Required {
            key: "tier",
            stand_in: StandIn::Number,
            help: "add `tier = 2`, or 0 or 1 for what is captured",
        },
    ]
}
