//! The sources of all agents: versions listed, steps picked, each step scanned and kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_config::agent::ScanSource;
use agent_contracts_registry::{EvidenceIndex, IndexStep, Store, StoreError};
use agent_contracts_reports::StepReport;
use agent_contracts_scanner::{AgentReport, ScanError, SourceVersion};
use agent_contracts_source_evidence::StepSide;
use agent_contracts_wire::{DiffOptions, Family};
use futures::StreamExt;

use super::keep::{KeptStep, StepScan, keep};
use super::pick::{Candidate, pick};
use super::progress::Bar;
use super::{Pass, Unreached};
use crate::context::Context;
use crate::failure::Failure;

/// Agents that are read side by side: enough to fill the network, few enough to bound memory.
const SIDE_BY_SIDE: usize = 6;

/// What one agent's sources gave.
#[derive(Default)]
struct Found {
    steps: Vec<Scanned>,
    /// Records of the newest step of sources that have nothing new.
    known: Vec<String>,
    waiting: Vec<(String, usize)>,
    unreached: Vec<Unreached>,
}

struct Scanned {
    from: SourceVersion,
    to: SourceVersion,
    report: AgentReport,
}

/// Scans what is new in the sources of `agents` and keeps it, agent by agent in their order.
pub(crate) async fn scan_all(
    context: &Context,
    store: &Store,
    agents: &[Arc<AgentDef>],
    now: &str,
    pass: &mut Pass,
) -> Result<(), Failure> {
    let index = store.evidence_index()?;
    let with_sources: Vec<&Arc<AgentDef>> = agents.iter().filter(|agent| !agent.sources.is_empty()).collect();
    let bar = Bar::new("scanning", with_sources.len());
    let index = &index;
    let mut found = futures::stream::iter(with_sources)
        .map(|agent| async move { (agent, of_agent(context, index, agent).await) })
        .buffered(SIDE_BY_SIDE);
    while let Some((agent, found)) = found.next().await {
        bar.step(&agent.id);
        for scanned in found.steps {
            let name = scanned.to.name.clone();
            match keep_step(store, agent, scanned, now) {
                Ok(kept) => pass.steps.push(kept),
                // A tree that cannot be written is nobody's source, and fails the next step as well.
                Err(error) if is_of_the_tree(&error) => return Err(error.into()),
                Err(error) => {
                    pass.unreached.push(Unreached {
                        agent: agent.id.clone(),
                        what: name,
                        why: format!("{error:#}"),
                    });
                }
            }
        }
        for record in found.known {
            if let Some(evidence) = store.read_json(&record)?
                && let Some(report) = StepReport::of_evidence(&evidence, &agent.name)
            {
                pass.steps.push(KeptStep::known(&agent.id, report));
            }
        }
        pass.waiting.extend(found.waiting);
        pass.unreached.extend(found.unreached);
    }
    bar.end();
    Ok(())
}

/// Whether the tree itself cannot be written: no room, no leave, or somebody else's lock.
fn is_of_the_tree(error: &anyhow::Error) -> bool {
    matches!(
        error.downcast_ref::<StoreError>(),
        Some(StoreError::Io { .. } | StoreError::Locked { .. })
    )
}

/// Reads, for each family of one agent, the first source that answers, and those that hold other types besides.
async fn of_agent(context: &Context, index: &EvidenceIndex, agent: &AgentDef) -> Found {
    let mut found = Found::default();
    let mut read: BTreeSet<&str> = BTreeSet::new();
    for source in &agent.sources {
        let families: BTreeSet<&str> = source.eras.iter().map(|era| era.family.as_str()).collect();
        if !source.besides && families.iter().all(|family| read.contains(family)) {
            continue;
        }
        match of_source(context, index, agent, source, &mut found).await {
            Ok(()) => read.extend(families),
            Err(error) => found.unreached.push(Unreached {
                agent: agent.id.clone(),
                what: source.label(),
                why: error.to_string(),
            }),
        }
    }
    found
}

async fn of_source(
    context: &Context,
    index: &EvidenceIndex,
    agent: &AgentDef,
    source: &ScanSource,
    found: &mut Found,
) -> Result<(), ScanError> {
    let versions = context.scanner.versions(agent, source, None).await?;
    let known: Vec<&IndexStep> = index
        .steps
        .iter()
        .filter(|step| step.agent == agent.id && is_of(&step.source, source))
        .collect();
    let candidates: Vec<Candidate> = versions
        .all()
        .iter()
        .map(|one| Candidate {
            version: one.version.clone(),
            prerelease: one.prerelease,
        })
        .collect();
    let picked = pick(
        &candidates,
        &known.iter().map(|step| step.to.clone()).collect(),
        context.settings.scan.prereleases,
        context.settings.scan.steps_per_agent as usize,
    );
    if picked.waiting > 0 {
        found.waiting.push((source.label(), picked.waiting));
    }
    if picked.steps.is_empty() {
        let order = |step: &&&IndexStep| versions.all().iter().position(|one| one.version == step.to);
        let newest = known.iter().max_by_key(order).map(|step| step.to.clone());
        found.known.extend(
            known
                .iter()
                .filter(|step| Some(&step.to) == newest.as_ref())
                .map(|step| step.record.clone()),
        );
    }
    for (from, to) in picked.steps {
        let (from, to) = (versions.get(&from)?.clone(), versions.get(&to)?.clone());
        match context.scanner.scan_agent(source, &from, &to, false).await {
            Ok(report) => found.steps.push(Scanned { from, to, report }),
            Err(error) => {
                found.unreached.push(Unreached {
                    agent: agent.id.clone(),
                    what: to.name.clone(),
                    why: error.to_string(),
                });
                // The steps behind it wait, so that the next pass begins here again.
                break;
            }
        }
    }
    Ok(())
}

/// Whether a version's public name (`npm:NAME@VERSION`) belongs to `source`, under one of its names.
fn is_of(version_name: &str, source: &ScanSource) -> bool {
    let label = source.label();
    let prefix = label.strip_suffix(&source.location).unwrap_or_default();
    source.earlier.iter().chain([&source.location]).any(|name| {
        version_name
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix(name.as_str()))
            .is_some_and(|rest| rest.starts_with('@'))
    })
}

fn keep_step(store: &Store, agent: &AgentDef, scanned: Scanned, now: &str) -> anyhow::Result<KeptStep> {
    let Scanned { from, to, report } = scanned;
    let family = Family::of(&report.family)
        .ok_or_else(|| anyhow::anyhow!("the agent's file names the family `{}`, which is none", report.family))?;
    let side = |version: &SourceVersion, side: &agent_contracts_scanner::Side| StepSide {
        version: version.version.clone(),
        source: version.name.clone(),
        commit: version.commit.clone(),
        files: side.files,
        types: u32::try_from(side.types).unwrap_or(u32::MAX),
    };
    let mut refs = vec![from.name.clone(), to.name.clone()];
    refs.extend(report.scope.iter().map(|glob| format!("{}#{glob}", to.name)));
    let old_scope = report.old_scope.iter().flatten();
    refs.extend(old_scope.map(|glob| format!("{}#{glob}", from.name)));
    let scan = StepScan {
        agent,
        family,
        from: side(&from, &report.report.from),
        to: side(&to, &report.report.to),
        refs,
        options: DiffOptions {
            roots: report.options.roots,
            directions: report.options.directions,
        },
        report: report.report,
        now,
    };
    keep(store, &store.lock()?, scan)
}
