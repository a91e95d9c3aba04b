//! What a person reads who wrote a file with mistakes: every mistake at once, its place, and a way out.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use agent_contracts_config::Agents;

/// Cases: what is wrong, the name of the file, the file.
const CASES: &[(&str, &str, &str)] = &[
    (
        "unknown key at the top",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]
chanels = []
"#,
    ),
    (
        "unknown keys deeper down, in a list and in a channel",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme", fallback = ["acme2"] }
families = ["plain/v1"]

[version]
tagpattern = 'v(?P<version>.*)'

[[channels]]
kind = "npm"
package = "acme"
platform = { linux-x64 = "acme-linux" }

[[channels]]
kind = "github-release"
repo = "acme/acme"
"#,
    ),
    (
        "bad globs",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]

[[sources]]
kind = "git"
location = "acme"
flags = ["src/[a-.rs"]

[[sources.eras]]
family = "plain/v1"
scope = ["src/{a,b.rs", "/etc/passwd", "../other/*.ts"]

[[sources.eras]]
family = "plain/v1"
scope = []
"#,
    ),
    (
        "bad patterns",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]

[version]
pattern = 'acme (\d+'
tag_pattern = '^v(?P<ver>\d+)$'
prerelease = '['

[[channels]]
kind = "endpoint"
url = "http://acme.example/latest"
pattern = 'no group'

[[channels]]
kind = "endpoint"
url = "https://acme.example/latest.json"
pointer = "version.latest"

[[channels]]
kind = "endpoint"
url = "https://acme.example/both"
"#,
    ),
    (
        "an era without a scope, a root without a type, a wrong direction",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]

[[sources]]
kind = "npm"
location = "acme"

[[sources.eras]]
family = "plain/v1"

[[sources.eras]]
family = "plain/v1"
scope = ["a.ts"]
roots = [{ direction = "output" }, { type = "A", direction = "out" }]
"#,
    ),
    (
        "unknown families, and one that is not declared",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 5
binary = { name = "acme" }
families = ["json-event-steam/v1", "morse/v1"]

[[sources]]
kind = "npm"
location = "acme"

[[sources.eras]]
family = "plain/v1"
scope = ["a.ts"]
"#,
    ),
    (
        "an era that does not say which dialect it speaks",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]

[[sources]]
kind = "npm"
location = "acme"

[[sources.eras]]
family = "plain/v1"
dialect = "threads"
scope = ["a.ts"]
unless = ["/b.ts"]

[[sources.eras]]
family = "plain/v1"
scope = ["b.ts"]
"#,
    ),
    ("nothing but a comment", "my/acme.toml", "# to be done\n"),
    (
        "wrong types",
        "my/acme.toml",
        r#"
id = "acme"
name = 7
tier = "first"
binary = { name = "acme" }
families = "plain/v1"
"#,
    ),
    ("no TOML", "my/acme.toml", "id = \"acme\nname = Acme\n"),
    (
        "the id of another file, in the wrong case",
        "my/acme-cli.toml",
        r#"
id = "Acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]
"#,
    ),
    (
        "arguments that refer to nothing",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
binary = { name = "acme" }
families = ["plain/v1"]

[options.effort]
about = "How hard."
values = ["low", "high"]
default = "medium"

[[invocations]]
name = "run"
family = "plain/v1"
prompt = "stdin-text"
parts = [
    { args = ["--cd", "{cdw}"] },
    { args = ["--dir", "{item}"], each = "dir" },
    { args = ["--fast"], when = { equals = { effort = ["lo"] }, capability = { fast = ["seen"] } } },
    { args = ["--model", "{model}"], when = { sets = ["model"] } },
]

[[loopback]]
invocations = ["rn"]
dialect = "openai-chat"
env = { BASE = "{baseurl}" }
deviations = []
"#,
    ),
    (
        "an agent that is only scanned with a binary, and something verified that is not there",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 2
scan_only = true
binary = { name = "acme" }
families = ["plain/v1"]

[[verified]]
fields = ["version.pattern", "sourcs"]
how = "guessed"

[[verified]]
fields = ["version.pattern", "binary"]
how = "read"
"#,
    ),
    (
        "exempt from what it need not do, and without a reason",
        "my/acme.toml",
        r#"
id = "acme"
name = "Acme"
tier = 1
binary = { name = "acme" }
families = ["plain/v1"]

[exempt]
chat-text-sucess = "no account"
mcp-injection = "no MCP"
model-probe = " "
"#,
    ),
    (
        "an id that is taken",
        "my/codex.toml",
        r#"
id = "codex"
name = "My Codex"
tier = 2
binary = { name = "codex" }
families = ["plain/v1"]
"#,
    ),
];

#[test]
fn every_mistake_is_told_with_its_place_and_a_way_out() {
    let mut told = String::new();
    for (case, file, text) in CASES {
        let own = (
            "agents/codex.toml".to_owned(),
            "id = \"codex\"\nname = \"Codex\"\ntier = 0\nbinary = { name = \"codex\" }\nfamilies = [\"plain/v1\"]\n"
                .to_owned(),
        );
        let result = Agents::parse([own, ((*file).to_owned(), (*text).to_owned())]);
        let message = match result {
            Ok(_) => "loaded without a word".to_owned(),
            Err(error) => error.to_string(),
        };
        writeln!(told, "== {case}\n{message}\n").ok();
    }
    insta::assert_snapshot!(told);
}

/// What claims may say beyond what was observed is about versions and families that the agent has.
#[test]
fn a_policy_of_support_speaks_of_what_the_agent_has() {
    let problems = |scheme: &str, more: &str| {
        let text = format!(
            "id = \"acme\"\nname = \"Acme\"\ntier = 2\nbinary = {{ name = \"acme\" }}\nfamilies = [\"plain/v1\"]\n\
             [version]\nscheme = \"{scheme}\"\n[support]\n{more}\n"
        );
        match Agents::parse([("acme.toml".to_owned(), text)]) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    };
    for (scheme, more, expected) in [
        (
            "semver",
            "bridge = true\nknown_breaking = \"warn\"\noldest = { version = \"1.2.0\", why = \"no json\" }",
            "",
        ),
        ("semver", "exempt = { \"plain/v1\" = \"nobody reads it\" }", ""),
        (
            "calver",
            "bridge = true",
            "acme.toml:9:10: `bridge` for versions that are not semantic",
        ),
        (
            "semver",
            "oldest = { version = \"newest\", why = \"x\" }",
            "`newest` is no version in the agent's own scheme",
        ),
        (
            "semver",
            "oldest = { version = \"1.2.0\", why = \" \" }",
            "is no text that is not blank",
        ),
        (
            "semver",
            "exempt = { \"plian/v1\" = \"x\" }",
            "did you mean `plain/v1`?",
        ),
        ("semver", "exempt = { \"plain/v1\" = \" \" }", "without a reason"),
        ("semver", "known_breaking = \"allow\"", "unknown value `allow`"),
        ("semver", "brdge = true", "brdge"),
    ] {
        let found = problems(scheme, more);
        let fits = if expected.is_empty() {
            found.is_empty()
        } else {
            found.contains(expected)
        };
        assert!(fits, "{more}: {found}");
    }
    let scanned = "id = \"acme\"\nname = \"Acme\"\ntier = 2\nscan_only = true\nfamilies = [\"scan-only/v1\"]\n\
                   [support]\nbridge = false\n[[sources]]\nkind = \"npm\"\nlocation = \"acme\"\n[[sources.eras]]\n\
                   family = \"scan-only/v1\"\nscope = [\"a.ts\"]\n";
    let error = Agents::parse([("acme.toml".to_owned(), scanned.to_owned())]).unwrap_err();
    assert!(
        error.to_string().contains("`support` in an agent that is only scanned"),
        "{error}"
    );
}

#[test]
fn one_agent_can_be_had_without_the_others() {
    let one = Agents::load_only(None, "codex").unwrap();
    assert_eq!(one.iter().map(|agent| agent.id.as_str()).collect::<Vec<_>>(), ["codex"]);
    let all = Agents::load_only(None, "codxe").unwrap();
    assert!(all.len() > 30 && all.get("codxe").is_err());
}
