//! `shapes/FAMILY/sha256-….shape.json`.

use std::collections::{HashMap, HashSet};

use agent_contracts_shapes::{FrameDirection, Shape, Stream, Validity};
use agent_contracts_wire::Family;

use crate::validate::index::{Index, ShapeFacts};
use crate::validate::problem::{Problem, Teller};

pub(super) fn check(shape: &Shape, teller: &mut Teller<'_>) {
    if let Ok(signature) = shape.sign()
        && signature != shape.signature
    {
        teller.error("SHP020", "/signature", &shape.signature, signature);
    }
    if let Ok(place) = shape.place()
        && teller.file() != place
    {
        teller.error("SHP021", "/signature", &shape.signature, format!("the file {place}"));
    }
    if let Some(family) = Family::of(&shape.protocol_family)
        && family.transport != shape.transport
    {
        teller.error("SHP026", "/transport", shape.transport.word(), family.transport.word());
    }
    let frames = shape.frame_shapes.len();
    if usize::try_from(shape.frame_count).ok() != Some(frames) {
        teller.error(
            "SHP024",
            "/frame_count",
            shape.frame_count.to_string(),
            frames.to_string(),
        );
    }
    event_types(shape, teller);
    for (at, frame) in shape.frame_shapes.iter().enumerate() {
        let at = format!("/frame_shapes/{at}");
        let input = frame.direction == FrameDirection::Input;
        if input != (frame.stream == Stream::Stdin) {
            teller.error(
                "SHP025",
                format!("{at}/stream"),
                "the other side's pipe",
                "stdin for `server->cli`, stdout or stderr for `cli->server`",
            );
        }
        if !frame
            .paths
            .windows(2)
            .all(|pair| (&pair[0].path, pair[0].ty) < (&pair[1].path, pair[1].ty))
        {
            teller.error(
                "SHP023",
                format!("{at}/paths"),
                "another order, or one twice",
                "paths sorted by path and type, each once",
            );
        }
        if let Some(pair) = frame
            .paths
            .windows(2)
            .find(|pair| pair[0].path == pair[1].path && pair[0].required != pair[1].required)
        {
            teller.error(
                "SHP030",
                format!("{at}/paths"),
                &pair[0].path,
                "the same `required` for every type of a path",
            );
        }
        let paths: HashSet<&str> = frame.paths.iter().map(|path| path.path.as_str()).collect();
        for (path, values) in &frame.enums {
            if !paths.contains(path.as_str()) {
                teller.error("SHP031", format!("{at}/enums"), path, "a path of the frame");
            }
            if !values.windows(2).all(|pair| pair[0] < pair[1]) {
                teller.error("SHP023", format!("{at}/enums"), path, "values sorted, each once");
            }
        }
    }
}

fn event_types(shape: &Shape, teller: &mut Teller<'_>) {
    let of_frames: HashSet<&str> = shape
        .frame_shapes
        .iter()
        .map(|frame| frame.event_type.as_str())
        .collect();
    let listed: HashSet<&str> = shape.event_types.iter().map(String::as_str).collect();
    for (at, frame) in shape.frame_shapes.iter().enumerate() {
        if !listed.contains(frame.event_type.as_str()) {
            teller.error(
                "SHP022",
                format!("/frame_shapes/{at}/event_type"),
                &frame.event_type,
                "an event type that `event_types` lists",
            );
        }
    }
    for (at, event) in shape.event_types.iter().enumerate() {
        if !of_frames.contains(event.as_str()) {
            teller.error(
                "SHP022",
                format!("/event_types/{at}"),
                event,
                "an event type of a frame",
            );
        }
    }
    if !shape.event_types.windows(2).all(|pair| pair[0] < pair[1]) {
        teller.error(
            "SHP023",
            "/event_types",
            "another order, or one twice",
            "event types sorted, each once",
        );
    }
}

pub(super) fn keep(index: &mut Index, shape: &Shape, teller: &mut Teller<'_>) {
    if let Some(other) = index.shapes.get(&shape.signature) {
        teller.error("SHP029", "/signature", &other.file, "one file a signature");
        return;
    }
    index.shapes.insert(
        shape.signature.clone(),
        ShapeFacts {
            file: teller.file().to_owned(),
            family: shape.protocol_family.clone(),
            level: shape.validity_level,
            stdout: shape.frame_shapes.iter().any(|frame| frame.stream == Stream::Stdout),
            stderr: shape.frame_shapes.iter().any(|frame| frame.stream == Stream::Stderr),
            hashes_to: shape.sign().unwrap_or_default(),
        },
    );
}

/// A shape has the level of the strongest record behind it, decisions left out: those are about observations.
pub(super) fn across(index: &Index) -> Vec<Problem> {
    let mut strongest: HashMap<&str, Validity> = HashMap::new();
    let seen = index
        .observations
        .iter()
        .map(|one| (one.shape.as_str(), Validity::from(one.level)));
    let derived = index.evidence.values().map(|one| (one.shape.as_str(), one.level));
    for (shape, level) in seen.chain(derived) {
        let best = strongest.entry(shape).or_insert(level);
        if level.strength() > best.strength() {
            *best = level;
        }
    }
    let mut problems = Vec::new();
    for (signature, shape) in &index.shapes {
        let mut teller = Teller::new(&shape.file);
        match strongest.get(signature.as_str()) {
            None => teller.error(
                "SHP028",
                "/signature",
                signature,
                "an observation or an evidence record that names it",
            ),
            Some(best) if *best != shape.level && !is_promoted(index, signature, shape.level) => {
                teller.error("SHP027", "/validity_level", shape.level.words(), best.words());
            }
            Some(_) => {}
        }
        problems.extend(teller.into_problems());
    }
    problems
}

/// Whether a decision gives this level to an observation of the shape.
fn is_promoted(index: &Index, signature: &str, level: Validity) -> bool {
    use crate::records::{PromotedLevel, PromotionAction};
    index.promotions.values().any(|(promotion, _)| match &promotion.action {
        PromotionAction::Promote { to, observations, .. } => {
            let given = match to {
                PromotedLevel::Confirmed => Validity::Confirmed,
                PromotedLevel::CommunityConfirmed => Validity::CommunityConfirmed,
            };
            given == level
                && observations
                    .iter()
                    .filter_map(|one| index.observation(one.path.as_str()))
                    .any(|one| one.shape == signature)
        }
        PromotionAction::ServerVariant { variants, .. } => {
            level == Validity::ServerVariant && variants.iter().any(|variant| variant.shape.as_str() == signature)
        }
        _ => false,
    })
}
