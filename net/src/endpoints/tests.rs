#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use std::path::Path;

use super::*;

/// Surroundings with these variables, a home directory, and clients that answer from `answers`.
fn surroundings(env: &[(&str, &str)], home: &Path, answers: &'static [(&'static str, &'static str)]) -> Surroundings {
    let mut env: BTreeMap<String, String> = env.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    // The files of this machine must not decide a test.
    env.entry("PIP_CONFIG_FILE".into())
        .or_insert_with(|| "/dev/null".into());
    Surroundings {
        env,
        home: Some(home.to_owned()),
        cwd: Some(home.join("project")),
        ask: Arc::new(|program, _| {
            answers
                .iter()
                .find(|(name, _)| *name == program)
                .map(|(_, text)| (*text).to_owned())
        }),
    }
}

fn endpoints(env: &[(&str, &str)], home: &Path, answers: &'static [(&'static str, &'static str)]) -> Endpoints {
    Endpoints::new(EndpointSettings::default(), surroundings(env, home, answers))
}

/// Where it was learnt and what it is.
fn told(endpoint: Result<Endpoint, NetError>) -> (&'static str, String) {
    let endpoint = endpoint.unwrap();
    (endpoint.origin(), endpoint.base().expose().to_string())
}

fn told_as(origin: &'static str, url: &str) -> (&'static str, String) {
    (origin, url.to_owned())
}

const CLIENTS: &[(&str, &str)] = &[
    ("npm", "npm notice: something\nhttp://asked.test/npm/\n"),
    (
        "pip3",
        "  -i, --index-url <url>  Base URL of the index (default http://asked.test/simple). This should\n  -x (default http://no.test)",
    ),
];

#[test]
fn npm_in_order() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    assert_eq!(
        told(endpoints(&[], dir, CLIENTS).npm("a")),
        told_as("npm, when asked", "http://asked.test/npm/")
    );
    std::fs::write(
        dir.join(".npmrc"),
        "registry = http://user.test/\n; x\n@s:registry=http://scope.test/n\n",
    )
    .unwrap();
    assert_eq!(
        told(endpoints(&[], dir, CLIENTS).npm("a")),
        told_as(".npmrc", "http://user.test/")
    );
    assert_eq!(
        told(endpoints(&[], dir, CLIENTS).npm("@s/a")),
        told_as(".npmrc", "http://scope.test/n")
    );
    assert_eq!(
        told(endpoints(&[], dir, CLIENTS).npm("@other/a")),
        told_as(".npmrc", "http://user.test/")
    );
    std::fs::create_dir(dir.join("project")).unwrap();
    std::fs::write(dir.join("project/.npmrc"), "registry=${WHERE}\n").unwrap();
    let env = [("WHERE", "http://project.test/")];
    assert_eq!(
        told(endpoints(&env, dir, CLIENTS).npm("a")),
        told_as(".npmrc", "http://project.test/")
    );
    for name in ["npm_config_registry", "NPM_CONFIG_REGISTRY"] {
        let env = [(name, "http://env.test/")];
        assert_eq!(
            told(endpoints(&env, dir, CLIENTS).npm("a")),
            told_as("the environment", "http://env.test/")
        );
    }
    let settings = EndpointSettings::default().with(Registry::Npm, "http://set.test");
    let set = Endpoints::new(settings, surroundings(&env, dir, CLIENTS));
    assert_eq!(told(set.npm("@s/a")), told_as("the setting", "http://set.test/"));
}

#[test]
fn npm_credentials_go_to_their_host_only() {
    let home = tempfile::tempdir().unwrap();
    let text =
        "registry=http://h.test:8080/npm/sub/\n//h.test:8080/npm/:_authToken=${TOKEN}\n//other.test/:_auth=eHg=\n";
    std::fs::write(home.path().join(".npmrc"), text).unwrap();
    let endpoint = endpoints(&[("TOKEN", "t0p")], home.path(), &[]).npm("a").unwrap();
    let here = endpoint.join(&["a"]);
    assert_eq!(endpoint.auth_for(&here).unwrap().expose(), "Bearer t0p");
    let elsewhere = PrivateUrl::parse("t", "http://other.test/a.tgz").unwrap();
    assert!(endpoint.auth_for(&elsewhere).is_none());
    std::fs::write(
        home.path().join(".npmrc"),
        "registry=http://h.test\n//h.test/:username=u\n//h.test/:_password=cA==",
    )
    .unwrap();
    let endpoint = endpoints(&[], home.path(), &[]).npm("a").unwrap();
    assert_eq!(endpoint.auth_for(endpoint.base()).unwrap().expose(), "Basic dTpw");
}

#[test]
fn pip_in_order() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    assert_eq!(
        told(endpoints(&[], dir, CLIENTS).pypi()),
        told_as("pip, when asked", "http://asked.test/simple")
    );
    let file = dir.join("pip.conf");
    std::fs::write(
        &file,
        "[global]\nindex-url = http://u:p%40@file.test/simple\n[list]\nindex_url = http://no.test\n",
    )
    .unwrap();
    let conf = ("PIP_CONFIG_FILE", file.to_str().unwrap());
    let found = endpoints(&[conf], dir, CLIENTS);
    assert_eq!(told(found.pypi()), told_as("pip.conf", "http://file.test/simple"));
    let endpoint = found.pypi().unwrap();
    assert_eq!(endpoint.auth_for(endpoint.base()).unwrap().expose(), "Basic dTpwQA==");
    let env = [conf, ("PIP_INDEX_URL", "http://env.test/simple/")];
    assert_eq!(
        told(endpoints(&env, dir, CLIENTS).pypi()),
        told_as("the environment", "http://env.test/simple/")
    );
    let none = endpoints(&[("PIP_NO_INDEX", "1")], dir, CLIENTS).pypi().unwrap_err();
    assert!(none.to_string().contains("no-index"), "{none}");
}

#[test]
fn cargo_in_order() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path();
    assert_eq!(endpoints(&[], dir, &[]).crates().unwrap().origin(), "cargo's default");
    std::fs::create_dir_all(dir.join("project/.cargo")).unwrap();
    std::fs::write(
        dir.join("project/.cargo/config.toml"),
        "[source.crates-io]\nreplace-with = 'm'\n[source.m]\nregistry = 'sparse+http://mirror.test/index/'\n",
    )
    .unwrap();
    let found = endpoints(&[], dir, &[]).crates();
    assert_eq!(
        told(found),
        told_as("cargo's configuration", "http://mirror.test/index/")
    );
    let env = [("CARGO_REGISTRIES_CRATES_IO_INDEX", "sparse+http://env.test/")];
    assert_eq!(
        told(endpoints(&env, dir, &[]).crates()),
        told_as("the environment", "http://env.test/")
    );
}

#[test]
fn without_a_client_it_is_unavailable() {
    let home = tempfile::tempdir().unwrap();
    let none = endpoints(&[], home.path(), &[]);
    for error in [none.npm("a").unwrap_err(), none.pypi().unwrap_err()] {
        assert!(error.to_string().contains("unavailable: no client"), "{error}");
    }
}

#[test]
fn github_and_homebrew_have_defaults_that_can_be_set() {
    let home = tempfile::tempdir().unwrap();
    let with_token = endpoints(&[("GITHUB_TOKEN", "t0k")], home.path(), &[]);
    let api = with_token.github_api().unwrap();
    assert_eq!(api.base().expose().as_str(), "https://api.github.com/");
    assert_eq!(api.auth_for(api.base()).unwrap().expose(), "Bearer t0k");
    assert!(
        with_token
            .github_web()
            .unwrap()
            .auth_for(with_token.github_web().unwrap().base())
            .is_none()
    );
    assert_eq!(
        told(with_token.homebrew()),
        told_as("the default", "https://formulae.brew.sh/api")
    );
    let settings = EndpointSettings::default().with(Registry::GithubApi, "http://127.0.0.1:1");
    let set = Endpoints::new(settings, surroundings(&[], home.path(), &[]));
    assert_eq!(told(set.github_api()), told_as("the setting", "http://127.0.0.1:1/"));
}

#[test]
fn the_token_of_the_settings_goes_before_the_environment() {
    let home = tempfile::tempdir().unwrap();
    let settings = EndpointSettings::default().with_github_token(Secret::new("s3t"));
    assert!(!format!("{settings:?}").contains("s3t"));
    let set = Endpoints::new(settings, surroundings(&[("GITHUB_TOKEN", "t0k")], home.path(), &[]));
    let api = set.github_api().unwrap();
    assert_eq!(api.auth_for(api.base()).unwrap().expose(), "Bearer s3t");
    let later = endpoints(&[("GITHUB_TOKEN", " "), ("GH_TOKEN", "gh")], home.path(), &[]);
    let api = later.github_api().unwrap();
    assert_eq!(api.auth_for(api.base()).unwrap().expose(), "Bearer gh");
}

#[test]
fn a_vendor_is_asked_where_its_agent_says_or_where_the_setting_says() {
    let home = tempfile::tempdir().unwrap();
    let settings = EndpointSettings::default().with_vendor("https://v.test/latest?x=1", "http://127.0.0.1:1/stand-in");
    let found = Endpoints::new(settings, surroundings(&[], home.path(), &[]));
    assert_eq!(
        told(found.vendor("endpoint:v.test", "https://v.test/latest?x=1")),
        told_as("the setting", "http://127.0.0.1:1/stand-in")
    );
    assert_eq!(
        told(found.vendor("endpoint:v.test", "https://v.test/other")),
        told_as("the default", "https://v.test/other")
    );
}

#[test]
fn a_pace_holds_for_its_service_alone() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join(".npmrc"), "@s:registry=http://scope.test/\n").unwrap();
    let pace = Pace {
        in_flight: Some(2),
        pause: None,
    };
    let settings = EndpointSettings::default().with_pace(Registry::Npm, pace);
    let found = Endpoints::new(settings, surroundings(&[], home.path(), CLIENTS));
    for package in ["a", "@s/a"] {
        let lane = found.npm(package).unwrap().lane();
        assert_eq!((lane.in_flight, lane.pause), (2, Duration::ZERO), "{package}");
    }
    assert_eq!(found.pypi().unwrap().lane(), Registry::Pypi.lane());
}

#[test]
fn an_endpoint_is_never_shown() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(
        home.path().join(".npmrc"),
        "registry=https://u:hunter2@mirror.corp.test/\n",
    )
    .unwrap();
    let found = endpoints(
        &[("PIP_INDEX_URL", "ftp://u:hunter2@mirror.corp.test")],
        home.path(),
        &[],
    );
    let endpoint = found.npm("a").unwrap();
    let error = found.pypi().unwrap_err();
    let settings = EndpointSettings::default().with(Registry::Npm, "https://u:hunter2@mirror.corp.test/");
    let text = format!(
        "{endpoint:?} {settings:?} {error} {error:?} {:?}",
        endpoint.join(&["a"])
    );
    assert!(
        !text.contains("hunter2") && !text.contains("mirror") && !text.contains("corp"),
        "{text}"
    );
}
