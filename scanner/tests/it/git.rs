//! `git:` on this machine. Cases 69 to 76 of the incident list, and what else real clones hold.

use std::path::Path;
use std::sync::Arc;

use agent_contracts_scanner::source::git::{GitRepo, open_path};
use agent_contracts_scanner::source::{ContentId, Opened, Unavailable};
use agent_contracts_scanner::{ErrorKind, Scope};

use crate::fixture::{Repo, git_in};

fn open(repo: &Path) -> Arc<GitRepo> {
    GitRepo::open(repo, "git:REPO").unwrap()
}

fn text(opened: &Opened, path: &str) -> String {
    String::from_utf8(opened.tree.read(path).unwrap().to_vec()).unwrap()
}

fn listed(opened: &Opened, globs: &[&str]) -> Vec<String> {
    let listing = opened.tree.list(Some(&Scope::new(globs).unwrap()));
    let skipped = listing.skipped.iter().map(|one| format!("{}: {}", one.path, one.why));
    listing.paths.iter().cloned().chain(skipped).collect()
}

/// A repository with every kind of tag.
fn tagged() -> (Repo, String, String) {
    let repo = Repo::new();
    let first = repo.write("a.ts", "1").commit();
    repo.git(&["tag", "light"]);
    repo.git(&["tag", "-a", "annotated", "-m", "m"]);
    repo.git(&["tag", "-a", "nested", "annotated", "-m", "m"]);
    let blob = repo.git(&["rev-parse", "HEAD:a.ts"]);
    repo.git(&["tag", "blob", &blob]);
    repo.git(&["tag", "tree", "HEAD^{tree}"]);
    let second = repo.write("a.ts", "2").commit();
    repo.git(&["tag", "@scope/pkg@1.0.0"]);
    (repo, first, second)
}

#[test]
fn tags_of_every_kind_stand_for_their_commit_loose_and_packed() {
    let (repo, first, second) = tagged();
    let loose = open(repo.path()).tags().unwrap();
    let told: Vec<(&str, &str)> = loose
        .tags
        .iter()
        .map(|tag| (tag.name.as_str(), tag.commit.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("@scope/pkg@1.0.0", second.as_str()),
            ("annotated", &first),
            ("light", &first),
            ("nested", &first),
        ]
    );
    let skipped: Vec<String> = loose
        .skipped
        .iter()
        .map(|tag| format!("{}: {}", tag.name, tag.why))
        .collect();
    assert_eq!(
        skipped,
        ["blob: it names a blob, no commit", "tree: it names a tree, no commit"]
    );

    repo.git(&["pack-refs", "--all"]);
    repo.git(&["gc", "-q"]);
    assert_eq!(open(repo.path()).tags().unwrap(), loose);
    for tag in ["annotated", "light", "nested"] {
        assert_eq!(open(repo.path()).at(tag).unwrap().revision.unwrap(), first);
    }
    let error = open(repo.path()).at("blob").err().unwrap();
    insta::assert_snapshot!(error, @r"
    git:REPO@blob cannot be read: it names a blob, no commit
    hint: name a tag, a branch or a commit
    ");
    assert_eq!(error.kind(), ErrorKind::Failed);
}

#[test]
fn a_revision_is_a_tag_a_branch_an_id_or_the_beginning_of_one() {
    let (repo, first, second) = tagged();
    repo.git(&["branch", "side", &first]);
    // A tag wins over a branch of its name, as in git.
    repo.git(&["branch", "light", &second]);
    let opened = open(repo.path());
    for (revision, expected) in [
        ("main", &second),
        ("side", &first),
        ("light", &first),
        ("refs/heads/light", &second),
        ("HEAD", &second),
        ("@scope/pkg@1.0.0", &second),
        (&first, &first),
        (&first[..10], &first),
        ("main~1", &first),
    ] {
        assert_eq!(
            opened.at(revision).unwrap().revision.as_ref(),
            Some(expected),
            "{revision}"
        );
    }
    let error = opened.at("lihgt").err().unwrap().to_string();
    assert!(
        error.contains("no version `lihgt`") && error.contains("`light`"),
        "{error}"
    );
}

#[test]
fn bare_and_normal_and_worktree_read_the_same() {
    let (repo, first, _) = tagged();
    let other = tempfile::tempdir().unwrap();
    let bare = other.path().join("bare.git");
    git_in(
        other.path(),
        0,
        &[
            "clone",
            "-q",
            "--bare",
            repo.path().to_str().unwrap(),
            bare.to_str().unwrap(),
        ],
    );
    repo.git(&[
        "worktree",
        "add",
        "-q",
        other.path().join("tree").to_str().unwrap(),
        "light",
    ]);
    // A snapshot may hold no configuration at all.
    let plain = other.path().join("plain");
    std::fs::create_dir_all(plain.join("refs")).unwrap();
    git_in(&bare, 0, &["pack-refs", "--all"]);
    for name in ["HEAD", "packed-refs"] {
        std::fs::copy(bare.join(name), plain.join(name)).unwrap();
    }
    std::fs::rename(bare.join("objects"), plain.join("objects")).unwrap();
    std::fs::create_dir_all(bare.join("objects/info")).unwrap();
    std::fs::write(
        bare.join("objects/info/alternates"),
        format!("{}\n", plain.join("objects").display()),
    )
    .unwrap();
    for path in [
        repo.path(),
        &repo.path().join(".git"),
        &bare,
        &other.path().join("tree"),
        &plain,
    ] {
        let opened = open_path(path, "light").unwrap();
        assert_eq!(opened.revision.as_ref(), Some(&first), "{}", path.display());
        assert_eq!(text(&opened, "a.ts"), "1");
    }
}

#[test]
fn sha256_repositories_are_read() {
    let repo = Repo::with_format("sha256");
    let first = repo.write("src/a.ts", "1").release("v1");
    repo.git(&["tag", "-a", "v1-annotated", "-m", "m"]);
    assert_eq!(first.len(), 64);
    let opened = open(repo.path());
    assert_eq!(opened.tags().unwrap().tags.len(), 2);
    for revision in ["v1", "v1-annotated", &first, &first[..9]] {
        let at = opened.at(revision).unwrap();
        assert_eq!(text(&at, "src/a.ts"), "1");
        let ContentId(id) = at.tree.content_id("src/a.ts").unwrap();
        assert!(id.starts_with("git-sha256:"), "{id}");
    }
}

#[test]
fn a_shallow_clone_says_that_it_has_no_history() {
    let (repo, ..) = tagged();
    let other = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    git_in(
        other.path(),
        0,
        &[
            "clone",
            "-q",
            "--depth",
            "1",
            "--branch",
            "@scope/pkg@1.0.0",
            &url,
            "shallow",
        ],
    );
    let opened = open(&other.path().join("shallow"));
    assert_eq!(text(&opened.at("@scope/pkg@1.0.0").unwrap(), "a.ts"), "2");
    let error = opened.at("@scope/pkg@1.0.0~1").err().unwrap();
    insta::assert_snapshot!(error, @r"
    git:REPO@@scope/pkg@1.0.0~1 cannot be read: history not available: the clone is shallow
    hint: name a tag or a commit, or fetch the rest with `git fetch --unshallow`
    ");
}

#[test]
fn content_that_a_partial_clone_lacks_is_unavailable_and_not_empty() {
    let repo = Repo::new();
    repo.write("small.ts", "s")
        .write("large.ts", "x".repeat(5000))
        .write("deep/er/a.ts", "a")
        .release("v1");
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let other = tempfile::tempdir().unwrap();
    let url = format!("file://{}", repo.path().display());
    for (filter, name) in [("blob:limit=1k", "blobs"), ("tree:1", "trees")] {
        git_in(
            other.path(),
            0,
            &["clone", "-q", "--bare", "--filter", filter, &url, name],
        );
    }

    let blobs = open(&other.path().join("blobs")).at("v1").unwrap();
    assert_eq!(listed(&blobs, &["**"]), ["deep/er/a.ts", "large.ts", "small.ts"]);
    assert_eq!(text(&blobs, "small.ts"), "s");
    let missing = blobs.tree.read("large.ts").unwrap_err();
    assert!(matches!(missing, Unavailable::MissingObject { .. }), "{missing}");
    assert!(
        blobs.tree.content_id("large.ts").is_ok(),
        "its id is known all the same"
    );

    let trees = open(&other.path().join("trees")).at("v1").unwrap();
    let listing = trees.tree.list(None);
    assert_eq!(listing.skipped.len(), 1);
    assert_eq!(listing.skipped[0].path, "deep");
    assert!(matches!(listing.skipped[0].why, Unavailable::MissingObject { .. }));
    assert!(matches!(
        trees.tree.read("deep/er/a.ts"),
        Err(Unavailable::MissingObject { .. })
    ));
    assert_eq!(
        listed(&trees, &["*.ts"]),
        ["large.ts", "small.ts"],
        "a scope that stays above is not touched"
    );
}

#[test]
fn lfs_pointers_have_no_content_and_text_like_them_has() {
    let repo = Repo::new();
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 70000\n",
        "0".repeat(64)
    );
    repo.write("schema.json", &pointer)
        .write("notes.json", format!("{pointer}and more\n"))
        .release("v1");
    let at = open(repo.path()).at("v1").unwrap();
    let why = at.tree.read("schema.json").unwrap_err();
    assert_eq!(why.to_string(), "content unavailable: git LFS pointer to 70000 bytes");
    assert!(text(&at, "notes.json").ends_with("and more\n"));
}

#[test]
fn submodules_are_told_only_where_the_scope_goes() {
    let (inner, first, _) = tagged();
    let repo = Repo::new();
    repo.write("src/a.ts", "a");
    repo.git(&[
        "submodule",
        "--quiet",
        "add",
        inner.path().to_str().unwrap(),
        "vendor/inner",
    ]);
    git_in(&repo.path().join("vendor/inner"), 0, &["checkout", "-q", "light"]);
    repo.release("v1");
    let at = open(repo.path()).at("v1").unwrap();
    assert_eq!(listed(&at, &["src/**"]), ["src/a.ts"]);
    assert_eq!(
        listed(&at, &["vendor/**/*.ts"]),
        [format!("vendor/inner: content unavailable: submodule at {first}")]
    );
    assert!(matches!(
        at.tree.read("vendor/inner/a.ts"),
        Err(Unavailable::Submodule { .. })
    ));
}

#[test]
fn links_are_followed_inside_of_the_tree_only() {
    let repo = Repo::new();
    repo.write("real/a.ts", "a").write("real/b.ts", "b");
    for (name, target) in [
        ("linked.ts", "real/a.ts"),
        ("real/again.ts", "b.ts"),
        ("up.ts", "../../etc/passwd"),
        ("absolute.ts", "/etc/passwd"),
        ("dead.ts", "nowhere.ts"),
        ("folder.ts", "real"),
        ("circle.ts", "circle.ts"),
    ] {
        std::os::unix::fs::symlink(target, repo.path().join(name)).unwrap();
    }
    repo.release("v1");
    let at = open(repo.path()).at("v1").unwrap();
    insta::assert_snapshot!(listed(&at, &["*.ts"]).join("\n"), @r"
    linked.ts
    absolute.ts: symbolic link to `/etc/passwd`: it leads out of the source
    circle.ts: symbolic link to `circle.ts`: it leads in a circle
    dead.ts: symbolic link to `nowhere.ts`: there is nothing
    folder.ts: symbolic link to `real`: folders behind links are not read
    up.ts: symbolic link to `../../etc/passwd`: it leads out of the source
    ");
    assert_eq!(text(&at, "linked.ts"), "a");
    assert_eq!(at.tree.content_id("linked.ts"), at.tree.content_id("real/a.ts"));
    assert_eq!(
        listed(&at, &["real/*.ts"]),
        ["real/a.ts", "real/b.ts"],
        "a file is read once"
    );
}

#[test]
fn names_that_are_no_utf8_stay_apart_and_are_counted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let repo = Repo::new();
    for name in [&b"caf\xe9.ts"[..], b"caf\xe8.ts", "zażółć.ts".as_bytes()] {
        std::fs::write(repo.path().join(OsStr::from_bytes(name)), "x").unwrap();
    }
    repo.release("v1");
    let at = open(repo.path()).at("v1").unwrap();
    let listing = at.tree.list(Some(&Scope::new(&["*.ts"]).unwrap()));
    assert_eq!(listing.paths, ["zażółć.ts"]);
    let skipped: Vec<&str> = listing.skipped.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(skipped, ["caf\u{fffd}.ts", "caf\u{fffd}.ts"]);
    assert_eq!(text(&at, "zażółć.ts"), "x");
}

#[test]
fn only_folders_on_the_way_to_the_scope_are_opened() {
    let repo = Repo::new();
    repo.write("src/a.ts", "a").write("huge/deep/b.ts", "b").release("v1");
    let huge = repo.git(&["rev-parse", "v1:huge"]);
    std::fs::remove_file(repo.path().join(format!(".git/objects/{}/{}", &huge[..2], &huge[2..]))).unwrap();
    let at = open(repo.path()).at("v1").unwrap();
    assert_eq!(listed(&at, &["src/*.ts"]), ["src/a.ts"]);
    assert_eq!(
        listed(&at, &["*/*.ts"]).len(),
        2,
        "and what is missing is told where the scope goes there"
    );
}

#[test]
fn a_repository_that_loses_objects_is_an_error_that_names_it() {
    let repo = Repo::new();
    let first = repo.write("a.ts", "a").release("v1");
    let opened = open(repo.path());
    let tree = repo.git(&["rev-parse", "v1^{tree}"]);
    let remove = |id: &str| {
        std::fs::remove_file(repo.path().join(format!(".git/objects/{}/{}", &id[..2], &id[2..]))).unwrap();
    };
    let blob = repo.git(&["rev-parse", "v1:a.ts"]);
    let at = opened.at("v1").unwrap();
    remove(&blob);
    assert!(matches!(at.tree.read("a.ts"), Err(Unavailable::MissingObject { .. })));
    remove(&tree);
    let error = open(repo.path()).at("v1").err().unwrap().to_string();
    assert!(
        error.starts_with("git:REPO@v1 cannot be read: content unavailable: the clone lacks object"),
        "{error}"
    );
    remove(&first);
    let error = open(repo.path()).at("v1").err().unwrap().to_string();
    assert!(error.contains(&format!("the clone lacks object {first}")), "{error}");
    let tags = open(repo.path()).tags().unwrap();
    assert_eq!(tags.skipped[0].why, format!("the clone lacks object {first}"));
}

#[test]
fn damaged_objects_are_told_from_missing_ones() {
    use std::os::unix::fs::PermissionsExt;
    let repo = Repo::new();
    repo.write("a.ts", "a").release("v1");
    let blob = repo.git(&["rev-parse", "v1:a.ts"]);
    let file = repo.path().join(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(&file, b"not an object").unwrap();
    let at = open(repo.path()).at("v1").unwrap();
    assert!(matches!(at.tree.read("a.ts"), Err(Unavailable::Damaged { .. })));
}

#[test]
fn two_tags_on_one_commit_are_two_tags() {
    let repo = Repo::new();
    let commit = repo.write("a.ts", "a").release("v2.0.0-RC3");
    repo.git(&["tag", "-a", "v2.0.0", "-m", "final"]);
    let tags = open(repo.path()).tags().unwrap().tags;
    assert_eq!(tags.len(), 2);
    assert!(tags.iter().all(|tag| tag.commit == commit));
}
