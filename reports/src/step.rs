//! What a report is made of: one comparison of two versions, whether it is a stored record or a scan of two sources.

use std::collections::BTreeMap;

use agent_contracts_shapes::Validity;
use agent_contracts_source_evidence::{Counts, ForConsumer, Profile, ShapeRef, SourceEvidence, StepSide, summary};
use agent_contracts_wire::model::{Degraded, Unresolved};
use agent_contracts_wire::{Diff, Finding, Move, Severity, Verdict};

/// An agent as reports name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentLabel {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct StepReport {
    /// Whose versions; `None` for a scan of two sources that belong to no agent.
    pub agent: Option<AgentLabel>,
    /// The protocol family, where one is known.
    pub family: Option<String>,
    /// The older side.
    pub from: StepSide,
    /// The newer side.
    pub to: StepSide,
    /// What it came to.
    pub verdict: Verdict,
    /// What changed, worst first.
    pub findings: Vec<Finding>,
    /// What moved without a change.
    pub moves: Vec<Move>,
    /// What could not be resolved; perhaps not all of it.
    pub unresolved: Vec<Unresolved>,
    /// How many such places there are.
    pub unresolved_total: usize,
    /// What was not read in full; perhaps not all of it.
    pub degraded: Vec<Degraded>,
    /// How many such spans there are.
    pub degraded_total: usize,
    /// What the comparison came down to that could not be read, in words.
    pub doubts: Vec<String>,
    /// What stands behind it.
    pub validity: Validity,
    /// The shape of the newer side.
    pub shape: Option<ShapeRef>,
    /// Event types that are not whole in that shape.
    pub shape_cut: Vec<String>,
    /// The evidence record, relative to the tree.
    pub record: Option<String>,
    /// Its identity.
    pub identity: Option<String>,
    /// When it was first derived, UTC.
    pub discovered_at: Option<String>,
    /// Lower severities for one consumer, by the id of the finding.
    pub for_consumer: BTreeMap<String, ForConsumer>,
}

impl StepReport {
    /// A comparison that is not kept as a record. The sides need no version; then their source names them.
    #[must_use]
    pub fn of_diff(from: StepSide, to: StepSide, diff: Diff) -> Self {
        Self {
            agent: None,
            family: None,
            from,
            to,
            verdict: diff.verdict,
            findings: diff.findings,
            moves: diff.moves,
            unresolved_total: diff.unresolved.len(),
            unresolved: diff.unresolved,
            degraded_total: diff.degraded.len(),
            degraded: diff.degraded,
            doubts: diff.doubts,
            validity: Validity::SourceDerived,
            shape: None,
            shape_cut: Vec::new(),
            record: None,
            identity: None,
            discovered_at: None,
            for_consumer: BTreeMap::new(),
        }
    }

    /// A stored record. `None` when it is not about a step.
    #[must_use]
    pub fn of_evidence(evidence: &SourceEvidence, agent_name: &str) -> Option<Self> {
        let extensions = evidence.extensions.clone();
        let step = extensions.step?;
        Some(Self {
            agent: Some(AgentLabel {
                id: evidence.agent.clone(),
                name: agent_name.to_owned(),
            }),
            family: Some(evidence.protocol_family.clone()),
            from: step.from,
            to: step.to,
            verdict: extensions.verdict.unwrap_or(Verdict::Inconclusive),
            findings: extensions.findings,
            moves: extensions.moves,
            unresolved: extensions.unresolved,
            unresolved_total: extensions.unresolved_total,
            degraded: extensions.degraded,
            degraded_total: extensions.degraded_total,
            doubts: extensions.doubts,
            validity: evidence.validity_level,
            shape: Some(evidence.derived_shape.clone()),
            shape_cut: extensions.shape_cut,
            record: Some(evidence.place()),
            identity: Some(extensions.identity),
            discovered_at: Some(evidence.discovered_at.clone()),
            for_consumer: BTreeMap::new(),
        })
    }

    /// Judges each finding for a consumer, where its profile is about this agent and family.
    #[must_use]
    pub fn judged(mut self, profile: &Profile) -> Self {
        let agent = self.agent.as_ref().map(|agent| agent.id.as_str());
        let about = |named: &Option<String>, this: Option<&str>| {
            this.is_none() || named.as_deref().is_none_or(|named| Some(named) == this)
        };
        if about(&profile.agent, agent) && about(&profile.family, self.family.as_deref()) {
            let judged = self.findings.iter();
            self.for_consumer = judged
                .filter_map(|finding| Some((finding.id.clone(), profile.judge(finding)?)))
                .collect();
        }
        self
    }

    /// How severe a finding is for the consumer that was asked for, or for anybody.
    #[must_use]
    pub fn severity_of(&self, finding: &Finding) -> Severity {
        let judged = self.for_consumer.get(&finding.id);
        judged.map_or(finding.severity, |judged| judged.severity)
    }

    /// The worst finding for the consumer that was asked for, or for anybody.
    #[must_use]
    pub fn severity_for_consumer(&self) -> Severity {
        let severities = self.findings.iter().map(|finding| self.severity_of(finding));
        severities.max().unwrap_or(Severity::None)
    }

    /// How many findings of each severity.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::of(&self.findings)
    }

    /// The worst finding.
    #[must_use]
    pub fn severity(&self) -> Severity {
        summary::worst(&self.findings)
    }

    /// The side that a finding's place belongs to: the older one for what is gone.
    #[must_use]
    pub fn side_of(&self, finding: &Finding) -> &StepSide {
        if finding.after.is_null() && !finding.before.is_null() {
            &self.from
        } else {
            &self.to
        }
    }
}

/// What a verdict means.
pub(crate) fn verdict_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Changes => "the protocol changes",
        Verdict::NoProtocolChange => "no protocol change",
        Verdict::Inconclusive => "inconclusive: what could not be read may hold a change",
    }
}

/// How a side is called: its version, or else its source.
pub(crate) fn label(side: &StepSide) -> &str {
    if side.version.is_empty() {
        &side.source
    } else {
        &side.version
    }
}
