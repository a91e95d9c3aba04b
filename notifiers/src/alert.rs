//! What is told: everything that is risky or worse in the steps to one version of one agent.

use agent_contracts_registry::AlertKind;
use agent_contracts_registry::outbox::fingerprint;
use agent_contracts_reports::{AgentLabel, StepReport};
use agent_contracts_source_evidence::{Counts, summary};
use agent_contracts_wire::{Finding, Severity};

/// Addresses that only the caller knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// Where the public tree can be read, with a slash at the end: `https://github.com/OWNER/NAME/blob/main/contracts/`.
    pub tree: Option<String>,
    /// The run that captured this version. None while a capture is only queued; never the run that found the risk, whose
    /// address is another one every time and would make each thread look edited.
    pub capture_run: Option<String>,
}

impl Links {
    /// The page of a file of the tree.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<String> {
        self.tree
            .as_ref()
            .map(|base| format!("{}/{path}", base.trim_end_matches('/')))
    }
}

/// One alert. An agent may be read in several families or from several sources; all steps to one version are one thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Alert {
    /// The agent.
    pub agent: AgentLabel,
    /// The newer version of every step.
    pub version: String,
    /// The steps with something risky or worse, each with the path of its report in the tree.
    pub steps: Vec<(StepReport, String)>,
}

/// A risky or breaking finding with its step.
pub(crate) type Risk<'a> = (&'a StepReport, &'a Finding);

/// Why there is no alert to write.
#[derive(Debug, thiserror::Error)]
pub enum AlertError {
    /// The card or the entry is no JSON.
    #[error("the alert for {agent} {version} cannot be written as JSON: {source}")]
    Json {
        /// The agent.
        agent: String,
        /// The version.
        version: String,
        /// Why.
        source: serde_json::Error,
    },
}

impl Alert {
    /// The alert of the steps to one version, each with the path of its report. Steps of other agents or versions than
    /// the first are not for this thread and are left out. `None` when nothing is risky.
    #[must_use]
    pub fn of_steps(steps: impl IntoIterator<Item = (StepReport, String)>) -> Option<Self> {
        let mut steps: Vec<(StepReport, String)> = steps
            .into_iter()
            .filter(|(report, _)| report.severity() >= Severity::Risky)
            .collect();
        steps.sort_by(|a, b| {
            (a.0.severity(), &b.0.family, &b.1)
                .cmp(&(b.0.severity(), &a.0.family, &a.1))
                .reverse()
        });
        let (first, _) = steps.first()?;
        let agent = first.agent.clone()?;
        let version = first.to.version.clone();
        steps.retain(|(report, _)| report.agent.as_ref() == Some(&agent) && report.to.version == version);
        Some(Self { agent, version, steps })
    }

    /// Its kind, which is also the label of its issue.
    #[must_use]
    pub fn kind(&self) -> AlertKind {
        AlertKind::SourceProtocolRisk
    }

    /// The fingerprint of its thread.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        fingerprint(self.kind(), &self.agent.id, &self.version)
    }

    /// The worst finding.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.steps
            .iter()
            .map(|(report, _)| report.severity())
            .max()
            .unwrap_or(Severity::None)
    }

    /// How many findings of each severity, over all steps.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.steps
            .iter()
            .fold(Counts::default(), |sum, (report, _)| sum.plus(report.counts()))
    }

    /// The risky and breaking findings with their step, most important first.
    pub(crate) fn risks(&self) -> Vec<Risk<'_>> {
        let mut risks: Vec<Risk<'_>> = Vec::new();
        for (report, _) in &self.steps {
            let findings = summary::most_important(&report.findings, usize::MAX);
            risks.extend(
                findings
                    .into_iter()
                    .filter(|f| f.severity >= Severity::Risky)
                    .map(|f| (report, f)),
            );
        }
        risks.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
        risks
    }

    /// When the first of its steps was derived, UTC.
    pub(crate) fn since(&self) -> &str {
        self.steps
            .iter()
            .filter_map(|(report, _)| report.discovered_at.as_deref())
            .min()
            .unwrap_or_default()
    }
}
