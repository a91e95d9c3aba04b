//! `git:` elsewhere: what is fetched, what is kept, and what is said when there is no answer.

use std::path::Path;
use std::time::Duration;

use agent_contracts_extractors::SourceTree;
use agent_contracts_net::Timeouts;
use agent_contracts_scanner::{Context, ErrorKind, ScanError, Scanner, SourceSpec};

use crate::fixture::{Repo, git_in};
use crate::http;

fn context(state: Option<&Path>) -> Context {
    Context {
        state_dir: state.map(Path::to_owned),
        ..Context::default()
    }
}

/// The text of `a.ts` at a revision.
fn read(context: &Context, url: &str, revision: &str) -> Result<String, ScanError> {
    let scanner = Scanner::new(context.clone()).unwrap();
    let source = format!("git:{url}@{revision}");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let snapshot = runtime.block_on(scanner.open(&source, &SourceSpec::parse(&source).unwrap()))?;
    Ok(String::from_utf8(snapshot.text("a.ts").unwrap().to_vec()).unwrap())
}

fn tags(context: &Context, url: &str) -> Vec<String> {
    let scanner = Scanner::new(context.clone()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let tags = runtime.block_on(scanner.tags(url)).unwrap();
    tags.tags
        .into_iter()
        .map(|tag| format!("{} {}", tag.name, tag.commit))
        .collect()
}

/// A repository with three releases, one of them annotated, and an odd name among them.
fn releases(format: &str) -> (Repo, [String; 3]) {
    let repo = Repo::with_format(format);
    let one = repo.write("a.ts", "1").release("v1");
    let two = repo.write("a.ts", "2").commit();
    repo.git(&["tag", "-a", "@scope/pkg@2.0", "-m", "two"]);
    let three = repo.write("a.ts", "3").release("v3");
    (repo, [one, two, three])
}

fn kept(state: &Path) -> std::path::PathBuf {
    let all = std::fs::read_dir(state.join("git"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let folders: Vec<_> = all.filter(|path| path.is_dir()).collect();
    assert_eq!(folders.len(), 1);
    folders[0].clone()
}

#[test]
fn revisions_are_fetched_one_by_one_and_kept() {
    let (repo, [one, two, three]) = releases("sha1");
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("file://{}", repo.path().display());

    assert_eq!(read(&context, &url, "v1").unwrap(), "1");
    let clone = kept(state.path());
    assert_eq!(
        git_in(
            &clone,
            0,
            &["rev-parse", "--is-bare-repository", "--is-shallow-repository"]
        ),
        "true\ntrue"
    );
    assert_eq!(read(&context, &url, "@scope/pkg@2.0").unwrap(), "2");
    assert_eq!(read(&context, &url, "main").unwrap(), "3");
    git_in(&clone, 0, &["fsck", "--connectivity-only"]);
    assert_eq!(
        tags(&context, &url),
        [
            format!("@scope/pkg@2.0 {two}"),
            format!("v1 {one}"),
            format!("v3 {three}")
        ]
    );

    // What is new there is found, in the same folder.
    repo.write("a.ts", "4").release("v4");
    assert_eq!(read(&context, &url, "v4").unwrap(), "4");
    assert_eq!(read(&context, &url, "main").unwrap(), "4");
    // A tag that was moved there is moved here.
    repo.git(&["tag", "-f", "v1", "v4"]);
    assert_eq!(read(&context, &url, "v1").unwrap(), "4");
    repo.git(&["tag", "-f", "v1", &one]);
    assert_eq!(read(&context, &url, "v1").unwrap(), "1");
    assert_eq!(kept(state.path()), clone);
}

#[test]
fn ids_are_fetched_whole_and_abbreviated() {
    let (repo, [one, two, _]) = releases("sha1");
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("file://{}", repo.path().display());
    assert_eq!(read(&context, &url, &two).unwrap(), "2");
    assert_eq!(read(&context, &url, &one[..12]).unwrap(), "1");
    assert_eq!(read(&context, &url, "main~1").unwrap(), "2");
}

#[test]
fn a_kind_of_hash_that_was_not_expected_is_taken_over() {
    let (repo, _) = releases("sha256");
    let state = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    assert_eq!(read(&context(Some(state.path())), &url, "v1").unwrap(), "1");
    assert_eq!(read(&context(Some(state.path())), &url, "v3").unwrap(), "3");
}

#[test]
fn without_a_state_directory_nothing_is_left() {
    let (repo, _) = releases("sha1");
    let url = format!("file://{}", repo.path().display());
    assert_eq!(read(&context(None), &url, "v1").unwrap(), "1");
}

#[test]
fn what_was_fetched_serves_when_nothing_answers() {
    let (repo, [one, ..]) = releases("sha1");
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("file://{}", repo.path().display());
    read(&context, &url, "v1").unwrap();
    read(&context, &url, "main").unwrap();
    let offline = Context {
        offline: true,
        ..context.clone()
    };
    for revision in ["v1", "main", &one] {
        assert!(read(&offline, &url, revision).is_ok(), "{revision}");
    }
    let error = read(&offline, &url, "v3").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(error.to_string().contains("--offline"), "{error}");
    assert_eq!(tags(&offline, &url).len(), 1);

    std::fs::rename(repo.path().join(".git"), repo.path().join("gone")).unwrap();
    assert_eq!(read(&context, &url, "v1").unwrap(), "1", "a tag stays what it was");
    for revision in ["main", "v3"] {
        let error = read(&context, &url, revision).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreachable, "a branch may have moved");
        assert!(
            error.to_string().starts_with(&format!("git:{url} cannot be reached")),
            "{error}"
        );
    }
}

#[test]
fn a_name_that_is_not_there_is_said_with_what_is() {
    let (repo, _) = releases("sha1");
    let url = format!("file://{}", repo.path().display());
    for revision in ["v2", "no such name", "deadbeef"] {
        let error = read(&context(None), &url, revision).unwrap_err().to_string();
        assert!(
            error.contains(&format!("no version `{revision}`")) && error.contains("`v3`"),
            "{error}"
        );
    }
}

#[test]
fn a_damaged_clone_is_made_again() {
    let (repo, _) = releases("sha1");
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("file://{}", repo.path().display());
    read(&context, &url, "v1").unwrap();
    let clone = kept(state.path());
    std::fs::write(clone.join("HEAD"), "nonsense").unwrap();
    std::fs::remove_dir_all(clone.join("objects")).unwrap();
    assert_eq!(read(&context, &url, "v1").unwrap(), "1");
}

#[test]
fn http_serves_as_well() {
    let (repo, _) = releases("sha1");
    repo.git(&["update-server-info"]);
    let server = http::git_backend(repo.path());
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("{}/.git", server.url());
    assert_eq!(read(&context, &url, "v1").unwrap(), "1");
    assert_eq!(read(&context, &url, "@scope/pkg@2.0").unwrap(), "2");
    assert_eq!(tags(&context, &url).len(), 3);
    let error = read(&context, &format!("{}/nothing", server.url()), "v1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
}

#[test]
fn processes_that_fetch_at_the_same_time_do_not_harm_each_other() {
    let repo = Repo::new();
    for n in 0..6 {
        repo.write("a.ts", n.to_string()).release(&format!("v{n}"));
    }
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("file://{}", repo.path().display());
    std::thread::scope(|threads| {
        for n in 0..6 {
            let (context, url) = (&context, &url);
            threads.spawn(move || assert_eq!(read(context, url, &format!("v{n}")).unwrap(), n.to_string()));
        }
    });
    git_in(&kept(state.path()), 0, &["fsck", "--connectivity-only"]);
}

#[test]
fn a_process_that_was_killed_leaves_nothing_in_the_way() {
    let (repo, _) = releases("sha1");
    let state = tempfile::tempdir().unwrap();
    let context = context(Some(state.path()));
    let url = format!("file://{}", repo.path().display());
    read(&context, &url, "v1").unwrap();
    for name in ["packed-refs.lock", "shallow.lock"] {
        std::fs::write(kept(state.path()).join(name), "").unwrap();
    }
    assert_eq!(read(&context, &url, "v3").unwrap(), "3");
}

#[test]
fn why_there_is_no_answer_is_told_in_few_words() {
    let answering = |status: &'static str| {
        let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        http::serve(move |_| head.clone().into_bytes()).url()
    };
    let challenge = "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"";
    let page = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>";
    let silent = http::serve(|_| {
        std::thread::sleep(Duration::from_secs(30));
        Vec::new()
    });
    // The head comes, and then nothing.
    let stalled = http::serve_and_hold(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 900\r\n\r\n001e",
    );
    let table = [
        ("http://127.0.0.1:1".to_owned(), "connection refused"),
        (answering("404 Not Found"), "status 404: not found"),
        (answering(challenge), "status 401: not found, or it needs a login"),
        (answering("403 Forbidden"), "status 403: refused"),
        (answering("502 Bad Gateway"), "status 502"),
        (silent.url(), "timed out"),
        (stalled.url(), "timed out"),
        (
            http::serve(move |_| page.as_bytes().to_vec()).url(),
            "it does not answer as a git server does",
        ),
    ];
    let context = Context {
        timeouts: Timeouts {
            connect: Duration::from_secs(5),
            read: Duration::from_millis(400),
        },
        ..Context::default()
    };
    for (address, expected) in table {
        let error = read(&context, &format!("{address}/o/n"), "v1").unwrap_err();
        let ScanError::Unreachable { problem, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(problem, expected);
    }
}
