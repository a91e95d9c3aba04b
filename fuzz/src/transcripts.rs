//! Pipes and transcripts: what is written on a pipe has one shape however it is cut, and a shape keeps what it promises.

use agent_contracts_shapes::transcript::Transcript;
use agent_contracts_shapes::{Circumstances, Class, Normalised, Normaliser, Profile, Rules, Shape, Stream, Validity};
use agent_contracts_wire::{EventType, Family, Path};

const FAMILIES: [&str; 5] = [
    "json-event-stream/v1",
    "claude-stream-json/v1",
    "acp-json-rpc/v1",
    "pi-rpc/v1",
    "plain/v1",
];

/// The first byte says which family and where the rest is cut; the rest is what a CLI wrote, and may be a transcript.
pub fn normaliser(data: &[u8]) {
    let Some((first, data)) = data.split_first() else {
        return;
    };
    let family = FAMILIES[usize::from(*first) % FAMILIES.len()];
    let Some(profile) = profile(family) else {
        panic!("{family} has no profile");
    };
    let whole = finished(&profile, |normaliser| normaliser.bytes(Stream::Stdout, data));
    let pieces = finished(&profile, |normaliser| {
        for piece in data.chunks(1 + usize::from(*first) / FAMILIES.len()) {
            normaliser.bytes(Stream::Stdout, piece);
        }
    });
    assert_eq!(whole, pieces, "pieces say something");
    holds(&whole.shape);
    let records = finished(&profile, |normaliser| {
        for line in Transcript::with_limit(data, 1 << 20).map_while(Result::ok) {
            normaliser.push(&line.1);
        }
    });
    holds(&records.shape);
    if let Ok(compared) = agent_contracts_shapes::compare(&whole.shape, &records.shape, &Circumstances::default()) {
        let same = whole.shape.signature == records.shape.signature;
        assert_eq!(compared.class == Class::SameShape, same);
    }
}

fn profile(family: &str) -> Option<Profile> {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let rules = Rules {
        floating: list(&["rate*"]),
        volatile: list(&["chance"]),
        tags: list(&["item.type", "message.content[].type", "msg.*"]),
        maps: list(&["models", "list[].*"]),
        opaque: list(&["tools", "content[text].input"]),
        ignored: list(&["session"]),
        kept: list(&["stop_reason"]),
    };
    Profile::new(None, Family::of(family)?, &rules).ok()
}

fn finished(profile: &Profile, take: impl FnOnce(&mut Normaliser)) -> Normalised {
    let Ok(mut normaliser) = Normaliser::new(profile) else {
        panic!("the profile cannot be read");
    };
    take(&mut normaliser);
    match normaliser.finish(Validity::SyntheticMock) {
        Ok(found) => found,
        Err(error) => panic!("{error}"),
    }
}

/// What readers of a shape rely on.
fn holds(shape: &Shape) {
    assert_eq!(shape.sign().ok().as_ref(), Some(&shape.signature));
    let text = serde_json::to_string(shape).unwrap_or_default();
    assert_eq!(serde_json::from_str::<Shape>(&text).ok().as_ref(), Some(shape));
    for frame in &shape.frame_shapes {
        let event = frame.event_type.parse::<EventType>().map(|event| event.to_string());
        assert_eq!(event.as_ref(), Ok(&frame.event_type));
        assert!(shape.event_types.contains(&frame.event_type));
        for path in &frame.paths {
            assert_eq!(
                path.path.parse::<Path>().map(|read| read.to_string()).as_ref(),
                Ok(&path.path)
            );
        }
        for path in frame.enums.keys() {
            assert!(
                frame.paths.iter().any(|known| known.path == *path),
                "{path} has values and is not there"
            );
        }
    }
    if let Ok(compared) = agent_contracts_shapes::compare(shape, shape, &Circumstances::default()) {
        assert_eq!(compared.class, Class::SameShape);
        assert!(compared.diff.findings.is_empty(), "a shape differs from itself");
    }
}
