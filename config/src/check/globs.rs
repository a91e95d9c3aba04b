//! Globs compile and stay inside the repository or package.

use globset::GlobBuilder;

use crate::agent::AgentDef;
use crate::toml_file::{Doc, Problem, Step, at};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    for (i, source) in agent.sources.iter().enumerate() {
        for (k, flags) in source.flags.iter().enumerate() {
            one(doc, &at!["sources", i, "flags", k], flags, problems);
        }
        for (j, era) in source.eras.iter().enumerate() {
            if era.scope.is_empty() {
                problems.push(doc.problem(
                    &at!["sources", i, "eras", j, "scope"],
                    "an era without a scope reads nothing",
                    Some("name its files, as in `scope = [\"src/protocol/*.rs\"]`".to_owned()),
                ));
            }
            for (k, glob) in era.scope.iter().enumerate() {
                one(doc, &at!["sources", i, "eras", j, "scope", k], glob, problems);
            }
            for (m, twin) in era.twins.iter().enumerate() {
                for (k, glob) in twin.scope.iter().enumerate() {
                    one(
                        doc,
                        &at!["sources", i, "eras", j, "twins", m, "scope", k],
                        glob,
                        problems,
                    );
                }
            }
            for (k, glob) in era.unless.iter().enumerate() {
                one(doc, &at!["sources", i, "eras", j, "unless", k], glob, problems);
            }
        }
        if source.eras.is_empty() && source.flags.is_empty() {
            problems.push(doc.problem(
                &at!["sources", i, "eras"],
                "a source without eras and flags reads nothing",
                Some("add `[[sources.eras]]` with `scope` and `family`".to_owned()),
            ));
        }
    }
}

fn one(doc: &Doc<'_>, place: &[Step], glob: &str, problems: &mut Vec<Problem>) {
    if let Err(error) = GlobBuilder::new(glob).literal_separator(true).build() {
        problems.push(doc.problem(
            place,
            format!("`{glob}` is no glob: {}", error.kind()),
            Some("`*` stops at `/`, `**` does not, `{a,b}` is a choice, `[ab]` one letter".to_owned()),
        ));
    }
    let outside = glob.starts_with(['/', '\\']) || glob.split('/').any(|part| part == ".." || part == ".");
    if glob.is_empty() || outside {
        problems.push(doc.problem(
            place,
            format!("`{glob}` is not inside the repository or package"),
            Some("write it from the root, without `/` in front and without `.` or `..`".to_owned()),
        ));
    }
}
