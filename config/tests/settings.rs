//! The bot's settings: all may be left out, mistakes are told, and what was put in the wrong place is not repeated.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_config::Settings;
use agent_contracts_config::settings::{Pace, Service};

#[test]
fn an_empty_file_gives_the_defaults() {
    assert_eq!(Settings::parse("bot.toml", "").unwrap(), Settings::default());
    assert_eq!(Settings::parse("bot.toml", "[watch]\n").unwrap(), Settings::default());
    let defaults = Settings::default();
    assert_eq!(
        (
            defaults.network.connect_timeout_s,
            defaults.watch.polls_before_blind,
            defaults.scan.steps_per_agent
        ),
        (20, 3, 20)
    );
    assert!(defaults.endpoints.npm.is_none() && defaults.secrets.github.is_none());
}

#[test]
fn what_is_set_is_read() {
    let text = r#"
[agents]
only = ["codex", "claude"]
skip = ["claude"]

[endpoints]
npm = "http://127.0.0.1:4873"
vendor = { "https://acme.example/latest" = "http://127.0.0.1:9/latest" }

[secrets]
github = { env = "BOT_TOKEN" }

[network]
read_timeout_s = 5
pace = { crates = { in_flight = 1 } }
"#;
    let settings = Settings::parse("bot.toml", text).unwrap();
    assert!(settings.runs("codex") && !settings.runs("claude") && !settings.runs("pi"));
    assert_eq!(settings.endpoints.npm.as_deref(), Some("http://127.0.0.1:4873"));
    assert_eq!(settings.secrets.github.unwrap().env.as_deref(), Some("BOT_TOKEN"));
    assert_eq!(settings.network.read_timeout_s, 5);
    assert_eq!(
        settings.network.pace[&Service::Crates],
        Pace {
            in_flight: Some(1),
            pause_ms: None
        }
    );
}

#[test]
fn mistakes_are_told_and_values_are_not_repeated() {
    let text = r#"
[endpoint]
npm = "x"

[endpoints]
npm = "registry.private.example"
pypi = "https://user:hunter2@private.example/simple"
vendor = "https://private.example"

[secrets]
github = "ghp_notarealtoken"

[network]
atempts = 3
pace = { gitlab = {}, npm = { in_flight = 0 } }

[watch]
fresh_days = "often"
polls_before_blind = 0
"#;
    let error = Settings::parse("bot.toml", text).unwrap_err().to_string();
    for secret in ["private.example", "hunter2", "ghp_", "not-a-name", "often"] {
        assert!(!error.contains(secret), "{secret} is repeated in:\n{error}");
    }
    insta::assert_snapshot!(error);
}

#[test]
fn a_secret_is_named_by_one_place() {
    for (value, told) in [
        (r#"{ env = "not-a-name-but-a-token" }"#, "no name of a variable"),
        (r#"{ env = "A", file = "b" }"#, "needs either `env` or `file`"),
        ("{}", "needs either `env` or `file`"),
    ] {
        let error = Settings::parse("bot.toml", &format!("[secrets]\ngithub = {value}\n"));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(told) && !error.contains("but-a-token"), "{error}");
    }
    let file = "[secrets]\ngithub = { file = \"/run/secrets/github\" }\n";
    let settings = Settings::parse("bot.toml", file).unwrap();
    assert!(settings.secrets.github.unwrap().file.is_some());
}

#[test]
fn what_no_verb_reads_yet_is_no_setting() {
    for text in ["[capture]\n", "[notify]\n", "[watch]\nevery_minutes = 30\n"] {
        let error = Settings::parse("bot.toml", text).unwrap_err().to_string();
        assert!(error.contains("unknown key"), "{error}");
    }
}
