//! How far an installed CLI is verified: the one answer of the command line, the HTTP API and the web page. Pure.

use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_wire::formats::{AgentId, CliVersion, SchemaVersion, Sha256, UtcTime};

use crate::matrix::range::order;
use crate::matrix::{Match, find};
use crate::records::{
    AllowRun, CompatibilityAction, CompatibilityDto, CompatibilityEvidence, CompatibilityPolicy, EvidenceSource,
    MatrixEntry, ObservedShape, Platform, SupportMatrix, SupportStatus, VariantStatus,
};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question<'q> {
    /// The agent, as the list of agents has it.
    pub agent: &'q AgentEntry,
    /// What is installed; `None` when nothing is, or its version cannot be read.
    pub version: Option<&'q CliVersion>,
    /// Where.
    pub platform: Platform,
    /// The shape that a probe on this machine saw; `None` when none was run.
    pub probed: Option<&'q Sha256>,
    /// When it is asked, for answers that rest on a probe or on no matrix.
    pub now: UtcTime,
}

/// Answers from the matrix. Without a probe the answer is a function of matrix, agent, version and platform, and its time
/// is that of the matrix, so that the same question gives the same bytes.
#[must_use]
pub fn answer(matrix: Option<&SupportMatrix>, id: AgentId, question: &Question<'_>) -> CompatibilityDto {
    let entries: Vec<&MatrixEntry> = matrix
        .iter()
        .flat_map(|matrix| &matrix.agents)
        .filter(|entry| entry.agent == id)
        .collect();
    let found = match (matrix, question.version) {
        (Some(matrix), Some(version)) => find(
            matrix,
            id.as_str(),
            question.agent.version_scheme,
            version.as_str(),
            question.platform,
        ),
        _ => Vec::new(),
    };
    let verdict = classify(question, &entries, &found);
    let generated_at = match matrix {
        Some(matrix) if question.probed.is_none() => matrix.generated_at.clone(),
        _ => question.now.clone(),
    };
    CompatibilityDto {
        schema_version: SchemaVersion,
        generated_at,
        agent: id,
        installed_version: question.version.cloned(),
        platform: question.platform,
        status: verdict.status,
        policy: CompatibilityPolicy {
            allow_run: allow_run(&verdict),
            user_action: action(&verdict, question, &entries),
        },
        evidence: evidence(&verdict, &found),
    }
}

/// A status with what it rests on.
struct Verdict<'m> {
    status: SupportStatus,
    on: Option<Match<'m>>,
    /// The shape that a probe matched, with when it was seen before.
    probed: Option<(&'m Sha256, Option<&'m UtcTime>)>,
    by_probe: bool,
}

/// The status, in the order of the specification's `classifyInstalledCli`.
fn classify<'m>(question: &Question<'m>, entries: &[&'m MatrixEntry], found: &[Match<'m>]) -> Verdict<'m> {
    let with = |status: SupportStatus| found.iter().find(|one| one.entry.support_status == status).copied();
    let verdict = |status, on| Verdict {
        status,
        on,
        probed: None,
        by_probe: false,
    };
    let Some(version) = question.version else {
        return verdict(SupportStatus::Unknown, None);
    };
    let scheme = question.agent.version_scheme;
    let oldest = question.agent.support.oldest.as_ref();
    let too_old = with(SupportStatus::TooOld);
    if too_old.is_some()
        || oldest.is_some_and(|oldest| order(scheme, version.as_str(), oldest.version.as_str()).is_lt())
    {
        return verdict(SupportStatus::TooOld, too_old);
    }
    if let Some(on) = with(SupportStatus::KnownBreaking) {
        return verdict(SupportStatus::KnownBreaking, Some(on));
    }
    if let Some(shape) = question.probed {
        return probed(shape, entries);
    }
    // Nobody looked which shape is active, and every shape that was ever seen of this version breaks.
    if let Some(on) = with(SupportStatus::KnownBreakingShape) {
        return verdict(SupportStatus::KnownBreaking, Some(on));
    }
    for status in [
        SupportStatus::ServerVariantPossible,
        SupportStatus::VersionRangeVerified,
    ] {
        if let Some(on) = with(status) {
            return verdict(status, Some(on));
        }
    }
    let newest = entries
        .iter()
        .filter_map(|entry| entry.latest_verified.as_ref())
        .max_by(|a, b| order(scheme, a.as_str(), b.as_str()));
    if newest.is_some_and(|newest| order(scheme, version.as_str(), newest.as_str()).is_gt()) {
        return verdict(SupportStatus::NewerThanVerified, with(SupportStatus::NewerThanVerified));
    }
    let other = with(SupportStatus::ActiveShapeUnknown).or_else(|| with(SupportStatus::Unknown));
    verdict(SupportStatus::Unknown, other)
}

/// The status that a probe gives.
fn probed<'m>(shape: &'m Sha256, entries: &[&'m MatrixEntry]) -> Verdict<'m> {
    let breaks = entries.iter().any(|entry| {
        entry.known_breaking_shapes.iter().any(|one| one.shape == *shape)
            || entry
                .server_variants
                .iter()
                .any(|one| one.shape == *shape && one.status == VariantStatus::Breaking)
    });
    let seen: Option<&ObservedShape> = entries
        .iter()
        .filter(|entry| entry.support_status.is_support())
        .flat_map(|entry| &entry.observed_shapes)
        .filter(|one| one.shape == *shape)
        .max_by(|a, b| a.observed_at.key().cmp(&b.observed_at.key()));
    let status = match (seen, breaks) {
        (Some(_), false) => SupportStatus::LocalShapeVerified,
        (_, true) => SupportStatus::KnownBreakingShape,
        (None, false) => SupportStatus::ActiveShapeUnknown,
    };
    Verdict {
        status,
        on: None,
        probed: Some((shape, seen.map(|one| &one.observed_at))),
        by_probe: true,
    }
}

/// Only a probe on this machine allows without a warning.
fn allow_run(verdict: &Verdict<'_>) -> AllowRun {
    let of_entry = verdict
        .on
        .filter(|on| on.entry.support_status == verdict.status || verdict.status == SupportStatus::KnownBreaking)
        .map(|on| on.entry.allow_run());
    match (verdict.status, of_entry) {
        (SupportStatus::LocalShapeVerified, _) => AllowRun::Allow,
        (_, Some(AllowRun::Allow)) => AllowRun::Warn,
        (_, Some(policy)) => policy,
        (status, None) => status.default_policy(),
    }
}

fn action(verdict: &Verdict<'_>, question: &Question<'_>, entries: &[&MatrixEntry]) -> CompatibilityAction {
    let Some(version) = question.version else {
        return CompatibilityAction::None;
    };
    let scheme = question.agent.version_scheme;
    match verdict.status {
        SupportStatus::LocalShapeVerified => CompatibilityAction::None,
        SupportStatus::TooOld => CompatibilityAction::UpgradeCli,
        SupportStatus::KnownBreaking | SupportStatus::KnownBreakingShape => {
            let newer_works = entries
                .iter()
                .filter_map(|entry| entry.latest_verified.as_ref())
                .any(|verified| order(scheme, verified.as_str(), version.as_str()).is_gt());
            if newer_works {
                CompatibilityAction::UpgradeCli
            } else {
                CompatibilityAction::PinSupportedVersion
            }
        }
        SupportStatus::ActiveShapeUnknown => CompatibilityAction::ReportUnknownShape,
        // Where nothing was ever verified a probe has nothing to be held against.
        _ if entries.iter().any(|entry| entry.support_status.is_support()) => CompatibilityAction::RunLocalProbe,
        _ => CompatibilityAction::None,
    }
}

fn evidence(verdict: &Verdict<'_>, found: &[Match<'_>]) -> CompatibilityEvidence {
    let newest = verdict.on.and_then(|on| {
        on.entry
            .observed_shapes
            .iter()
            .max_by(|a, b| (a.observed_at.key(), &a.shape).cmp(&(b.observed_at.key(), &b.shape)))
    });
    let range = verdict.on.or_else(|| found.first().copied()).map(|on| on.range.clone());
    let (shape_signature, observed_at) = match verdict.probed {
        Some((shape, observed_at)) => (Some(shape.clone()), observed_at.cloned()),
        None => (
            newest.map(|one| one.shape.clone()),
            newest.map(|one| one.observed_at.clone()),
        ),
    };
    let source = if verdict.by_probe {
        EvidenceSource::LocalProbe
    } else if verdict.status == SupportStatus::KnownBreaking {
        EvidenceSource::KnownBreaking
    } else if range.is_some() {
        EvidenceSource::SupportMatrix
    } else {
        EvidenceSource::None
    };
    CompatibilityEvidence {
        version_range: range,
        shape_signature,
        observed_at,
        source,
        server_variant_possible: found.iter().any(|one| !one.entry.server_variants.is_empty()),
    }
}
