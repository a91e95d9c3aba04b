//! `registry/promotions/AGENT/….promotion.json`: whether a decision follows from what it names.

use super::{in_the_future, seconds};
use crate::records::{
    AttestedBy, Independence, ObservationRef, PromotedLevel, Promotion, PromotionAction, PromotionRef,
};
use crate::validate::Options;
use crate::validate::index::{Index, ObservationFacts};
use crate::validate::problem::{Problem, Teller};

/// Two captures are independent in time when a day lies between them.
const WINDOW: i64 = 86_400;

pub(super) fn across(index: &Index, options: &Options) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, (promotion, _)) in &index.promotions {
        let mut teller = Teller::new(file);
        check(promotion, &mut teller, index, options);
        problems.extend(teller.into_problems());
    }
    problems
}

fn check(promotion: &Promotion, teller: &mut Teller<'_>, index: &Index, options: &Options) {
    if index.agent(promotion.agent.as_str()).is_err() {
        teller.error(
            "PRM020",
            "/agent",
            promotion.agent.as_str(),
            "an agent of registry/agents.json",
        );
    }
    if let Ok(place) = promotion.place()
        && teller.file() != place
    {
        teller.error("PRM028", "", teller.file(), place);
    }
    if in_the_future(promotion.decided_at.as_str(), options) {
        teller.error(
            "PRM030",
            "/decided_at",
            promotion.decided_at.as_str(),
            "a time that has been",
        );
    }
    if promotion.attestation.role != AttestedBy::Maintainer {
        teller.error(
            "PRM029",
            "/attestation/role",
            promotion.attestation.role.word(),
            "maintainer",
        );
    }
    match &promotion.action {
        PromotionAction::Promote {
            to,
            observations,
            independence,
            reproduction,
        } => {
            let found = observed(observations, teller, index);
            if *to == PromotedLevel::Confirmed && observations.len() < 2 {
                teller.error(
                    "PRM023",
                    "/action/observations",
                    observations.len().to_string(),
                    "at least two",
                );
            }
            if *to == PromotedLevel::CommunityConfirmed && reproduction.is_none() {
                teller.error(
                    "PRM026",
                    "/action/reproduction",
                    "nothing",
                    "the address of a reproduction",
                );
            }
            same_group(promotion, &found, teller);
            if found.len() == observations.len() && observations.len() > 1 {
                independent(*independence, &found, teller);
            }
            attested(promotion, &found, teller);
        }
        PromotionAction::ServerVariant {
            observations, variants, ..
        } => {
            let found = observed(observations, teller, index);
            for (at, variant) in variants.iter().enumerate() {
                if found.len() == observations.len() && !found.iter().any(|one| one.shape == variant.shape.as_str()) {
                    teller.error(
                        "PRM024",
                        format!("/action/variants/{at}/shape"),
                        variant.shape.as_str(),
                        "a shape of one of the observations",
                    );
                }
            }
            attested(promotion, &found, teller);
        }
        PromotionAction::ClearServerVariant { promotion, .. } | PromotionAction::Undo { promotion } => {
            earlier(promotion, teller, index);
        }
        PromotionAction::KnownBreaking { evidence, .. } => {
            for (at, link) in evidence.iter().enumerate() {
                if !link.as_str().starts_with("https://") && !index.has(link.as_str()) {
                    teller.error("MTX027", format!("/action/evidence/{at}"), "nothing", link.as_str());
                }
            }
        }
    }
}

/// The observations that are there with the bytes that were decided on.
fn observed<'i>(named: &[ObservationRef], teller: &mut Teller<'_>, index: &'i Index) -> Vec<&'i ObservationFacts> {
    let mut found = Vec::new();
    for (at, one) in named.iter().enumerate() {
        match index.observation(one.path.as_str()) {
            Some(facts) if facts.sha256 == one.sha256 => found.push(facts),
            Some(facts) => teller.error(
                "PRM021",
                format!("/action/observations/{at}/sha256"),
                one.sha256.as_str(),
                facts.sha256.as_str(),
            ),
            None => teller.error(
                "PRM021",
                format!("/action/observations/{at}/path"),
                "nothing",
                one.path.as_str(),
            ),
        }
    }
    found
}

fn earlier(named: &PromotionRef, teller: &mut Teller<'_>, index: &Index) {
    match index.promotions.get(named.path.as_str()) {
        Some((_, sha256)) if *sha256 == named.sha256 => {}
        Some((_, sha256)) => teller.error(
            "PRM022",
            "/action/promotion/sha256",
            named.sha256.as_str(),
            sha256.as_str(),
        ),
        None => teller.error("PRM022", "/action/promotion/path", "nothing", named.path.as_str()),
    }
}

fn same_group(promotion: &Promotion, found: &[&ObservationFacts], teller: &mut Teller<'_>) {
    let Some(first) = found.first() else { return };
    let group = |one: &ObservationFacts| {
        (
            one.agent.clone(),
            one.version.clone(),
            one.family,
            one.probe.clone(),
            one.shape.clone(),
        )
    };
    for (at, one) in found.iter().enumerate() {
        if group(one) != group(first) || one.agent != promotion.agent.as_str() {
            teller.error("PRM024", format!("/action/observations/{at}"), &one.file, &first.file);
        }
    }
}

fn independent(independence: Independence, found: &[&ObservationFacts], teller: &mut Teller<'_>) {
    let times: Vec<i64> = found
        .iter()
        .filter_map(|one| seconds(one.captured_at.as_str()))
        .collect();
    let apart = times
        .iter()
        .max()
        .zip(times.iter().min())
        .is_some_and(|(last, first)| last - first >= WINDOW);
    let runners = found.iter().any(|one| one.runner != found[0].runner);
    let holds = match independence {
        Independence::TimeWindow => apart,
        Independence::Runner => runners,
        Independence::Contributor => true,
    };
    if !holds {
        let wanted = match independence {
            Independence::TimeWindow => "captures at least 24 hours apart",
            _ => "captures on two runner images",
        };
        teller.error("PRM025", "/action/independence", independence.word(), wanted);
    }
}

fn attested(promotion: &Promotion, found: &[&ObservationFacts], teller: &mut Teller<'_>) {
    if !promotion.attestation.redaction_checked {
        teller.error("PRM027", "/attestation/redaction_checked", "false", "true");
    }
    for one in found {
        let seen = promotion.attestation.artifacts.iter().any(|artifact| {
            artifact.raw_sha256.as_str() == one.raw
                && one
                    .sanitized
                    .as_deref()
                    .is_none_or(|hash| artifact.sanitized_sha256.as_str() == hash)
        });
        if !seen {
            teller.error(
                "PRM027",
                "/attestation/artifacts",
                "no artifact",
                format!("the transcript {} of {}", one.raw, one.file),
            );
        }
    }
}
