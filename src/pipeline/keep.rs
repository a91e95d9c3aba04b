//! One scanned step into the tree: shape, evidence, report.

use agent_contracts_config::AgentDef;
use agent_contracts_registry::{Store, Writer, Written, places, publish};
use agent_contracts_reports::{StepReport, markdown};
use agent_contracts_scanner::ScanReport;
use agent_contracts_shapes::{Validity, derive};
use agent_contracts_source_evidence::{Scan, StepSide, build};
use agent_contracts_wire::{Diff, DiffOptions, Family};

/// What stands behind one step.
pub(crate) struct StepScan<'a> {
    pub(crate) agent: &'a AgentDef,
    pub(crate) family: &'a Family,
    /// Version, public name and commit of both sides.
    pub(crate) from: StepSide,
    pub(crate) to: StepSide,
    /// What was read, by public names.
    pub(crate) refs: Vec<String>,
    /// Where the comparison started.
    pub(crate) options: DiffOptions,
    pub(crate) report: ScanReport,
    pub(crate) now: &'a str,
}

/// A step that is in the tree now.
#[derive(Debug, Clone)]
pub(crate) struct KeptStep {
    pub(crate) report: StepReport,
    /// The Markdown report, relative to the tree.
    pub(crate) path: String,
    /// Whether this pass wrote it.
    pub(crate) new: bool,
}

impl KeptStep {
    /// A step that the tree had before this pass.
    pub(crate) fn known(agent: &str, report: StepReport) -> Self {
        let path = report_path(agent, &report);
        Self {
            report,
            path,
            new: false,
        }
    }
}

fn report_path(agent: &str, report: &StepReport) -> String {
    places::diff_report(
        agent,
        &report.from.version,
        &report.to.version,
        report.identity.as_deref().unwrap_or_default(),
    )
}

/// Writes one step. The same step again writes nothing.
pub(crate) fn keep(store: &Store, writer: &Writer<'_>, scan: StepScan<'_>) -> anyhow::Result<KeptStep> {
    let derived = derive(
        &scan.report.models.to,
        &scan.options,
        scan.family,
        Validity::SourceDerived,
    )?;
    let mut diff = diff_of(scan.report);
    publish::mask(store.rules(), &mut diff);
    let evidence = build(&Scan {
        agent: &scan.agent.id,
        family: scan.family,
        validity: Validity::SourceDerived,
        from: &scan.from,
        to: &scan.to,
        refs: &scan.refs,
        extractor: &made_by(),
        derived: &derived,
        diff: &diff,
        now: scan.now,
    })?;
    writer.put_shape(&derived.shape)?;
    let (evidence, put) = writer.put_evidence(&evidence)?;
    let new = put.written != Written::Same;
    let report = StepReport::of_evidence(&evidence, &scan.agent.name)
        .ok_or_else(|| anyhow::anyhow!("the record {} is about no step", put.path))?;
    let path = report_path(&scan.agent.id, &report);
    writer.put_text(&path, &markdown::step(&report))?;
    Ok(KeptStep { report, path, new })
}

/// What read the sources and compared them: another extractor, diff or rule makes another record of the same step.
fn made_by() -> String {
    let readers = agent_contracts_extractors::languages::fingerprint();
    agent_contracts_wire::canonical::sha256(format!("{readers}\n{}", agent_contracts_wire::diff::REVISION).as_bytes())
}

/// The comparison inside a scan's report.
pub(crate) fn diff_of(report: ScanReport) -> Diff {
    use agent_contracts_wire::model::{Degraded, Place, Unresolved};
    let unresolved = report.unresolved.into_iter();
    let degraded = report.degraded.into_iter();
    Diff {
        findings: report.findings,
        moves: report.moves,
        unresolved: unresolved
            .map(|one| Unresolved {
                place: Place {
                    file: one.file,
                    line: one.line,
                },
                what: one.what,
            })
            .collect(),
        degraded: degraded
            .map(|one| Degraded {
                file: one.file,
                lines: one.lines,
                why: one.why,
                hides: one.hides,
            })
            .collect(),
        doubts: report.doubts,
        verdict: report.verdict,
    }
}
