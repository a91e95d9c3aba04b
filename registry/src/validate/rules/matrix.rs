//! `registry/support-matrix.json`: whether each claim rests on what is in the tree.

use agent_contracts_shapes::Validity;

use crate::records::{MatrixEntry, SupportStatus};
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

/// The file of the matrix.
const FILE: &str = "registry/support-matrix.json";

pub(super) fn across(index: &Index) -> Vec<Problem> {
    let mut teller = Teller::new(FILE);
    let Some(matrix) = &index.matrix else { return Vec::new() };
    for (at, entry) in matrix.agents.iter().enumerate() {
        claim(entry, &format!("/agents/{at}"), &mut teller, index);
    }
    teller.into_problems()
}

/// Whether the matrix is the one that the records give.
pub(super) fn generated(index: &Index) -> Vec<Problem> {
    let mut teller = Teller::new(FILE);
    if let (Some(matrix), Some(_)) = (&index.matrix, &index.claims.agents) {
        for difference in crate::matrix::check(&index.claims, matrix) {
            teller.error(
                difference.code,
                difference.pointer,
                difference.found,
                difference.expected,
            );
        }
    }
    teller.into_problems()
}

fn claim(entry: &MatrixEntry, at: &str, teller: &mut Teller<'_>, index: &Index) {
    let families: Vec<&str> = entry.protocol_families.iter().map(|family| family.as_str()).collect();
    match index.agent(entry.agent.as_str()) {
        Err(()) => teller.error(
            "MTX020",
            format!("{at}/agent"),
            entry.agent.as_str(),
            "an agent of registry/agents.json",
        ),
        Ok(None) => {}
        Ok(Some(agent)) => {
            for (family_at, family) in families.iter().enumerate() {
                if !agent.protocol_families.iter().any(|declared| declared == family) {
                    teller.error(
                        "MTX021",
                        format!("{at}/protocol_families/{family_at}"),
                        family,
                        agent.protocol_families.join(", "),
                    );
                }
            }
        }
    }
    for (shape_at, seen) in entry.observed_shapes.iter().enumerate() {
        let pointer = format!("{at}/observed_shapes/{shape_at}/shape");
        match index.shapes.get(seen.shape.as_str()) {
            None => teller.error("MTX022", pointer, seen.shape.as_str(), "a shape of the tree"),
            Some(shape) if shape.level.is_source() => {
                teller.error(
                    "MTX023",
                    pointer,
                    shape.level.words(),
                    Validity::RuntimeObserved.words(),
                );
            }
            Some(_) => {
                let observed = index
                    .of_shape(seen.shape.as_str())
                    .any(|one| one.agent == entry.agent.as_str());
                if !observed {
                    teller.error(
                        "MTX028",
                        pointer,
                        seen.shape.as_str(),
                        format!("an observation of {}", entry.agent),
                    );
                }
            }
        }
    }
    for (variant_at, variant) in entry.server_variants.iter().enumerate() {
        if !entry.observed_shapes.iter().any(|seen| seen.shape == variant.shape) {
            teller.error(
                "MTX022",
                format!("{at}/server_variants/{variant_at}/shape"),
                variant.shape.as_str(),
                "one of `observed_shapes`",
            );
        }
    }
    for (break_at, broken) in entry.known_breaking_shapes.iter().enumerate() {
        let link = broken.evidence.as_str();
        if !link.starts_with("https://") && !index.has(link) {
            teller.error(
                "MTX027",
                format!("{at}/known_breaking_shapes/{break_at}/evidence"),
                "nothing",
                link,
            );
        }
    }
    for (path_at, path) in entry.observations.iter().enumerate() {
        if index.observation(path.as_str()).is_none() {
            teller.error(
                "MTX024",
                format!("{at}/observations/{path_at}"),
                "nothing",
                path.as_str(),
            );
        }
    }
    let newest = entry
        .observed_shapes
        .iter()
        .map(|seen| &seen.observed_at)
        .max_by_key(|time| time.key());
    if newest.map(agent_contracts_wire::formats::UtcTime::key)
        != entry
            .last_observed_at
            .as_ref()
            .map(agent_contracts_wire::formats::UtcTime::key)
    {
        teller.error(
            "MTX025",
            format!("{at}/last_observed_at"),
            entry.last_observed_at.as_ref().map_or("null", |time| time.as_str()),
            newest.map_or("null", |time| time.as_str()),
        );
    }
    if entry.support_status == SupportStatus::LocalShapeVerified {
        // Only a probe on the reader's own machine can say so.
        teller.error(
            "MTX029",
            format!("{at}/support_status"),
            entry.support_status.word(),
            "a status that a tree can claim",
        );
    }
}
