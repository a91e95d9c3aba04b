//! The scan against labelled npm pairs, as `scripts/eval --kind npm` runs them. The git pairs need mirrors; those are
//! for `scripts/eval --mirrors DIR`.

use agent_contracts_eval::pairs::{Pair, labels};
use agent_contracts_eval::run::{Bench, Outcome};

use crate::support;

#[test]
fn npm_pairs_score_at_least_what_was_promised() {
    if support::without_network() {
        return;
    }
    let pairs: Vec<Pair> = labels()
        .unwrap()
        .pairs
        .into_iter()
        .filter(|pair| pair.source.kind == "npm")
        .collect();
    assert_eq!(pairs.len(), 25);
    let state = tempfile::tempdir().unwrap();
    let bench = Bench {
        binary: support::binary().into(),
        mirrors: None,
        state: state.path().to_owned(),
        jobs: 2,
    };
    let (mut expected, mut found, mut loud, mut explained) = (0, 0, 0, 0);
    let mut alarms = Vec::new();
    for (pair, outcome) in bench.run(&pairs) {
        match outcome {
            Outcome::Scored(score) => {
                expected += score.expected;
                found += score.found;
                loud += score.loud;
                explained += score.explained;
                if score.false_alarm {
                    alarms.push(pair.id.clone());
                }
            }
            Outcome::Skipped => panic!("{} was skipped", pair.id),
            Outcome::Failed(why) => panic!("{} failed: {why}", pair.id),
        }
    }
    assert!(found * 100 >= expected * 85, "recall {found}/{expected}");
    assert!(explained * 100 >= loud * 85, "precision {explained}/{loud}");
    assert_eq!(
        alarms,
        Vec::<String>::new(),
        "pairs without a wire change that got an alarm"
    );
}
