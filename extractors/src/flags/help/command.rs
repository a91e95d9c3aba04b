//! The command of a help text: by its usage line, or by the name of its file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::text::Line;

/// Names of files that stand for the program.
const PROGRAM: [&str; 5] = ["main", "index", "root", "help", "default"];
/// What stands for a subcommand or an argument in a usage line that has no brackets.
const PLACEHOLDERS: [&str; 16] = [
    "command",
    "commands",
    "subcommand",
    "options",
    "option",
    "flags",
    "flag",
    "args",
    "arguments",
    "file",
    "files",
    "path",
    "prompt",
    "query",
    "url",
    "name",
];

/// What a usage line tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Usage {
    program: String,
    path: Vec<String>,
}

/// Whether a text has a usage line.
pub(super) fn has_usage(lines: &[Line]) -> bool {
    !usages(lines).is_empty()
}

/// The command of each text, by its path. Where two texts are those of programs, the one whose file has the shorter name
/// is the program, and the others go by the names of theirs.
pub(super) fn programs<'t>(texts: impl Iterator<Item = (&'t str, &'t [Line])>) -> BTreeMap<String, String> {
    let texts: Vec<(&str, Option<Usage>)> = texts.map(|(path, lines)| (path, common(&usages(lines)))).collect();
    let named_main = texts
        .iter()
        .any(|(path, _)| PROGRAM.contains(&words(path).join(" ").as_str()));
    let mut commands: BTreeMap<String, String> = BTreeMap::new();
    let mut mains: Vec<(usize, &str, &str)> = Vec::new();
    for (path, usage) in &texts {
        let program = usage.as_ref().map_or("", |usage| usage.program.as_str());
        let told = usage.as_ref().map(|usage| usage.path.clone()).unwrap_or_default();
        let command = if told.is_empty() {
            by_file(path, program, named_main)
        } else {
            told.join(" ")
        };
        if command.is_empty() {
            mains.push((path.len(), path, program));
        }
        commands.insert((*path).to_owned(), command);
    }
    mains.sort_unstable();
    let first = mains.first().map_or("", |(_, _, program)| program);
    for (_, path, program) in mains.iter().skip(1) {
        if *program != first {
            commands.insert((*path).to_owned(), (*program).to_owned());
        }
    }
    commands
}

/// The command that the name of a file tells.
fn by_file(path: &str, program: &str, named_main: bool) -> String {
    let words = words(path);
    let name = words.join(" ");
    if PROGRAM.contains(&name.as_str()) || (name == program && !named_main) {
        return String::new();
    }
    let rest = name.strip_prefix(program).filter(|_| !program.is_empty());
    match rest.and_then(|rest| rest.strip_prefix([' ', '-', '_'])) {
        Some(rest) => rest.to_owned(),
        None => name,
    }
}

/// `help/mcp/add.help.txt` is `mcp add`; folders above `help` say nothing.
fn words(path: &str) -> Vec<&str> {
    let stem = path
        .strip_suffix(".txt")
        .or_else(|| path.strip_suffix(".help"))
        .unwrap_or(path);
    let stem = stem.strip_suffix(".help").unwrap_or(stem);
    let below = match stem.rfind("help/") {
        Some(at) if at == 0 || stem.as_bytes().get(at - 1) == Some(&b'/') => stem.get(at + 5..).unwrap_or(stem),
        _ => stem.rsplit('/').next().unwrap_or(stem),
    };
    below.split(['/', '.', ' ']).filter(|word| !word.is_empty()).collect()
}

/// The words that come after `Usage:`, on its line or on those below.
fn usages(lines: &[Line]) -> Vec<Usage> {
    let mut all = Vec::new();
    let mut within = false;
    for line in lines {
        let lower = line.text.to_lowercase();
        if let Some(rest) = lower
            .strip_prefix("usage")
            .map(|rest| rest.trim_start_matches([':', ' ']))
        {
            let at = line.text.len().saturating_sub(rest.len());
            within = rest.is_empty();
            all.extend(usage(line.text.get(at..).unwrap_or_default()));
        } else if within {
            let heading = line.text.ends_with(':') && !line.text.contains(' ');
            if line.text.is_empty() && !all.is_empty() || heading {
                within = false;
            } else if !line.text.is_empty() && line.indent > 0 {
                all.extend(usage(&line.text));
            }
        }
    }
    // yargs with a description of its own prints the command alone, first of all.
    if all.is_empty()
        && let Some(first) = lines.iter().find(|line| !line.text.is_empty())
        && first.indent == 0
        && first.text.contains([' ', '['])
        && first.text.contains(['[', '<'])
    {
        all.extend(usage(&first.text));
    }
    all
}

/// `tool exec resume [OPTIONS] <X>`
fn usage(text: &str) -> Option<Usage> {
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[a-z][a-z0-9_:-]*$").ok());
    let text = text.trim_start_matches(['$', '>', ' ']);
    let mut words = text.split_whitespace();
    let mut program = words.next()?;
    if matches!(program, "node" | "python" | "python3" | "npx" | "bunx" | "bun" | "deno") {
        program = words.next()?;
    }
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    if name.starts_with(['-', '[', '<']) {
        return None;
    }
    let plain = |word: &&str| WORD.as_ref().is_some_and(|plain| plain.is_match(word)) && !PLACEHOLDERS.contains(word);
    // `add|a`: the name and an alias.
    let words = words.map(|word| word.split('|').next().unwrap_or(word));
    Some(Usage {
        program: name.to_owned(),
        path: words.take_while(plain).map(str::to_owned).collect(),
    })
}

/// What all usage lines of one text begin with.
fn common(usages: &[Usage]) -> Option<Usage> {
    let mut all = usages.iter().cloned();
    let mut common = all.next()?;
    for other in all.filter(|other| usages.first().is_some_and(|first| first.program == other.program)) {
        let same = common.path.iter().zip(&other.path).take_while(|(a, b)| a == b).count();
        common.path.truncate(same);
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::help::text::lines;

    fn commands(texts: &[(&str, &str)]) -> Vec<String> {
        let texts: Vec<_> = texts.iter().map(|(path, text)| (*path, lines(text).0)).collect();
        let found = programs(texts.iter().map(|(path, lines)| (*path, lines.as_slice())));
        texts.iter().map(|(path, _)| found[*path].clone()).collect()
    }

    #[test]
    fn the_usage_line_tells_the_command() {
        for (text, expected) in [
            ("Usage: tool [OPTIONS] [PROMPT]", ""),
            ("Usage: tool exec resume [OPTIONS] <ID>", "exec resume"),
            ("Usage:\n  tool mcp add [flags]\n\nFlags:\n  --x", "mcp add"),
            ("Usage:\n  tool [flags]\n  tool [command]\n", ""),
            ("usage: tool sub [-h] [--x X] file", "sub"),
            ("Usage: tool command [options]", ""),
            ("Usage: tool mcp add|a [options] <name>", "mcp add"),
            ("tool run <file>\n\nRuns it\n\nOptions:\n", "run"),
            ("Usage: /usr/bin/tool exec FILE", "exec"),
            ("Usage: python -m tool exec", ""),
            ("USAGE\n  $ tool exec FILE [--x]\n", "exec"),
        ] {
            assert_eq!(commands(&[("a/main.txt", text)]), [expected], "{text}");
        }
    }

    #[test]
    fn else_the_file_tells_it() {
        let options = "Options:\n  --x";
        for (path, expected) in [
            ("help/exec.txt", "exec"),
            ("a/help/mcp/add.txt", "mcp add"),
            ("help/mcp.add.txt", "mcp add"),
            ("help/mcp add.help.txt", "mcp add"),
            ("exec.help.txt", "exec"),
            ("exec.help", "exec"),
            ("help/main.txt", ""),
            ("v1/index.txt", ""),
        ] {
            assert_eq!(commands(&[(path, options)]), [expected], "{path}");
        }
        let usage = "Usage: tool [options]";
        assert_eq!(
            commands(&[
                ("tool.txt", usage),
                ("tool-exec.txt", usage),
                ("other.help.txt", "Usage: other [x]")
            ]),
            ["", "exec", "other"]
        );
        // The program is named, so that this is a command which calls itself by its own name.
        assert_eq!(
            commands(&[("main.txt", usage), ("exec.txt", "Usage: exec [x]")]),
            ["", "exec"]
        );
    }
}
