//! What a capture leaves beside its observation: the profile, the fixture, what parsers made of it.

use agent_contracts_shapes::{Normaliser, Profile, Shape, Transcript};
use agent_contracts_wire::{Family, Transport};

use super::{Put, StoreError, Writer, Written};
use crate::records::DaemonEvent;

impl Writer<'_> {
    /// Writes a profile. It is named by its content, so the same one is never written twice.
    pub fn put_profile(&self, profile: &Profile) -> Result<Put, StoreError> {
        let path = profile.place();
        let signed = profile.sign();
        if signed != profile.signature {
            let why = format!("the profile is signed {} and hashes to {signed}", profile.signature);
            return Err(conflict(&path, why));
        }
        if let Some(old) = self.store.read_json::<Profile>(&path)?
            && old.sign() != profile.signature
        {
            return Err(conflict(
                &path,
                "its content does not hash to its name; delete it and run again".to_owned(),
            ));
        }
        self.put_json(&path, profile)
    }

    /// Writes the sanitised transcript of a shape, unless it has one: the first accepted one stays. One that this profile
    /// does not normalise to the shape is refused.
    pub fn put_fixture(&self, shape: &Shape, profile: &Profile, text: &str) -> Result<Put, StoreError> {
        let path = fixture(shape)?;
        let made = normalised(profile, shape, text).map_err(|why| conflict(&path, why))?;
        if made != shape.signature {
            return Err(conflict(&path, format!("the transcript normalises to {made}")));
        }
        if self.store.read(&path)?.is_some() {
            return Ok(Put {
                path,
                written: Written::Same,
            });
        }
        self.put_text(&path, text)
    }

    /// Writes what a parser makes of a shape's fixture. A newer parser may make something else of it. `parser` is in
    /// kebab-case, as in `open-design-parser`.
    pub fn put_golden(&self, shape: &Shape, parser: &str, events: &[DaemonEvent]) -> Result<Put, StoreError> {
        let family = family(shape)?.folder();
        let name = shape.signature.replacen(':', "-", 1);
        let parser = agent_contracts_wire::place::component(parser);
        self.put_json(&format!("goldens/{parser}/{family}/{name}.events.json"), &events)
    }
}

fn conflict(path: &str, why: String) -> StoreError {
    StoreError::Conflict {
        path: path.to_owned(),
        why,
    }
}

fn family(shape: &Shape) -> Result<&'static Family, StoreError> {
    Family::of(&shape.protocol_family).ok_or_else(|| {
        conflict(
            "fixtures",
            format!("unknown protocol family `{}`", shape.protocol_family),
        )
    })
}

/// The file of a shape's fixture. Both sides of an RPC are recorded frame by frame, which the ending says.
fn fixture(shape: &Shape) -> Result<String, StoreError> {
    let family = family(shape)?;
    let ending = match family.transport {
        Transport::JsonRpc | Transport::PiRpc => "transcript",
        _ => "sanitized",
    };
    let name = shape.signature.replacen(':', "-", 1);
    Ok(format!("fixtures/{}/{name}.{ending}.jsonl", family.folder()))
}

/// The signature that a transcript comes to.
fn normalised(profile: &Profile, shape: &Shape, text: &str) -> Result<String, String> {
    let mut normaliser = Normaliser::new(profile).map_err(|error| error.to_string())?;
    for line in Transcript::new(text.as_bytes()) {
        let (_, line) = line.map_err(|error| error.to_string())?;
        normaliser.push(&line);
    }
    let made = normaliser
        .finish(shape.validity_level)
        .map_err(|error| error.to_string())?;
    Ok(made.shape.signature)
}
