//! The npm registry, as npm finds it: environment, project `.npmrc`, user `.npmrc`, `npm config get registry`.
//!
//! Formats: npm's documentation of `.npmrc` (ini lines, `${VAR}`, `@scope:registry`, credentials keyed by
//! `//host/path/`).

use std::collections::BTreeMap;

use super::{Endpoint, Registry, Surroundings, basic};
use crate::{NetError, PrivateUrl, Secret};

/// The registry of packages without one of their own.
pub(super) fn find(surroundings: &Surroundings) -> Result<Option<Endpoint>, NetError> {
    match told(surroundings, "registry") {
        Some(found) => found.map(Some),
        None => ask(surroundings)
            .map(|address| endpoint(surroundings, &address, "npm, when asked"))
            .transpose(),
    }
}

/// The registry that packages of `scope` (`@name`) have of their own, which goes before the general one.
pub(super) fn find_scoped(surroundings: &Surroundings, scope: &str) -> Result<Option<Endpoint>, NetError> {
    told(surroundings, &format!("{scope}:registry")).transpose()
}

/// What the environment or a file says.
fn told(surroundings: &Surroundings, key: &str) -> Option<Result<Endpoint, NetError>> {
    if let Some(address) = surroundings.var_any_case(&format!("npm_config_{key}")) {
        return Some(endpoint(surroundings, address, "the environment"));
    }
    npmrc(surroundings)
        .get(key)
        .map(|address| endpoint(surroundings, address, ".npmrc"))
}

fn endpoint(surroundings: &Surroundings, address: &str, origin: &'static str) -> Result<Endpoint, NetError> {
    let endpoint = Endpoint::new(Registry::Npm, address, origin)?;
    let auth = credentials(&npmrc(surroundings), endpoint.base());
    Ok(endpoint.with_auth(auth))
}

fn ask(surroundings: &Surroundings) -> Option<String> {
    let programs: &[&str] = if cfg!(windows) { &["npm.cmd"] } else { &["npm"] };
    let answer = programs
        .iter()
        .find_map(|program| (surroundings.ask)(program, &["config", "get", "registry"]))?;
    let line = answer.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    line.contains("://").then(|| line.to_owned())
}

/// The lines of the project's file over those of the user's.
fn npmrc(surroundings: &Surroundings) -> BTreeMap<String, String> {
    let user = surroundings
        .var_any_case("npm_config_userconfig")
        .map(std::path::PathBuf::from)
        .or_else(|| Some(surroundings.home.as_ref()?.join(".npmrc")));
    let project = surroundings.cwd.as_ref().map(|cwd| {
        // npm's project is the nearest directory with one of these.
        let root = cwd
            .ancestors()
            .find(|dir| dir.join("package.json").exists() || dir.join("node_modules").exists());
        root.unwrap_or(cwd).join(".npmrc")
    });
    let mut all = BTreeMap::new();
    for text in [user, project]
        .into_iter()
        .flatten()
        .filter_map(|path| Surroundings::read(&path))
    {
        all.extend(lines(&text, surroundings));
    }
    all
}

fn lines(text: &str, surroundings: &Surroundings) -> Vec<(String, String)> {
    text.trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with(['#', ';', '[']))
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| {
            (
                key.trim().to_owned(),
                expand(value.trim().trim_matches('"'), surroundings),
            )
        })
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

/// `${VAR}`; one that is not set stays as it is, as with npm.
fn expand(text: &str, surroundings: &Surroundings) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else {
            break;
        };
        out.push_str(before);
        match surroundings.env.get(name.trim_end_matches('?')) {
            Some(value) => out.push_str(value),
            None if name.ends_with('?') => {}
            None => out.extend(["${", name, "}"]),
        }
        rest = tail;
    }
    out + rest
}

/// The credentials for the longest prefix of `//host:port/path/` that has some.
fn credentials(file: &BTreeMap<String, String>, base: &PrivateUrl) -> Option<Secret> {
    let url = base.expose();
    let host = url.port().map_or_else(
        || url.host_str().unwrap_or_default().to_owned(),
        |port| format!("{}:{port}", url.host_str().unwrap_or_default()),
    );
    let mut path = url.path().trim_end_matches('/').to_owned();
    loop {
        let prefix = format!("//{host}{path}/");
        let get = |name: &str| {
            file.get(&format!("{prefix}:{name}")).or_else(|| {
                // npm also takes the key without the last slash.
                file.get(&format!("{}:{name}", prefix.trim_end_matches('/')))
            })
        };
        if let Some(token) = get("_authToken") {
            return Some(Secret::new(format!("Bearer {token}")));
        }
        if let Some(pair) = get("_auth") {
            return Some(Secret::new(format!("Basic {pair}")));
        }
        if let (Some(user), Some(password)) = (get("username"), get("_password")) {
            use base64::Engine;
            let password = base64::engine::general_purpose::STANDARD.decode(password).ok()?;
            return Some(basic(&[user.as_bytes(), b":", &password].concat()));
        }
        path.truncate(path.rfind('/')?);
    }
}
