//! The rules of decisions. The same for `promote`, for the matrix, which ignores what breaks them, and for `validate`.

use std::collections::BTreeSet;

use agent_contracts_wire::formats::{HttpsUrl, Sha256};
use jiff::{SignedDuration, Timestamp};

use super::refusal::{
    MIXED, NEVER_OBSERVED, NO_DECISION, NO_OBSERVATION, NO_REPRODUCTION, NOT_A_MAINTAINER, NOT_ATTESTED, NOT_COUNTED,
    NOT_INDEPENDENT, NOT_SEEN_BREAKING, Refusal, TOO_EARLY, TOO_FEW,
};
use crate::matrix::{Known, Seen};
use crate::records::{
    AttestedBy, Independence, ObservationRef, PromotedLevel, Promotion, PromotionAction, PromotionRef, ServerVariant,
};

/// Two captures are independent in time when this lies between them.
pub const WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// What is wrong with a decision; nothing when it holds.
#[must_use]
pub fn check(promotion: &Promotion, known: &Known<'_>) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    if promotion.attestation.role != AttestedBy::Maintainer {
        refusals.push(Refusal::new(
            NOT_A_MAINTAINER,
            format!("{} attests as a contributor", promotion.attestation.by),
            "have a maintainer attest it",
        ));
    }
    match &promotion.action {
        PromotionAction::Promote {
            to,
            observations,
            independence,
            reproduction,
        } => {
            let found = observed(promotion, observations, known, &mut refusals);
            if found.len() == observations.len() {
                one_group(&found, &mut refusals);
                match to {
                    PromotedLevel::Confirmed => refusals.extend(confirmed(*independence, &found)),
                    PromotedLevel::CommunityConfirmed => {}
                }
                reproduced(*to, *independence, reproduction.as_ref(), &found, &mut refusals);
            }
            attested(promotion, &found, &mut refusals);
        }
        PromotionAction::ServerVariant {
            cli_version,
            protocol_family,
            probe,
            variants,
            observations,
            ..
        } => {
            let found = observed(promotion, observations, known, &mut refusals);
            for one in &found {
                if one.version != *cli_version || one.family != *protocol_family || one.probe != *probe {
                    refusals.push(Refusal::new(
                        MIXED,
                        format!("{} is not of {cli_version}, {protocol_family} and {probe}", one.path),
                        "name observations of that version, family and probe",
                    ));
                }
            }
            if found.len() == observations.len() {
                refusals.extend(several(variants, &found));
            }
            attested(promotion, &found, &mut refusals);
        }
        PromotionAction::ClearServerVariant {
            promotion: named,
            shape,
        } => {
            if let Some(variants) = earlier(promotion, named, known, &mut refusals).and_then(variants_of) {
                if !variants.iter().any(|variant| variant.shape == *shape) {
                    refusals.push(Refusal::new(
                        NEVER_OBSERVED,
                        format!("{shape} is none of the variants that {} names", named.path),
                        "name the one that is left",
                    ));
                }
            } else if refusals.iter().all(|refusal| refusal.code != NO_DECISION) {
                refusals.push(Refusal::new(
                    NO_DECISION,
                    format!("{} names no variants", named.path),
                    "name a decision of the kind server_variant",
                ));
            }
        }
        PromotionAction::KnownBreaking {
            evidence,
            protocol_family,
            shape,
            ..
        } => {
            let shown = evidence.iter().any(|link| {
                known.observation_at(link.as_str()).is_some_and(|seen| {
                    seen.agent == promotion.agent
                        && seen.family == *protocol_family
                        && shape.as_ref().is_none_or(|shape| *shape == seen.shape)
                        && known.objection(seen).is_none()
                })
            });
            if !shown {
                refusals.push(Refusal::new(
                    NOT_SEEN_BREAKING,
                    "no observation of the tree shows what breaks",
                    "capture the version that breaks, and name the observation as evidence",
                ));
            }
        }
        PromotionAction::Undo { promotion: named } => {
            earlier(promotion, named, known, &mut refusals);
        }
    }
    refusals.sort();
    refusals.dedup();
    refusals
}

/// The observations that are there with the bytes that were decided on, and may support something.
fn observed<'k>(
    promotion: &Promotion,
    named: &[ObservationRef],
    known: &Known<'k>,
    refusals: &mut Vec<Refusal>,
) -> Vec<&'k Seen> {
    let mut found = Vec::new();
    for reference in named {
        let Some(seen) = known.observation(reference) else {
            refusals.push(Refusal::new(
                NO_OBSERVATION,
                format!("{} is not there with the bytes {}", reference.path, reference.sha256),
                "name observations of the tree with the hash of their file",
            ));
            continue;
        };
        if seen.agent != promotion.agent {
            refusals.push(Refusal::new(
                MIXED,
                format!("{} is not of {}", seen.path, promotion.agent),
                "decide about one agent at a time",
            ));
        }
        if let Some(why) = known.objection(seen) {
            let code = if why.contains("shape") {
                NEVER_OBSERVED
            } else {
                NOT_COUNTED
            };
            refusals.push(Refusal::new(
                code,
                format!("{} supports nothing: {why}", seen.path),
                "capture it again",
            ));
        }
        if before(&promotion.decided_at, &seen.captured_at) {
            refusals.push(Refusal::new(
                TOO_EARLY,
                format!("decided at {}, before {} was captured", promotion.decided_at, seen.path),
                "mend the clock that is wrong",
            ));
        }
        found.push(seen);
    }
    found
}

fn before(a: &agent_contracts_wire::formats::UtcTime, b: &agent_contracts_wire::formats::UtcTime) -> bool {
    a.key() < b.key()
}

/// Level and independence are about one thing that was seen several times.
fn one_group(found: &[&Seen], refusals: &mut Vec<Refusal>) {
    let Some(first) = found.first() else { return };
    let group = |seen: &Seen| {
        (
            seen.version.clone(),
            seen.family,
            seen.probe.clone(),
            seen.shape.clone(),
        )
    };
    for seen in found {
        if group(seen) != group(first) {
            refusals.push(Refusal::new(
                MIXED,
                format!(
                    "{} and {} are not of one version, family, probe and shape",
                    first.path, seen.path
                ),
                "promote them one group at a time",
            ));
        }
    }
}

/// What is missing for `confirmed`.
fn confirmed(independence: Independence, found: &[&Seen]) -> Option<Refusal> {
    let captures: BTreeSet<&Sha256> = found.iter().map(|seen| &seen.raw).collect();
    if captures.len() < 2 {
        return Some(Refusal::new(
            TOO_FEW,
            format!("{} capture, and one run told twice is one", captures.len()),
            "capture it again, a day later or on another runner image",
        ));
    }
    let holds = match independence {
        Independence::TimeWindow => in_time(found),
        Independence::Runner => on_runners(found),
        Independence::Contributor => true,
    };
    (!holds).then(|| {
        let what = match independence {
            Independence::Runner => format!("every capture was made on {}", found[0].runner),
            _ => "less than 24 hours lie between the captures".to_owned(),
        };
        Refusal::new(NOT_INDEPENDENT, what, wanted(found))
    })
}

/// How the captures are independent of each other, if they are.
#[must_use]
pub fn independence(found: &[&Seen]) -> Option<Independence> {
    if in_time(found) {
        Some(Independence::TimeWindow)
    } else if on_runners(found) {
        Some(Independence::Runner)
    } else {
        None
    }
}

fn times(found: &[&Seen]) -> Vec<Timestamp> {
    found
        .iter()
        .filter_map(|seen| seen.captured_at.as_str().parse().ok())
        .collect()
}

fn in_time(found: &[&Seen]) -> bool {
    let times = times(found);
    let ends = times.iter().min().zip(times.iter().max());
    ends.is_some_and(|(first, last)| last.duration_since(*first) >= WINDOW)
}

fn on_runners(found: &[&Seen]) -> bool {
    found.iter().any(|seen| seen.runner != found[0].runner)
}

/// What would make the captures independent.
pub(super) fn wanted(found: &[&Seen]) -> String {
    let when = times(found)
        .into_iter()
        .min()
        .and_then(|first| first.checked_add(WINDOW).ok());
    let runners: BTreeSet<&str> = found.iter().map(|seen| seen.runner.as_ref()).collect();
    let runners: Vec<&str> = runners.into_iter().collect();
    match when {
        Some(when) => format!(
            "capture it again at {when} or later, or on another runner image than {}",
            runners.join(", ")
        ),
        None => "capture it again a day later, or on another runner image".to_owned(),
    }
}

/// What the community confirmed was made by somebody else.
fn reproduced(
    to: PromotedLevel,
    independence: Independence,
    reproduction: Option<&HttpsUrl>,
    found: &[&Seen],
    refusals: &mut Vec<Refusal>,
) {
    if to != PromotedLevel::CommunityConfirmed && independence != Independence::Contributor {
        return;
    }
    match reproduction {
        None => refusals.push(Refusal::new(
            NO_REPRODUCTION,
            "no reproduction is linked",
            "link the reproduction that somebody outside made with the public capture command",
        )),
        Some(url) if found.iter().any(|seen| seen.workflow.as_ref() == Some(url)) => {
            refusals.push(Refusal::new(
                NO_REPRODUCTION,
                format!("{url} is the run of one of the observations itself"),
                "link a reproduction of somebody else",
            ));
        }
        Some(_) if independence != Independence::Contributor => refusals.push(Refusal::new(
            NOT_INDEPENDENT,
            format!("a reproduction of somebody else is independent by `contributor`, not by `{independence}`"),
            "say `contributor`",
        )),
        Some(_) => {}
    }
}

/// What is wrong with a list of variants.
fn several(variants: &[ServerVariant], found: &[&Seen]) -> Vec<Refusal> {
    let shapes: BTreeSet<&Sha256> = variants.iter().map(|variant| &variant.shape).collect();
    let mut refusals = Vec::new();
    if shapes.len() < 2 {
        refusals.push(Refusal::new(
            TOO_FEW,
            "only one shape is named",
            "one version has variants when it was seen with two shapes under one probe",
        ));
    }
    for shape in shapes {
        if !found.iter().any(|seen| seen.shape == *shape) {
            refusals.push(Refusal::new(
                NEVER_OBSERVED,
                format!("no observation that is named has the shape {shape}"),
                "name one of each shape",
            ));
        }
    }
    refusals
}

fn variants_of(decided: &crate::matrix::Decided) -> Option<&[ServerVariant]> {
    match &decided.record.action {
        PromotionAction::ServerVariant { variants, .. } => Some(variants),
        _ => None,
    }
}

fn earlier<'k>(
    promotion: &Promotion,
    named: &PromotionRef,
    known: &Known<'k>,
    refusals: &mut Vec<Refusal>,
) -> Option<&'k crate::matrix::Decided> {
    let found = known
        .decision(named)
        .filter(|decided| decided.record.agent == promotion.agent);
    match found {
        None => refusals.push(Refusal::new(
            NO_DECISION,
            format!(
                "{} is no decision about {} with the bytes {}",
                named.path, promotion.agent, named.sha256
            ),
            "name a decision of the tree with the hash of its file",
        )),
        Some(decided) if before(&promotion.decided_at, &decided.record.decided_at) => refusals.push(Refusal::new(
            TOO_EARLY,
            format!("decided at {}, before {} was", promotion.decided_at, named.path),
            "mend the clock that is wrong",
        )),
        Some(_) => {}
    }
    found
}

/// Somebody looked at the transcripts that are decided on, and says so.
fn attested(promotion: &Promotion, found: &[&Seen], refusals: &mut Vec<Refusal>) {
    let attestation = &promotion.attestation;
    if !attestation.redaction_checked {
        refusals.push(Refusal::new(
            NOT_ATTESTED,
            "nobody says that the raw transcripts were checked against what is published",
            "check them, then say so",
        ));
    }
    for seen in found {
        let Some(sanitized) = &seen.sanitized else {
            refusals.push(Refusal::new(
                NOT_ATTESTED,
                format!("{} has no evidence record, so nobody can attest it", seen.path),
                "capture it again with a tool that writes `extensions.evidence`",
            ));
            continue;
        };
        let both = attestation
            .artifacts
            .iter()
            .any(|artifact| artifact.raw_sha256 == seen.raw && artifact.sanitized_sha256 == *sanitized);
        if !both {
            refusals.push(Refusal::new(
                NOT_ATTESTED,
                format!("the transcripts of {} are not among what was attested", seen.path),
                format!("attest {} with {sanitized}", seen.raw),
            ));
        }
    }
}
