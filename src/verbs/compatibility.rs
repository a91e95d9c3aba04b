//! `compatibility`: how far an installed or given version is verified. Asks nobody but the binary itself.

use agent_contracts_config::agents_json::entry;
use agent_contracts_config::{AgentDef, Agents};
use agent_contracts_registry::compatibility::{Question, answer};
use agent_contracts_registry::records::{CompatibilityDto, CompatibilityList, Platform, SupportMatrix};
use agent_contracts_wire::formats::{AgentId, CliVersion, SchemaVersion, UtcTime};
use futures::{StreamExt as _, stream};

use crate::cli::{Common, CompatibilityArgs, Format};
use crate::context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

/// Binaries that are asked at once.
const AT_ONCE: usize = 8;

pub(crate) async fn run(common: &Common, args: &CompatibilityArgs) -> Outcome {
    if args.probe {
        // No shape can be seen without a capture, and nothing here makes one.
        output::note("note: a local probe cannot be run yet; the answer rests on the matrix alone");
    }
    let agents = match &args.agent {
        Some(id) => context::agent_alone(common, id.as_str())?,
        None => context::agents(common)?,
    };
    let matrix = context::store(common)?.matrix()?;
    let now = context::now()?;
    let asker = Asker {
        matrix: matrix.as_ref(),
        platform: args.platform.unwrap_or_else(here),
        now: now.clone(),
    };
    if let Some(id) = &args.agent {
        let agent = agents.get(id.as_str()).map_err(Failure::usage)?;
        let dto = asker.of(agent, args.version.as_ref()).await?;
        match common.format() {
            Format::Json => output::json(&dto)?,
            _ => output::text(&table(&[dto]))?,
        }
        return Ok(Exit::Done);
    }
    let all = of_all(&agents, &asker).await?;
    if common.format() == Format::Json {
        output::json(&CompatibilityList {
            schema_version: SchemaVersion,
            generated_at: matrix.map_or(now, |matrix| matrix.generated_at),
            agents: all,
        })?;
    } else {
        output::text(&table(&all))?;
    }
    Ok(Exit::Done)
}

async fn of_all(agents: &Agents, asker: &Asker<'_>) -> Result<Vec<CompatibilityDto>, Failure> {
    let captured = agents.iter().filter(|agent| agent.binary.is_some());
    let asked: Vec<_> = captured.map(|agent| asker.of(agent, None)).collect();
    let answers: Vec<Result<CompatibilityDto, Failure>> = stream::iter(asked).buffered(AT_ONCE).collect().await;
    answers.into_iter().collect()
}

struct Asker<'a> {
    matrix: Option<&'a SupportMatrix>,
    platform: Platform,
    now: UtcTime,
}

impl Asker<'_> {
    async fn of(&self, agent: &AgentDef, version: Option<&CliVersion>) -> Result<CompatibilityDto, Failure> {
        let installed = match version {
            Some(version) => Some(version.clone()),
            None => installed(agent).await,
        };
        let id: AgentId = agent.id.parse()?;
        let agent = entry(agent);
        let question = Question {
            agent: &agent,
            version: installed.as_ref(),
            platform: self.platform,
            probed: None,
            now: self.now.clone(),
        };
        Ok(answer(self.matrix, id, &question))
    }
}

/// What is installed; that nothing is, or that it cannot be told, is said on stderr.
async fn installed(agent: &AgentDef) -> Option<CliVersion> {
    match agent_contracts_watchers::installed(agent).await {
        Ok(Some(version)) => match version.parse() {
            Ok(version) => Some(version),
            Err(error) => {
                output::note(&format!("note: {}: {error}", agent.id));
                None
            }
        },
        Ok(None) => {
            let name = agent.binary.as_ref().map_or("", |binary| &binary.name);
            output::note(&format!("note: {}: `{name}` is not installed here", agent.id));
            None
        }
        Err(error) => {
            output::note(&format!("note: {}: {error}", agent.id));
            None
        }
    }
}

fn table(answers: &[CompatibilityDto]) -> String {
    let rows = answers.iter().map(|answer| {
        [
            answer.agent.to_string(),
            answer
                .installed_version
                .as_ref()
                .map_or_else(|| "-".to_owned(), ToString::to_string),
            answer.status.to_string(),
            answer.policy.allow_run.to_string(),
            answer.policy.user_action.to_string(),
        ]
    });
    output::table(["agent", "version", "status", "policy", "next action"], rows)
}

/// The platform that this runs on, in the words of records.
fn here() -> Platform {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("macos", "aarch64") => Platform::DarwinArm64,
        ("macos", "x86_64") => Platform::DarwinX64,
        ("linux", "x86_64") => Platform::LinuxX64,
        ("linux", "aarch64") => Platform::LinuxArm64,
        ("windows", "x86_64") => Platform::Win32X64,
        _ => Platform::Unknown,
    }
}
