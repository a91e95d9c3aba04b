//! The floor that a scan is measured against: only listing, or only reading and parsing, what the scan read.
//!
//! `list` lists and reads the files of all versions of an agent's repository as the scan does, and prints what it read, so
//! that `scripts/bench-scan` can let `git` read the same. `parse` reads the blobs that a cold scan has kept facts of, and
//! parses each with the grammar of its language, and does nothing with the trees.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use agent_contracts_config::Agents;
use agent_contracts_config::agent::SourceKind;
use agent_contracts_config::scheme::{Reading, Scheme};
use agent_contracts_scanner::Scope;
use agent_contracts_scanner::source::git::GitRepo;
use anyhow::Context as _;
use clap::{Parser, Subcommand};
use rayon::prelude::*;
use serde_json::json;

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Lists and reads the protocol files of every version.
    List {
        /// A bare clone.
        #[arg(long)]
        repo: PathBuf,
        #[arg(long)]
        agent: String,
        #[arg(long)]
        agents: Option<PathBuf>,
        #[arg(long, default_value_t = 0)]
        threads: usize,
    },
    /// Reads and parses the blobs that a cold scan parsed.
    Parse {
        /// A bare clone.
        #[arg(long)]
        repo: PathBuf,
        /// The memo of a cold scan.
        #[arg(long)]
        facts: PathBuf,
        #[arg(long, default_value_t = 0)]
        threads: usize,
    },
}

fn main() -> anyhow::Result<()> {
    let (threads, said) = match Args::parse().part {
        Part::List {
            repo,
            agent,
            agents,
            threads,
        } => (
            threads,
            pool(threads)?.install(|| list(&repo, &agent, agents.as_deref()))?,
        ),
        Part::Parse { repo, facts, threads } => (threads, pool(threads)?.install(|| parse(&repo, &facts))?),
    };
    let mut said = said;
    said["threads"] = json!(threads);
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &said)?;
    Ok(())
}

fn pool(threads: usize) -> anyhow::Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn list(path: &Path, agent: &str, agents: Option<&Path>) -> anyhow::Result<serde_json::Value> {
    let agents = Agents::load(agents)?;
    let agent = agents.get(agent)?;
    let repo = GitRepo::open(path, "the clone")?;
    let all = repo.tags()?;
    let sources = agent.sources.iter().filter(|source| source.kind == SourceKind::Git);
    let first = sources.clone().next().context("the agent has no repository")?;
    let sources: Vec<_> = sources.filter(|source| source.location == first.location).collect();
    let mut tags: BTreeSet<&str> = BTreeSet::new();
    let mut globs: BTreeSet<&String> = BTreeSet::new();
    for source in &sources {
        let scheme = Scheme::of_source(&agent.version, source);
        let ours = all
            .tags
            .iter()
            .filter(|tag| matches!(scheme.read_tag(&tag.name), Reading::Release(_)));
        tags.extend(ours.map(|tag| tag.commit.as_str()));
        globs.extend(source.eras.iter().flat_map(|era| &era.scope));
    }
    let scope = Scope::new(&globs.iter().collect::<Vec<_>>())?;
    let seen: Mutex<BTreeSet<String>> = Mutex::default();
    let bytes: usize = tags
        .par_iter()
        .map(|commit| {
            let Ok(opened) = repo.at(commit) else { return 0 };
            let mut bytes = 0;
            for path in opened.tree.list(Some(&scope)).paths {
                let Ok(id) = opened.tree.content_id(&path) else {
                    continue;
                };
                let new = seen.lock().is_ok_and(|mut seen| seen.insert(id.0));
                if new {
                    bytes += opened.tree.read(&path).map_or(0, |text| text.len());
                }
            }
            bytes
        })
        .sum();
    let blobs: Vec<String> = seen
        .into_inner()
        .unwrap_or_default()
        .into_iter()
        .filter_map(|id| id.split_once(':').map(|(_, hex)| hex.to_owned()))
        .collect();
    // The folders that the globs start from: `git` is let off with as little as it can be told.
    let folders: BTreeSet<&str> = globs
        .iter()
        .map(|glob| {
            let plain = glob.find(['*', '{', '[', '?']).map_or(glob.as_str(), |at| &glob[..at]);
            if plain.len() == glob.len() {
                plain
            } else {
                plain.rsplit_once('/').map_or("", |(folder, _)| folder)
            }
        })
        .collect();
    Ok(json!({ "tags": tags, "folders": folders, "blobs": blobs, "bytes": bytes }))
}

fn parse(path: &Path, facts: &Path) -> anyhow::Result<serde_json::Value> {
    let disk = rusqlite::Connection::open_with_flags(facts, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut rows = disk.prepare("SELECT key FROM facts")?;
    let keys: Vec<String> = rows.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let repo = gix::open(path)?.into_sync();
    let parsed: Vec<usize> = keys
        .par_iter()
        .map_init(
            || {
                let mut repo = repo.to_thread_local();
                repo.object_cache_size_if_unset(16 << 20);
                repo
            },
            |repo, key| one(repo, key).unwrap_or(0),
        )
        .collect();
    let bytes: usize = parsed.iter().sum();
    anyhow::ensure!(
        parsed.iter().all(|bytes| *bytes > 0),
        "a blob of the scan was not parsed"
    );
    Ok(json!({ "blobs": keys.len(), "bytes": bytes }))
}

/// Reads and parses one blob; its size.
fn one(repo: &gix::Repository, key: &str) -> anyhow::Result<usize> {
    let mut parts = key.split('\n');
    let (language, kind) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let hex = parts
        .next()
        .and_then(|id| id.split_once(':'))
        .map(|(_, hex)| hex)
        .context("no id")?;
    let blob = repo.find_object(gix::ObjectId::from_hex(hex.as_bytes())?)?;
    let grammar = match language {
        "json_schema" => {
            let value: serde_json::Value = serde_json::from_slice(&blob.data)?;
            return Ok(if value.is_null() { 1 } else { blob.data.len() });
        }
        "typescript" if kind.ends_with("tsx") => tree_sitter_typescript::LANGUAGE_TSX,
        "typescript" => tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        "rust" => tree_sitter_rust::LANGUAGE,
        "go" => tree_sitter_go::LANGUAGE,
        "python" => tree_sitter_python::LANGUAGE,
        other => anyhow::bail!("no grammar for {other}"),
    };
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&grammar.into())?;
    let tree = parser.parse(&blob.data, None).context("not parsed")?;
    Ok(blob.data.len().max(tree.root_node().end_byte()).max(1))
}
