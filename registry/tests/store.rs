//! The store: what is written once, what is refused, what survives a kill.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use agent_contracts_registry::outbox::{OutboxEntry, OutboxState, TextRef, fingerprint};
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::{AlertKind, Release, ReleaseFile, Store, StoreError, Written, publish};
use agent_contracts_shapes::Validity;
use agent_contracts_source_evidence::testing::{derived, diff, evidence};
use agent_contracts_wire::Severity;
use tempfile::TempDir;

const NOW: &str = "2026-06-27T10:00:00Z";

fn tree() -> (TempDir, Store) {
    let dir = TempDir::new().unwrap();
    let store = Store::open(&dir.path().join("contracts")).unwrap();
    (dir, store)
}

/// Every file of the tree with its bytes, without what belongs to the store itself.
fn files(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with(".store") {
                    waiting.push(path);
                }
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_tree_that_is_not_there_is_empty_and_reading_does_not_make_it() {
    let (dir, store) = tree();
    assert!(store.releases().unwrap().is_empty());
    assert!(store.evidence().unwrap().is_empty());
    assert!(store.evidence_index().unwrap().steps.is_empty());
    assert_eq!(store.read("registry/agents.json").unwrap(), None);
    assert!(!dir.path().join("contracts").exists());
}

#[test]
fn the_same_bytes_are_written_once() {
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    assert_eq!(writer.put_text("docs/a.md", "x\n").unwrap().written, Written::New);
    let place = store.root().join("docs/a.md");
    let before = fs::metadata(&place).unwrap().modified().unwrap();
    assert_eq!(writer.put_text("docs/a.md", "x\n").unwrap().written, Written::Same);
    assert_eq!(fs::metadata(&place).unwrap().modified().unwrap(), before);
    assert_eq!(writer.put_text("docs/a.md", "y\n").unwrap().written, Written::Changed);
    assert_eq!(fs::read_to_string(&place).unwrap(), "y\n");
}

#[test]
fn records_are_pretty_in_the_order_of_their_type_with_a_newline() {
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    let releases = ReleaseFile {
        schema_version: 1,
        agent: "codex".to_owned(),
        releases: Vec::new(),
    };
    writer.put_releases(&releases).unwrap();
    assert_eq!(
        fs::read_to_string(store.root().join("registry/releases/codex.json")).unwrap(),
        "{\n  \"schema_version\": 1,\n  \"agent\": \"codex\",\n  \"releases\": []\n}\n"
    );
    assert_eq!(store.releases().unwrap(), [releases]);
}

#[test]
fn paths_that_are_no_plain_names_or_go_up_are_refused() {
    let (dir, store) = tree();
    let writer = store.lock().unwrap();
    for path in [
        "../x",
        "a/../x",
        "a/./x",
        "/etc/x",
        "",
        "a//b",
        "a/",
        ".store/lock",
        ".git/config",
        "a\\b",
        "c:x",
        "a b",
        "a\0b",
        "ä",
    ] {
        let error = writer.put_text(path, "x").unwrap_err();
        assert!(matches!(error, StoreError::Path { .. }), "{path:?}: {error}");
        assert!(matches!(store.read(path), Err(StoreError::Path { .. })), "{path:?}");
    }
    assert!(writer.put_text("a/1.0.0+x_y@z-%2F.json", "x").is_ok());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing beside the tree");
}

#[cfg(unix)]
#[test]
fn symlinks_that_lead_out_are_refused_and_those_inside_are_not() {
    use std::os::unix::fs::symlink;
    let (dir, store) = tree();
    let writer = store.lock().unwrap();
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret.json"), "{}").unwrap();
    symlink(&outside, store.root().join("out")).unwrap();
    symlink(outside.join("secret.json"), store.root().join("secret.json")).unwrap();
    symlink(outside.join("absent"), store.root().join("dangling")).unwrap();
    for path in ["out/x.json", "secret.json", "dangling", "dangling/x"] {
        assert!(
            matches!(writer.put_text(path, "x"), Err(StoreError::Leaves { .. })),
            "{path}"
        );
        assert!(matches!(store.read(path), Err(StoreError::Leaves { .. })), "{path}");
    }
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(outside.join("secret.json")).unwrap(), "{}");
    assert!(store.list("out", ".json").is_err());

    writer.put_text("real/x.json", "1").unwrap();
    symlink(store.root().join("real"), store.root().join("alias")).unwrap();
    assert_eq!(store.read("alias/x.json").unwrap().unwrap(), b"1");
    // A listing does not follow it, so that no record is counted twice.
    assert_eq!(store.list("alias", ".json").unwrap(), ["alias/x.json"]);
    assert_eq!(store.list("real", ".json").unwrap(), ["real/x.json"]);
}

#[test]
fn a_record_that_does_not_read_back_is_named_and_left_alone() {
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    for (bytes, at) in [
        ("{\"schema_version\": 1, \"agent\": \"codex\"", "line 1"),
        ("{\"schema_version\": 1, \"agent\": 7, \"releases\": []}", "agent"),
        (
            "{\"schema_version\": 1, \"agent\": \"codex\", \"releases\": [], \"x\": 1}",
            "x",
        ),
        (
            "{\"schema_version\": 1, \"agent\": \"codex\", \"releases\": []} tail",
            "the end",
        ),
    ] {
        let place = store.root().join("registry/releases/codex.json");
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, bytes).unwrap();
        let error = store.releases().unwrap_err().to_string();
        assert!(error.contains("codex.json") && error.contains(at), "{error}");
        assert_eq!(fs::read_to_string(&place).unwrap(), bytes);
    }
    drop(writer);
}

#[test]
fn what_must_not_be_published_is_not_written_and_not_told() {
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    let home = format!("/home/{}/project", "alice");
    let error = writer.put_text("reports/x.md", &format!("see\n{home}")).unwrap_err();
    assert!(matches!(error, StoreError::NotPublishable { .. }));
    let told = error.to_string();
    assert!(
        told.contains("reports/x.md") && told.contains("line 2") && !told.contains("alice"),
        "{told}"
    );
    assert_eq!(store.read("reports/x.md").unwrap(), None);

    // Strings from sources are masked before a record is made of them, so one of them holds back nothing.
    let mut diff = diff();
    diff.findings[0].before = serde_json::json!({"default": home});
    diff.unresolved[0].what = format!("open('{home}')");
    assert_eq!(publish::mask(store.rules(), &mut diff), 2);
    assert_eq!(publish::mask(store.rules(), &mut diff), 0);
    assert_eq!(
        diff.findings[0].before,
        serde_json::json!({"default": "<home>/project"})
    );
    assert!(writer.put_evidence(&evidence(NOW, &diff).unwrap()).is_ok());
}

#[test]
fn a_second_run_writes_nothing() {
    let (_dir, store) = tree();
    let run = |now: &str| {
        let writer = store.lock().unwrap();
        let (stored, put) = writer.put_evidence(&evidence(now, &diff()).unwrap()).unwrap();
        let shape = writer.put_shape(&derived().unwrap().shape).unwrap();
        let (index, index_put) = writer.put_evidence_index().unwrap();
        assert_eq!(index.steps.len(), 1);
        (stored.discovered_at, [put.written, shape.written, index_put.written])
    };
    assert_eq!(run(NOW), (NOW.to_owned(), [Written::New; 3]));
    let first = files(store.root());
    // The first write wins, and what is given back is what is stored.
    assert_eq!(run("2027-01-01T00:00:00Z"), (NOW.to_owned(), [Written::Same; 3]));
    assert_eq!(files(store.root()), first);
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    insta::assert_snapshot!(names.join("\n"));
    insta::assert_snapshot!(pretty(&store.evidence_index().unwrap()).unwrap());
}

#[test]
fn a_shape_keeps_its_strongest_level_and_a_lying_one_is_refused() {
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    let derived = derived().unwrap().shape;
    writer.put_shape(&derived).unwrap();
    let mut observed = derived.clone();
    observed.validity_level = Validity::RuntimeObserved;
    assert_eq!(writer.put_shape(&observed).unwrap().written, Written::Changed);
    assert_eq!(writer.put_shape(&derived).unwrap().written, Written::Same);

    let mut lying = derived.clone();
    lying.frame_count = 7;
    let error = writer.put_shape(&lying).unwrap_err().to_string();
    assert!(error.contains("hashes to"), "{error}");

    // A file that was changed by hand is named and kept.
    let place = store.root().join(derived.place().unwrap());
    let changed = fs::read_to_string(&place)
        .unwrap()
        .replace("\"frame_count\": 1", "\"frame_count\": 2");
    fs::write(&place, &changed).unwrap();
    assert!(matches!(writer.put_shape(&derived), Err(StoreError::Conflict { .. })));
    assert_eq!(fs::read_to_string(&place).unwrap(), changed);
}

#[test]
fn two_identities_under_one_name_are_a_conflict() {
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    let record = evidence(NOW, &diff()).unwrap();
    writer.put_evidence(&record).unwrap();
    let mut other = record.clone();
    other.extensions.identity = format!("{}{}", &record.extensions.identity[..15], "0".repeat(56));
    assert!(matches!(writer.put_evidence(&other), Err(StoreError::Conflict { .. })));
}

fn alert(text: &str, created_at: &str) -> OutboxEntry {
    let kind = AlertKind::SourceProtocolRisk;
    let file = |ending: &str| TextRef {
        path: format!("reports/alerts/source_protocol_risk/codex/0.133.0-x{ending}"),
        sha256: agent_contracts_wire::canonical::sha256(text.as_bytes()),
    };
    OutboxEntry {
        schema_version: 1,
        kind,
        agent: "codex".to_owned(),
        subject: "0.133.0".to_owned(),
        fingerprint: fingerprint(kind, "codex", "0.133.0"),
        severity: Severity::Risky,
        title: text.to_owned(),
        labels: vec![kind.word().to_owned()],
        issue: file(".md"),
        card: file(".card.json"),
        evidence: Vec::new(),
        created_at: created_at.to_owned(),
        state: OutboxState::Pending,
    }
}

#[test]
fn an_alert_is_updated_and_never_doubled() {
    let (_dir, store) = tree();
    let put = |text: &str, at: &str| {
        let writer = store.lock().unwrap();
        let (entry, puts) = writer.put_alert(&alert(text, at), text, text).unwrap();
        (entry, puts.iter().map(|put| put.written).collect::<Vec<_>>())
    };
    assert_eq!(put("one", NOW).1, [Written::New; 3]);
    assert_eq!(put("one", "2027-01-01T00:00:00Z").1, [Written::Same; 3]);
    let (entry, puts) = put("two", "2027-01-01T00:00:00Z");
    assert_eq!(puts, [Written::Changed; 3]);
    assert_eq!((entry.created_at.as_str(), entry.state), (NOW, OutboxState::Pending));
    assert_eq!(store.outbox().unwrap().len(), 1);

    // What was told stays told until there is something new to tell; what a person dropped stays dropped.
    let place = store.root().join(entry.place());
    let told =
        |state: OutboxState| fs::write(&place, pretty(&OutboxEntry { state, ..entry.clone() }).unwrap()).unwrap();
    told(OutboxState::Told);
    assert_eq!(put("two", NOW).0.state, OutboxState::Told);
    assert_eq!(put("three", NOW).0.state, OutboxState::Edited);
    told(OutboxState::Dropped);
    assert_eq!(put("four", NOW).0.state, OutboxState::Dropped);
}

#[test]
fn a_fingerprint_depends_on_kind_agent_and_subject_alone() {
    let kind = AlertKind::SourceProtocolRisk;
    let base = fingerprint(kind, "codex", "1.0");
    assert_eq!(base, fingerprint(kind, "codex", "1.0"));
    assert_ne!(base, fingerprint(kind, "codex", "1.0.0"));
    assert_ne!(fingerprint(kind, "a", "b\",\"c"), fingerprint(kind, "a\",\"b", "c"));
}

#[test]
fn two_writers_take_turns() {
    let (_dir, store) = tree();
    let root = store.root().to_owned();
    std::thread::scope(|scope| {
        for who in 0..4 {
            let root = &root;
            scope.spawn(move || {
                for round in 0..10 {
                    let store = Store::open(root).unwrap();
                    let writer = store.lock().unwrap();
                    // Read, change, write: without the lock one of the forty would get lost.
                    let mut file: ReleaseFile =
                        store
                            .read_json("registry/releases/codex.json")
                            .unwrap()
                            .unwrap_or(ReleaseFile {
                                schema_version: 1,
                                agent: "codex".to_owned(),
                                releases: Vec::new(),
                            });
                    file.releases.push(release(&format!("{who}.{round}")));
                    writer.put_releases(&file).unwrap();
                }
            });
        }
    });
    assert_eq!(Store::open(&root).unwrap().releases().unwrap()[0].releases.len(), 40);
}

fn release(version: &str) -> Release {
    serde_json::from_value(serde_json::json!({
        "version": version, "prerelease": false, "channels": {}, "platforms": [], "first_seen": NOW, "withdrawn": false
    }))
    .unwrap()
}

/// Run by [`a_killed_writer_leaves_the_old_file_or_the_new_one`] in a process of its own; does nothing otherwise.
#[test]
fn writer_that_gets_killed() {
    let Ok(tree) = std::env::var("AGENT_CONTRACTS_TEST_TREE") else {
        return;
    };
    let store = Store::open(Path::new(&tree)).unwrap();
    for round in 0.. {
        let writer = store.lock().unwrap();
        let letter = char::from(b'a' + u8::try_from(round % 26).unwrap());
        writer
            .put_text("docs/big.md", &letter.to_string().repeat(200_000))
            .unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_the_old_file_or_the_new_one() {
    let (_dir, store) = tree();
    store
        .lock()
        .unwrap()
        .put_text("docs/big.md", &"a".repeat(200_000))
        .unwrap();
    for round in 0..200 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writer_that_gets_killed"])
            .env("AGENT_CONTRACTS_TEST_TREE", store.root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(10 + 7 * round % 40));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = store.read("docs/big.md").unwrap().unwrap();
        assert_eq!(text.len(), 200_000);
        assert!(text.iter().all(|byte| *byte == text[0]));
        // The lock went with the process, and what it left behind is cleaned up.
        drop(store.lock().unwrap());
        assert_eq!(fs::read_dir(store.root().join(".store/tmp")).unwrap().count(), 0);
    }
}

/// Run by [`a_full_disk_leaves_the_old_file`] where no file may become large; does nothing otherwise.
#[test]
fn writer_without_room() {
    let Ok(tree) = std::env::var("AGENT_CONTRACTS_TEST_FULL") else {
        return;
    };
    let store = Store::open(Path::new(&tree)).unwrap();
    let error = store
        .lock()
        .unwrap()
        .put_text("docs/big.md", &"b".repeat(2_000_000))
        .unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert_eq!(store.read("docs/big.md").unwrap().unwrap(), b"old");
}

/// A limit on the size of files stands for a full disk: both fail in the middle of a write.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let (_dir, store) = tree();
    store.lock().unwrap().put_text("docs/big.md", "old").unwrap();
    let status = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 100; exec \"$0\" --exact writer_without_room",
        ])
        .arg(std::env::current_exe().unwrap())
        .env("AGENT_CONTRACTS_TEST_FULL", store.root())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(store.read("docs/big.md").unwrap().unwrap(), b"old");
    assert_eq!(
        store.lock().unwrap().put_text("docs/big.md", "new").unwrap().written,
        Written::Changed
    );
}

#[test]
fn a_tree_that_cannot_be_written_keeps_what_it_has() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("contracts");
    fs::write(&file, "no folder").unwrap();
    let error = Store::open(&file).unwrap_err().to_string();
    assert!(error.contains("contracts"), "{error}");

    // A folder where the file should go, and a file where a folder should go.
    let (_dir, store) = tree();
    let writer = store.lock().unwrap();
    writer.put_text("docs/a/b.md", "x").unwrap();
    for path in ["docs/a", "docs/a/b.md/c.md"] {
        assert!(
            matches!(writer.put_text(path, "y"), Err(StoreError::Io { .. })),
            "{path}"
        );
    }
    assert_eq!(fs::read_to_string(store.root().join("docs/a/b.md")).unwrap(), "x");
    assert_eq!(fs::read_dir(store.root().join(".store/tmp")).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_read_only_tree_can_be_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_dir, store) = tree();
    store.lock().unwrap().put_text("docs/a.md", "x").unwrap();
    let own = store.root().join(".store");
    let mode = |mode| {
        for folder in [
            own.join("tmp"),
            own.clone(),
            store.root().join("docs"),
            store.root().to_owned(),
        ] {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    mode(0o555);
    let result = store.lock().and_then(|writer| writer.put_text("docs/a.md", "y"));
    let text = store.read("docs/a.md").unwrap().unwrap();
    mode(0o755);
    // Whoever may do everything (root) is not stopped by permissions.
    match result {
        Ok(_) => assert_eq!(text, b"y"),
        Err(error) => {
            assert!(matches!(error, StoreError::Io { .. }), "{error}");
            assert_eq!(text, b"x");
        }
    }
}
