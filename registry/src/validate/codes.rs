//! The codes of the validator, with what they mean and how to mend what they tell. The only place where they are defined.
//!
//! `FIL` is about files, `PUB` about what must not be published; the other letters are those of a kind of record. The
//! first twenty numbers of a kind are about its schema and mean the same for every kind.

use crate::records::KINDS;

/// What a code means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// As in `OBS024`.
    pub code: String,
    /// What is wrong, in one sentence.
    pub title: &'static str,
    /// How to mend it.
    pub mend: &'static str,
}

/// The rules of the schemas: the last digits of their codes, for every kind.
pub(super) const SCHEMA: &[(u16, &str, &str)] = &[
    (1, "a required member is missing", "add the member"),
    (
        2,
        "there is a member that the record does not have",
        "remove the member, or put it into `extensions` where there is one",
    ),
    (3, "a value has another type", "give a value of the expected type"),
    (4, "a value is none of the allowed words", "use one of the words"),
    (5, "a text is not in its format", "write it in the format"),
    (
        6,
        "there is too much, too little or the same twice",
        "keep to the bounds",
    ),
    (
        7,
        "the record has a schema version that is not known here",
        "use a newer program, or register a migration",
    ),
    (
        8,
        "a condition between members does not hold",
        "change one of the members that contradict each other",
    ),
    (
        9,
        "the value has none of the allowed forms",
        "give it one of the forms that the schema lists",
    ),
];

/// Every other rule, one line each.
#[rustfmt::skip]
pub(super) const RULES: &[(&str, &str, &str)] = &[
    ("FIL001", "a file cannot be read", "make it readable, or remove it"),
    ("FIL002", "a file is larger than any record", "remove it; 64 MB are the limit"),
    ("FIL003", "a text is not UTF-8", "write it in UTF-8"),
    ("FIL004", "a text starts with a byte order mark", "remove the first three bytes"),
    ("FIL005", "a record is not JSON", "mend the syntax; a truncated file must be written again"),
    ("FIL006", "an object has one member twice", "remove one of them; readers disagree about which one counts"),
    ("FIL007", "a number is too large to be the same everywhere", "write it as a string, or leave it out; 2^53 - 1 is the limit"),
    ("FIL008", "a record is nested too deeply", "it is no record; remove it"),
    ("FIL009", "there is a link or something else that is no plain file", "put the file itself there"),
    ("FIL010", "a name is hidden or not portable", "use letters, digits and `. _ + - @ %` only"),
    ("FIL011", "no kind of record stands here", "move it to where it belongs, or remove it"),
    ("FIL012", "a record cannot be read though its schema allows it", "compare it with its type in the documentation"),
    ("PUB001", "something that must not be published", "remove it, or write the record again from redacted data"),
    ("AGT020", "an agent is listed twice", "generate the list again"),
    ("AGT021", "the list of agents is missing", "run `agent-contracts run`, which writes it"),
    ("AGT022", "an agent that is only scanned has a family of captures, or the other way round", "mend the agent's file and generate the list again"),
    ("AGT023", "the transports are not those of the families", "generate the list again"),
    ("REL020", "a file of releases has not the name of its agent", "rename it"),
    ("REL021", "the agent is not registered", "add its file, or remove the releases"),
    ("REL022", "a version is listed twice", "remove one"),
    ("PRB020", "a probe has not the name of its folder", "rename one of them"),
    ("PRB021", "the prompt of a probe is missing", "add prompt.md"),
    ("PRB022", "a probe has neither expected events nor an environment policy", "add expected-min-events.json or env-policy.json"),
    ("PRB023", "a folder of a probe has no definition", "add probe.json"),
    ("PRB024", "a file that a step names is not there", "add it to the folder, or to fixture-files"),
    ("PRB025", "a probe that agents need is not defined", "add its folder"),
    ("PRB026", "one meaning is both required and forbidden or optional", "say it once"),
    ("SHP020", "a shape does not hash to its signature", "make it again from its source; shapes are never edited"),
    ("SHP021", "a shape is not in the file of its signature", "move it"),
    ("SHP022", "a frame has an event type that the list leaves out, or the other way round", "make the shape again"),
    ("SHP023", "a list of a shape is not sorted, or has something twice", "make the shape again"),
    ("SHP024", "the number of frames is wrong", "make the shape again"),
    ("SHP025", "a frame goes the wrong way for its pipe", "make the shape again"),
    ("SHP026", "the transport is not that of the family", "make the shape again"),
    ("SHP027", "the level of a shape is not that of its strongest evidence", "set it to the level of what stands behind it"),
    ("SHP028", "nothing names the shape", "remove it, or restore the record that it came from"),
    ("SHP029", "two files claim one signature", "remove one of them"),
    ("SHP030", "a path is written twice with different `required`", "make the shape again"),
    ("SHP031", "a set of values stands at a path that the frame does not have", "make the shape again"),
    ("FIX020", "a line of a fixture is no line of a transcript", "record it again"),
    ("FIX021", "a fixture does not normalise to its shape", "make the shape again with the profile of the observation"),
    ("FIX022", "a fixture has no shape", "restore the shape, or remove the fixture"),
    ("FIX023", "a path that is required is absent in the fixture", "make the shape again"),
    ("FIX024", "the ending of a fixture is not that of its family", "rename it: .transcript.jsonl for RPC, .sanitized.jsonl for the rest"),
    ("FIX025", "times of a transcript go backwards", "record it again; offsets are monotonic"),
    ("FIX026", "no observation has this fixture", "restore the observation, or remove the fixture"),
    ("FIX027", "no observation has this transcript", "restore the observation that brought the fixture"),
    ("FIX028", "a frame is no message of its family", "record it again"),
    ("PRO020", "a profile does not hash to its name", "make it again; profiles are never edited"),
    ("PRO021", "a path or an event type of a profile cannot be read", "write it in the notation of shapes"),
    ("OBS020", "the agent is not registered", "add its file and generate registry/agents.json"),
    ("OBS021", "the agent is only scanned and cannot be observed", "remove the observation"),
    ("OBS022", "the agent never declared this family", "declare it in the agent's file, or mend the record"),
    ("OBS023", "the probe is not defined", "add probes/ID, or mend the record"),
    ("OBS024", "the shape is not there", "add the file of the shape"),
    ("OBS025", "the path of the shape is not that of its signature and family", "mend the path"),
    ("OBS026", "the signature does not match the referenced shape", "name the shape that was really seen"),
    ("OBS027", "the fixture of the shape is not there", "add it; the first observation of a shape brings it"),
    ("OBS028", "the golden is not there", "add it, or leave it out"),
    ("OBS029", "the profile is not there", "add it to registry/profiles"),
    ("OBS030", "redaction did not pass", "publish nothing of it"),
    ("OBS031", "the fixture has standard output and the record no hash of it", "add capture.raw_stdout_sha256"),
    ("OBS032", "the fixture has standard error and the record no hash of it", "add capture.raw_stderr_sha256"),
    ("OBS033", "it was made in the future", "mend the clock of the runner and capture again"),
    ("OBS034", "it was made before the version was published", "mend the clock of the runner and capture again"),
    ("OBS035", "the versions of one install disagree", "capture again with the version that was asked for"),
    ("OBS036", "the evidence is about another transcript", "mend extensions.evidence.raw_sha256"),
    ("OBS037", "a record is not in its place", "rename it to its place"),
    ("OBS038", "one transcript has two observations", "remove one of them"),
    ("OBS039", "the raw artifact is said to be both kept and discarded", "mend the visibility or the retention"),
    ("OBS040", "it answers evidence, or a finding, that is not there", "name an evidence record of the tree and findings of it"),
    ("OBS041", "there is no evidence record", "add extensions.evidence, so that it can be audited"),
    ("OBS042", "the level is one that only a decision gives", "write `runtime_observed` and a promotion record"),
    ("EVI020", "the agent is not registered", "add its file and generate registry/agents.json"),
    ("EVI021", "the agent never declared this family", "declare it in the agent's file, or mend the record"),
    ("EVI022", "the derived shape is not there", "scan again"),
    ("EVI023", "the path of the shape is not that of its signature and family", "mend the path"),
    ("EVI024", "the record does not hash to its identity", "scan again; evidence is never edited"),
    ("EVI025", "a record is not in its place", "rename it to its place"),
    ("EVI026", "it was found in the future", "mend the clock and scan again"),
    ("EVI027", "a finding stands under a rule that does not exist", "scan again with this program"),
    ("EVI028", "two records have one identity", "remove one of them"),
    ("IDX020", "the index is not the one that the records give", "run `agent-contracts run`, which makes it again"),
    ("MTX020", "the agent is not registered", "generate the matrix again"),
    ("MTX021", "the agent never declared this family", "generate the matrix again"),
    ("MTX022", "a shape of a claim is not there", "generate the matrix again"),
    ("MTX023", "a claim rests on a shape that was never observed", "generate the matrix again; source, documents and fixtures support no claim"),
    ("MTX024", "an observation of a claim is not there", "generate the matrix again"),
    ("MTX025", "the last time of a claim is not that of its newest shape", "generate the matrix again"),
    ("MTX026", "the matrix is not the one that the records give", "run `agent-contracts matrix`"),
    ("MTX027", "a file that shows why something is broken is not there", "restore it"),
    ("MTX028", "no observation of the tree has this shape for this agent", "generate the matrix again"),
    ("MTX029", "a tree cannot say what runs on the reader's own machine", "generate the matrix again"),
    ("MTX030", "a range that no version can be in", "generate the matrix again"),
    ("ERR020", "the agent is not registered", "add its file and generate registry/agents.json"),
    ("ERR021", "the probe is not defined, or is not about a failure", "name an error probe"),
    ("ERR022", "no observation has this raw transcript", "add the observation that the case was made from"),
    ("ERR023", "a record is not in its place", "rename it to its place"),
    ("PRM020", "the agent is not registered", "mend the agent"),
    ("PRM021", "an observation is not there, or has other bytes", "name observations of the tree with the hash of their file"),
    ("PRM022", "an earlier decision is not there, or has other bytes", "name it with the hash of its file"),
    ("PRM023", "there are too few observations to confirm one", "wait for a second capture"),
    ("PRM024", "the observations are not of one agent, version, family, probe and shape", "promote them one group at a time"),
    ("PRM025", "the observations are not as independent as it says", "wait a day, or use another runner"),
    ("PRM026", "a reproduction is missing", "link the reproduction of somebody else"),
    ("PRM027", "what was attested is not what is promoted", "attest the transcripts of the observations"),
    ("PRM028", "a record is not in its place", "rename it to its place"),
    ("PRM029", "a contributor cannot decide", "have a maintainer attest it"),
    ("PRM030", "it was decided in the future", "mend the clock"),
    ("PRM031", "it was decided before what it rests on was there", "mend the clock"),
    ("PRM032", "it is so already", "nothing is left to do"),
    ("PRM033", "nothing that ran has this shape", "capture a version that has it; source, documents and fixtures support no claim"),
    ("PRM034", "an observation that supports nothing is decided on", "capture it again"),
    ("PRM035", "what is said to break was not seen to", "capture it, and name the observation as evidence"),
    ("ALT020", "a text of an alert is not there, or has another hash", "run `agent-contracts run`, which writes it again"),
    ("ALT021", "the agent is not registered", "remove the alert"),
    ("ALT022", "a record is not in its place", "rename it to its place"),
    ("ALT023", "the evidence of an alert is not there", "restore it"),
    ("RCP020", "a receipt is of no alert", "restore the alert, or remove the receipt"),
    ("RCP021", "a record is not in its place", "rename it to its place"),
    ("MAN020", "a file of the manifest is not there", "restore it"),
    ("MAN021", "a file is not the one of the manifest", "restore it, or make the manifest again"),
    ("MAN022", "a file is not in the manifest", "remove it, or make the manifest again"),
    ("MAN023", "the manifest is not sorted, or has a path twice", "make the manifest again"),
    ("SCH020", "a schema is not the one of this program", "run `cargo run -p agent-contracts-registry --bin generate`"),
];

/// Every code, sorted.
#[must_use]
pub fn all() -> Vec<Code> {
    let kinds = KINDS.iter().map(|kind| kind.letters);
    let mut codes: Vec<Code> = kinds
        .flat_map(|letters| {
            SCHEMA.iter().map(move |(number, title, mend)| Code {
                code: format!("{letters}{number:03}"),
                title,
                mend,
            })
        })
        .chain(RULES.iter().map(|(code, title, mend)| Code {
            code: (*code).to_owned(),
            title,
            mend,
        }))
        .collect();
    codes.sort_by(|a, b| a.code.cmp(&b.code));
    codes
}

/// What a code means; `None` for none of ours.
#[must_use]
pub fn of(code: &str) -> Option<Code> {
    let found = |title, mend| Code {
        code: code.to_owned(),
        title,
        mend,
    };
    if let Some((_, title, mend)) = RULES.iter().find(|(own, _, _)| *own == code) {
        return Some(found(title, mend));
    }
    let (letters, number) = code.split_at_checked(3)?;
    let known = KINDS.iter().any(|kind| kind.letters == letters);
    let number: u16 = number.parse().ok()?;
    let (_, title, mend) = SCHEMA.iter().find(|(own, _, _)| *own == number && known)?;
    Some(found(title, mend))
}
