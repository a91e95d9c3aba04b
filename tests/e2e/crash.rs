//! Runs that end badly: killed, without room, without leave to write. The tree is the old one or the new one, and the next
//! run makes it whole.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support;
use crate::world::{World, quill};

/// Says something that has to be seen although the test passes.
#[expect(clippy::print_stderr, reason = "a skip and a seed must be seen")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// A generator that gives the same numbers for the same seed (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

/// `run`, not yet started.
fn run_of(world: &World) -> Command {
    let mut command = support::command(world.home.path());
    command
        .args(["--settings", "bot.toml", "run"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn a_run_that_is_killed_leaves_a_tree_that_the_next_run_makes_whole() {
    let undisturbed = World::new();
    let start = Instant::now();
    undisturbed.ok(&["run"]);
    let took = u64::try_from(start.elapsed().as_micros()).unwrap();
    let expected = undisturbed.tree().without_moments();

    let seed = match std::env::var("E2E_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => 0x0005_DEEC_E66D_u64,
    };
    say(&format!("E2E_SEED={seed}, undisturbed run {took} us"));
    let mut random = Random(seed);
    for _ in 0..2 {
        let world = World::new();
        for _ in 0..4 {
            let moment = Duration::from_micros(random.below(took));
            let mut child = run_of(&world).spawn().unwrap();
            std::thread::sleep(moment);
            child.kill().unwrap();
            child.wait().unwrap();
            // What is there is whole.
            if world.home.path().join("contracts").exists() {
                let tree = world.tree();
                for path in tree.paths().into_iter().filter(|path| path.contains(".json")) {
                    tree.json(path);
                }
            }
        }
        world.ok(&["run"]);
        let found = world.tree().without_moments();
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "seed {seed}"
        );
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn what_a_killed_run_did_not_get_to_is_made_up_for() {
    let world = World::new();
    world.ok(&["run"]);
    let expected = world.tree().without_moments();
    let contracts = world.home.path().join("contracts");
    // The states between the writes of a run, from its end back to its begin.
    for missing in [
        vec!["reports/alerts"],
        vec!["reports/alerts", "source-evidence/index.json"],
        vec!["reports", "source-evidence/index.json"],
        vec!["reports", "source-evidence"],
        vec!["reports", "source-evidence", "shapes"],
        vec!["registry/releases"],
    ] {
        for path in &missing {
            let path = contracts.join(path);
            if path.is_dir() {
                std::fs::remove_dir_all(path).unwrap();
            } else {
                std::fs::remove_file(path).unwrap();
            }
        }
        world.ok(&["run"]);
        assert_eq!(world.tree().without_moments(), expected, "without {missing:?}");
    }
}

#[test]
fn two_runs_at_once_do_not_harm_each_other() {
    let (alone, world) = (World::new(), World::new());
    alone.ok(&["run"]);
    let mut runs = [run_of(&world).spawn().unwrap(), run_of(&world).spawn().unwrap()];
    for run in &mut runs {
        assert_eq!(run.wait().unwrap().code(), Some(0));
    }
    assert_eq!(world.tree().without_moments(), alone.tree().without_moments());
}

/// Whether a command of the system succeeds.
fn succeeds(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A file system of this size over a folder, for as long as it lives.
struct Mount(String);

impl Mount {
    /// `None`, and a word about it, where it cannot be made.
    fn over(folder: &str, options: &str) -> Option<Self> {
        if !succeeds("mount", &["-t", "tmpfs", "-o", options, "tmpfs", folder]) {
            say("skipped: no file system can be mounted here");
            return None;
        }
        Some(Self(folder.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        succeeds("umount", &["-l", &self.0]);
    }
}

#[test]
fn a_full_disk_leaves_the_old_tree_and_says_so() {
    let world = World::new();
    let contracts = world.home.path().join("contracts");
    std::fs::create_dir(&contracts).unwrap();
    let Some(_mount) = Mount::over(contracts.to_str().unwrap(), "size=1m") else {
        return;
    };
    world.ok(&["run"]);
    let before = world.tree();
    let filler = contracts.join("filler");
    let mut size = 1 << 20;
    while size >= 1024 {
        // Whatever still fits.
        let mut grown = std::fs::read(&filler).unwrap_or_default();
        grown.resize(grown.len() + size, b'x');
        if std::fs::write(&filler, &grown).is_err() {
            grown.truncate(grown.len() - size);
            std::fs::write(&filler, &grown).unwrap();
            size /= 2;
        }
    }
    world.server.npm(&quill(4));
    let (code, out, err) = world.bot(&["run"]);
    let told = format!("{out}{err}");
    assert!(
        told.contains("No space left on device") && told.contains("contracts/"),
        "{code}\n{told}"
    );
    assert_eq!(code, 4, "{told}");
    let mut after = world.tree();
    after.0.remove("filler");
    for (path, file) in &before.0 {
        assert_eq!(after.0.get(path).map(|now| &now.0), Some(&file.0), "{path}: {told}");
    }
    std::fs::remove_file(filler).unwrap();
    let document = world.json(&["run"]);
    assert!(document["steps"].to_string().contains("1.3.0"), "{document:#}");
    let alone = World::new();
    alone.ok(&["run"]);
    alone.server.npm(&quill(4));
    alone.ok(&["run"]);
    assert_eq!(world.tree().without_moments(), alone.tree().without_moments());
}

#[test]
fn a_tree_that_may_not_be_written_is_named() {
    let world = World::new();
    let contracts = world.home.path().join("contracts");
    std::fs::create_dir(&contracts).unwrap();
    let Some(_mount) = Mount::over(contracts.to_str().unwrap(), "ro") else {
        return;
    };
    let (code, out, err) = world.bot(&["run"]);
    assert_eq!((code, out.as_str()), (4, ""), "{err}");
    let err = err.replace(&world.home.path().canonicalize().unwrap().display().to_string(), "HOME");
    insta::assert_snapshot!(err, @"error: cannot make HOME/contracts/.store/tmp: Read-only file system (os error 30)");
    // Reading is no writing.
    world.ok(&["queue", "list"]);
    world.ok(&["discover"]);
}

#[test]
fn a_step_that_cannot_be_written_is_a_failure_and_no_source_that_was_not_reached() {
    let world = World::new();
    world.home.write("contracts/shapes", "a file where a folder should be");
    let (code, out, err) = world.bot(&["run"]);
    assert_eq!((code, out.as_str()), (4, ""), "{err}");
    assert!(err.contains("contracts/shapes"), "{err}");
    std::fs::remove_file(world.home.path().join("contracts/shapes")).unwrap();
    let alone = World::new();
    alone.ok(&["run"]);
    world.ok(&["run"]);
    assert_eq!(world.tree().without_moments(), alone.tree().without_moments());
}

#[test]
fn a_tree_with_a_broken_record_names_it_and_writes_nothing() {
    let world = World::new();
    world.ok(&["run"]);
    let broken = world.tree().one("registry/releases/quill", ".json").to_owned();
    world
        .home
        .write(&format!("contracts/{broken}"), "{\"schema_version\": 1, \"agent\": 7");
    let before = world.tree();
    let (code, _, err) = world.bot(&["run"]);
    assert_eq!(code, 4, "{err}");
    let err = err.replace(&world.home.path().canonicalize().unwrap().display().to_string(), "HOME");
    insta::assert_snapshot!(err, @"error: HOME/contracts/registry/releases/quill.json is not what it should be at `agent`: invalid type: integer `7`, expected a string at line 1 column 32; mend it or delete it");
    assert_eq!(world.tree(), before);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let world = World::new();
    let mut child = support::command(world.home.path())
        .args(["agents", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
