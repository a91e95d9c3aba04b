//! `dir:`

use agent_contracts_scanner::Scope;
use agent_contracts_scanner::source::{Unavailable, dir};

use crate::fixture::folder;

#[test]
fn a_folder_gives_its_files_and_keeps_out_what_is_not_its_own() {
    let (_keep, path) = folder(&[
        ("src/a.ts", "a"),
        ("src/deep/b.ts", "b"),
        (".git/config", "no"),
        ("node_modules/dep/index.d.ts", "dep"),
    ]);
    let (_other, outside) = folder(&[("secret.ts", "no")]);
    let link = |target: &std::path::Path, name: &str| std::os::unix::fs::symlink(target, path.join(name)).unwrap();
    link(&outside.join("secret.ts"), "src/out.ts");
    link(std::path::Path::new("a.ts"), "src/again.ts");
    link(std::path::Path::new("src/deep/b.ts"), "linked.ts");
    link(std::path::Path::new("src"), "loop.ts");
    link(std::path::Path::new("nowhere"), "gone.ts");

    let tree = dir::open(&path).unwrap().tree;
    assert_eq!(tree.list(None).paths, ["src/a.ts", "src/deep/b.ts"]);
    let top = tree.list(Some(&Scope::new(&["*.ts", "src/*.ts"]).unwrap()));
    assert_eq!(top.paths, ["linked.ts", "src/a.ts"]);
    let skipped: Vec<String> = top
        .skipped
        .iter()
        .map(|one| format!("{}: {}", one.path, one.why))
        .collect();
    let outside = outside.canonicalize().unwrap().display().to_string();
    insta::assert_snapshot!(skipped.join("\n").replace(&outside, "OUTSIDE"), @r"
    gone.ts: symbolic link to `nowhere`: there is nothing
    loop.ts: symbolic link to `src`: folders behind links are not read
    src/out.ts: symbolic link to `OUTSIDE/secret.ts`: it leads out of the source
    ");
    assert_eq!(&*tree.read("linked.ts").unwrap(), b"b");
    assert!(matches!(tree.read("src/out.ts"), Err(Unavailable::Link { .. })));
    assert_eq!(tree.read("../x"), Err(Unavailable::NotThere));
    assert_eq!(tree.read("src"), Err(Unavailable::NotThere));
    let named = tree.list(Some(&Scope::new(&["node_modules/*/*.d.ts"]).unwrap()));
    assert_eq!(named.paths, ["node_modules/dep/index.d.ts"]);
    assert_eq!(tree.content_id("linked.ts"), tree.content_id("src/deep/b.ts"));
}

#[test]
fn a_folder_that_is_none_is_named() {
    let (_keep, path) = folder(&[("a.ts", "a")]);
    for name in ["nowhere", "a.ts"] {
        let error = dir::open(&path.join(name)).err().unwrap().to_string();
        assert!(error.contains(name) && error.contains("hint:"), "{error}");
    }
}
