//! From what a maintainer asks for to the record of the decision, or the rules that it breaks.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_shapes::Validity;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{
    AgentId, CliVersion, EvidenceLink, HttpsUrl, Login, ProbeId, SchemaVersion, Semver, Sha256, Text, UtcTime,
    VersionRange,
};

use super::refusal::{ALREADY, MIXED, NEVER_OBSERVED, NO_DECISION, NO_OBSERVATION, NOT_INDEPENDENT, Refusal, TOO_FEW};
use super::rules;
use crate::matrix::{Decided, Decisions, Known, Records, Seen, range};
use crate::records::{
    Attestation, AttestedArtifact, AttestedBy, Independence, ObservedLevel, Platform, PromotedLevel, Promotion,
    PromotionAction, ServerVariant, VariantStatus,
};

/// What is asked for.
#[derive(Debug, Clone)]
pub enum Request {
    /// A stronger level.
    Raise {
        /// The level.
        to: PromotedLevel,
        /// For what.
        of: Selection,
        /// Somebody else's reproduction.
        reproduction: Option<HttpsUrl>,
    },
    /// A version has several active shapes.
    Variants {
        /// The observations that show them.
        of: Selection,
        /// What is known of shapes, by the first digits of their hash; the others wait for a fixture.
        statuses: Vec<(String, VariantStatus)>,
        /// Where it holds; everywhere when it is empty.
        platforms: Vec<Platform>,
    },
    /// Of the variants that an earlier decision named one shape is left.
    Clear {
        /// That decision: its path or the first digits of its id.
        decision: String,
        /// The shape, or the first digits of its hash.
        shape: String,
    },
    /// Something does not work.
    Breaks {
        /// The observations that show it.
        of: Selection,
        /// It is the shape that breaks, wherever it is seen; otherwise the versions do, whatever their shape.
        shape_alone: bool,
        /// The versions; those of the observations when it is empty.
        versions: Vec<VersionRange>,
        /// Where; everywhere when it is empty.
        platforms: Vec<Platform>,
        /// What breaks.
        breaks: Text,
        /// Where else it can be seen.
        links: Vec<EvidenceLink>,
    },
    /// An earlier decision does not hold any more.
    Undo {
        /// That decision: its path or the first digits of its id.
        decision: String,
    },
}

/// Which observations are meant. What is left out does not matter.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Of this version.
    pub version: Option<CliVersion>,
    /// Of the shape whose hash begins so, with or without `sha256:`.
    pub shape: Option<String>,
    /// Of this probe.
    pub probe: Option<ProbeId>,
    /// In this family.
    pub family: Option<CapturedFamily>,
    /// On this platform.
    pub platform: Option<Platform>,
    /// In these files.
    pub files: Vec<String>,
}

/// Who decides.
#[derive(Debug, Clone)]
pub struct Signer {
    /// Their login.
    pub by: Login,
    /// In which role.
    pub role: AttestedBy,
    /// When.
    pub at: UtcTime,
    /// With which version of the tool.
    pub tool_version: Semver,
    /// They checked the raw transcripts against what is published.
    pub redaction_checked: bool,
    /// Why.
    pub reason: Text,
    /// Where it can be read.
    pub url: Option<HttpsUrl>,
    /// In their own words.
    pub statement: Option<Text>,
}

/// The record of a decision about `agent`; or every rule that it breaks.
pub fn decide(
    records: &Records,
    agent: &AgentId,
    request: &Request,
    signer: &Signer,
) -> Result<Promotion, Vec<Refusal>> {
    let known = Known::new(records);
    let decisions = Decisions::of(records, &known);
    let desk = Desk {
        records,
        known: &known,
        decisions: &decisions,
        agent,
    };
    let (action, seen) = desk.action(request).map_err(|refusal| vec![refusal])?;
    let artifacts: BTreeSet<AttestedArtifact> = seen
        .iter()
        .filter_map(|seen| {
            Some(AttestedArtifact {
                raw_sha256: seen.raw.clone(),
                sanitized_sha256: seen.sanitized.clone()?,
            })
        })
        .collect();
    let promotion = Promotion {
        schema_version: SchemaVersion,
        agent: agent.clone(),
        decided_at: signer.at.clone(),
        reason: signer.reason.clone(),
        action,
        attestation: Attestation {
            by: signer.by.clone(),
            role: signer.role,
            at: signer.at.clone(),
            tool_version: signer.tool_version.clone(),
            redaction_checked: signer.redaction_checked,
            artifacts: artifacts.into_iter().collect(),
            url: signer.url.clone(),
            statement: signer.statement.clone(),
        },
        extensions: BTreeMap::new(),
    };
    let refusals = rules::check(&promotion, &known);
    if refusals.is_empty() {
        Ok(promotion)
    } else {
        Err(refusals)
    }
}

struct Desk<'d, 'r> {
    records: &'r Records,
    known: &'d Known<'r>,
    decisions: &'d Decisions<'r>,
    agent: &'d AgentId,
}

type Action<'r> = Result<(PromotionAction, Vec<&'r Seen>), Refusal>;

impl<'r> Desk<'_, 'r> {
    fn action(&self, request: &Request) -> Action<'r> {
        match request {
            Request::Raise { to, of, reproduction } => self.raise(*to, of, reproduction.as_ref()),
            Request::Variants {
                of,
                statuses,
                platforms,
            } => self.variants(of, statuses, platforms),
            Request::Clear { decision, shape } => self.clear(decision, shape),
            Request::Breaks { .. } => self.breaks(request),
            Request::Undo { decision } => {
                let decided = self.decision(decision)?;
                self.is_standing(decided)?;
                let action = PromotionAction::Undo {
                    promotion: decided.reference(),
                };
                Ok((action, Vec::new()))
            }
        }
    }

    fn raise(&self, to: PromotedLevel, of: &Selection, reproduction: Option<&HttpsUrl>) -> Action<'r> {
        let seen = self.one_group(of)?;
        let wanted = match to {
            PromotedLevel::Confirmed => ObservedLevel::Confirmed,
            PromotedLevel::CommunityConfirmed => ObservedLevel::CommunityConfirmed,
        };
        let reached =
            |seen: &&Seen| Validity::from(self.decisions.level(seen)).strength() >= Validity::from(wanted).strength();
        if seen.iter().all(reached) {
            return Err(Refusal::new(
                ALREADY,
                format!("every observation of it is {wanted} already"),
                "nothing is left to do",
            ));
        }
        let independence = match (reproduction, rules::independence(&seen)) {
            (Some(_), _) | (None, None) if to == PromotedLevel::CommunityConfirmed => Independence::Contributor,
            (_, Some(independence)) => independence,
            (Some(_), None) => Independence::Contributor,
            (None, None) => {
                let captures: BTreeSet<&Sha256> = seen.iter().map(|seen| &seen.raw).collect();
                let (code, what) = if captures.len() < 2 {
                    (TOO_FEW, "there is one capture alone".to_owned())
                } else {
                    let what = format!(
                        "less than 24 hours lie between {} captures on {}",
                        captures.len(),
                        seen[0].runner
                    );
                    (NOT_INDEPENDENT, what)
                };
                return Err(Refusal::new(code, what, rules::wanted(&seen)));
            }
        };
        let action = PromotionAction::Promote {
            to,
            observations: seen.iter().map(|seen| seen.reference()).collect(),
            independence,
            reproduction: reproduction.cloned(),
        };
        Ok((action, seen))
    }

    fn variants(&self, of: &Selection, statuses: &[(String, VariantStatus)], platforms: &[Platform]) -> Action<'r> {
        let seen = self.selected(of)?;
        let groups: BTreeSet<_> = seen
            .iter()
            .map(|seen| (&seen.version, seen.family, &seen.probe))
            .collect();
        if groups.len() > 1 {
            let named: Vec<String> = groups
                .iter()
                .map(|(version, family, probe)| format!("{version} {family} {probe}"))
                .collect();
            return Err(mixed("versions, families or probes", &named));
        }
        let shapes: BTreeSet<&Sha256> = seen.iter().map(|seen| &seen.shape).collect();
        let mut variants = Vec::new();
        for shape in &shapes {
            let status = statuses.iter().find(|(digits, _)| begins(shape, digits));
            variants.push(ServerVariant {
                shape: (*shape).clone(),
                status: status.map_or(VariantStatus::CompatiblePendingFixture, |(_, status)| *status),
            });
        }
        if let Some((digits, _)) = statuses
            .iter()
            .find(|(digits, _)| !shapes.iter().any(|shape| begins(shape, digits)))
        {
            return Err(self.no_shape(digits));
        }
        let first = seen[0];
        if let Some(decided) = self.decisions.variants(first)
            && let PromotionAction::ServerVariant { variants: known, .. } = &decided.record.action
            && *known == variants
        {
            return Err(Refusal::new(
                ALREADY,
                format!("{} names the same variants", decided.path),
                "nothing is left to do",
            ));
        }
        let action = PromotionAction::ServerVariant {
            cli_version: first.version.clone(),
            platforms: platforms.to_vec(),
            protocol_family: first.family,
            probe: first.probe.clone(),
            variants,
            observations: seen.iter().map(|seen| seen.reference()).collect(),
        };
        Ok((action, seen))
    }

    fn clear(&self, decision: &str, shape: &str) -> Action<'r> {
        let decided = self.decision(decision)?;
        self.is_standing(decided)?;
        let cleared = self.decisions.in_force.iter().find(|one| {
            matches!(&one.record.action, PromotionAction::ClearServerVariant { promotion, .. } if promotion.path == decided.path)
        });
        if let Some(one) = cleared {
            return Err(Refusal::new(
                ALREADY,
                format!("{} cleared it", one.path),
                "nothing is left to do",
            ));
        }
        let PromotionAction::ServerVariant { variants, .. } = &decided.record.action else {
            return Err(Refusal::new(
                NO_DECISION,
                format!("{} names no variants", decided.path),
                "name a decision of the kind server_variant",
            ));
        };
        let left = variants.iter().find(|variant| begins(&variant.shape, shape));
        let left = left.ok_or_else(|| {
            let known: Vec<&str> = variants.iter().map(|variant| variant.shape.as_str()).collect();
            Refusal::new(
                NEVER_OBSERVED,
                format!("`{shape}` is none of the variants that {} names", decided.path),
                format!("they are {}", known.join(", ")),
            )
        })?;
        let action = PromotionAction::ClearServerVariant {
            promotion: decided.reference(),
            shape: left.shape.clone(),
        };
        Ok((action, Vec::new()))
    }

    fn breaks(&self, request: &Request) -> Action<'r> {
        let Request::Breaks {
            of,
            shape_alone,
            versions,
            platforms,
            breaks,
            links,
        } = request
        else {
            return Err(Refusal::new(NO_OBSERVATION, "nothing is named", "name what breaks"));
        };
        let seen = self.selected(of)?;
        let families: BTreeSet<&str> = seen.iter().map(|seen| seen.family.as_str()).collect();
        let shapes: BTreeSet<&Sha256> = seen.iter().map(|seen| &seen.shape).collect();
        if families.len() > 1 {
            let named: Vec<String> = families.iter().map(ToString::to_string).collect();
            return Err(mixed("families", &named));
        }
        if *shape_alone && shapes.len() > 1 {
            let named: Vec<String> = shapes.iter().map(ToString::to_string).collect();
            return Err(mixed("shapes", &named));
        }
        let version_ranges: BTreeSet<VersionRange> = if versions.is_empty() {
            seen.iter().filter_map(|seen| range::exactly(&seen.version)).collect()
        } else {
            versions.iter().cloned().collect()
        };
        let shown = seen.iter().filter_map(|seen| seen.path.as_str().parse().ok());
        let evidence: BTreeSet<EvidenceLink> = shown.chain(links.iter().cloned()).collect();
        let action = PromotionAction::KnownBreaking {
            version_ranges: version_ranges.into_iter().collect(),
            platforms: platforms.clone(),
            protocol_family: seen[0].family,
            shape: shape_alone.then(|| seen[0].shape.clone()),
            breaks: breaks.clone(),
            evidence: evidence.into_iter().collect(),
        };
        let same = self
            .decisions
            .in_force
            .iter()
            .find(|decided| decided.record.agent == *self.agent && decided.record.action == action);
        match same {
            Some(decided) => Err(Refusal::new(
                ALREADY,
                format!("{} says the same", decided.path),
                "nothing is left to do",
            )),
            None => Ok((action, Vec::new())),
        }
    }

    /// The observations that are meant, by path. Never empty.
    fn selected(&self, of: &Selection) -> Result<Vec<&'r Seen>, Refusal> {
        for file in &of.files {
            if self
                .known
                .observation_at(file)
                .is_none_or(|seen| seen.agent != *self.agent)
            {
                return Err(Refusal::new(
                    NO_OBSERVATION,
                    format!("{file} is no observation of {}", self.agent),
                    "name files of the tree, relative to it",
                ));
            }
        }
        let meant = |seen: &&Seen| {
            seen.agent == *self.agent
                && of.version.as_ref().is_none_or(|version| *version == seen.version)
                && of.shape.as_ref().is_none_or(|digits| begins(&seen.shape, digits))
                && of.probe.as_ref().is_none_or(|probe| *probe == seen.probe)
                && of.family.is_none_or(|family| family == seen.family)
                && of.platform.is_none_or(|platform| platform == seen.platform)
                && (of.files.is_empty() || of.files.iter().any(|file| file == seen.path.as_str()))
        };
        let mut seen: Vec<&Seen> = self.records.observations.iter().filter(meant).collect();
        seen.sort_by(|a, b| a.path.cmp(&b.path));
        if !seen.is_empty() {
            return Ok(seen);
        }
        if let Some(digits) = &of.shape {
            return Err(self.no_shape(digits));
        }
        let what = of
            .version
            .as_ref()
            .map_or_else(String::new, |version| format!(" {version}"));
        Err(Refusal::new(
            NO_OBSERVATION,
            format!("no observation of {}{what} is what was asked for", self.agent),
            "capture it first: what was read in source supports no claim",
        ))
    }

    /// Why nothing that ran has this shape.
    fn no_shape(&self, digits: &str) -> Refusal {
        let found = self.records.shapes.iter().find(|(shape, _)| begins(shape, digits));
        match found {
            Some((shape, level)) if level.is_source() => Refusal::new(
                NEVER_OBSERVED,
                format!("{shape} is {}: nobody ever saw it", level.words()),
                "capture a version that has it; source, documents and fixtures support no claim",
            ),
            Some((shape, _)) => Refusal::new(
                NEVER_OBSERVED,
                format!("no observation of {} that is meant has the shape {shape}", self.agent),
                "ask for a version, probe and family that it was seen with",
            ),
            None => Refusal::new(
                NEVER_OBSERVED,
                format!("`{digits}` is no shape of the tree"),
                "name the first digits of a signature in shapes/",
            ),
        }
    }

    /// Observations of one version, family, probe and shape.
    fn one_group(&self, of: &Selection) -> Result<Vec<&'r Seen>, Refusal> {
        let seen = self.selected(of)?;
        let groups: BTreeSet<_> = seen
            .iter()
            .map(|seen| (&seen.version, seen.family, &seen.probe, &seen.shape))
            .collect();
        if groups.len() == 1 {
            return Ok(seen);
        }
        let named: Vec<String> = groups
            .iter()
            .map(|(version, family, probe, shape)| format!("{version} {family} {probe} {shape}"))
            .collect();
        Err(mixed("versions, families, probes or shapes", &named))
    }

    /// The decision that is meant, by its path or the first digits of its id.
    fn decision(&self, name: &str) -> Result<&'r Decided, Refusal> {
        let meant = |decided: &&Decided| {
            let path = decided.path.as_str();
            let id = path
                .strip_suffix(".promotion.json")
                .and_then(|stem| stem.rsplit('.').next());
            path == name || (!name.is_empty() && id.is_some_and(|id| id.starts_with(name)))
        };
        let found: Vec<&Decided> = self
            .records
            .decisions
            .iter()
            .filter(|decided| decided.record.agent == *self.agent)
            .filter(meant)
            .collect();
        match found.as_slice() {
            [one] => Ok(one),
            [] => Err(Refusal::new(
                NO_DECISION,
                format!("`{name}` is no decision about {}", self.agent),
                "name a file of registry/promotions, or the eight digits in its name",
            )),
            several => {
                let named: Vec<&str> = several.iter().map(|decided| decided.path.as_str()).collect();
                Err(Refusal::new(
                    NO_DECISION,
                    format!("`{name}` may be any of {}", named.join(", ")),
                    "write more digits",
                ))
            }
        }
    }

    /// Refuses what was taken back already, or never held.
    fn is_standing(&self, decided: &Decided) -> Result<(), Refusal> {
        match self
            .decisions
            .ignored
            .iter()
            .find(|ignored| ignored.path == decided.path)
        {
            Some(ignored) => Err(Refusal::new(
                ALREADY,
                format!("{} is not in force: {}", decided.path, ignored.why.join("; ")),
                "nothing is left to do",
            )),
            None => Ok(()),
        }
    }
}

fn mixed(what: &str, named: &[String]) -> Refusal {
    Refusal::new(
        MIXED,
        format!("the observations are of several {what}"),
        format!("ask for one of: {}", named.join("; ")),
    )
}

/// Whether a hash begins with these digits.
fn begins(hash: &Sha256, digits: &str) -> bool {
    let digits = digits.strip_prefix("sha256:").unwrap_or(digits);
    !digits.is_empty() && hash.digits().starts_with(digits)
}
