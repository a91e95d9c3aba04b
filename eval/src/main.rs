//! `scripts/eval`: prints recall, precision, false alarms and severity of the scan, by language and in all.
#![expect(clippy::print_stdout, reason = "the score is this program's output")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use agent_contracts_eval::pairs::{Pair, labels};
use agent_contracts_eval::run::{Bench, Outcome};
use clap::Parser;

/// Scores the scan against labelled version pairs of real agents.
#[derive(Parser)]
struct Args {
    /// The `agent-contracts` binary.
    #[arg(long)]
    bin: PathBuf,
    /// Folder of bare repositories, `OWNER+NAME/repo` each; pairs whose repository is not there are skipped.
    #[arg(long)]
    mirrors: Option<PathBuf>,
    /// Where the scans keep their state.
    #[arg(long)]
    state: PathBuf,
    /// Only pairs of this kind of source.
    #[arg(long)]
    kind: Option<String>,
    /// Only pairs of these languages.
    #[arg(long, value_delimiter = ',')]
    language: Vec<String>,
    /// Only these pairs.
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Flag pairs too.
    #[arg(long)]
    flags: bool,
    /// How many scans run at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Print what was missed and what was extra.
    #[arg(long)]
    details: bool,
    /// Fail below this recall.
    #[arg(long, default_value_t = 0.0)]
    min_recall: f64,
    /// Fail below this precision.
    #[arg(long, default_value_t = 0.0)]
    min_precision: f64,
}

#[derive(Default)]
struct Sum {
    expected: usize,
    found: usize,
    severity_right: usize,
    loud: usize,
    explained: usize,
    quiet: usize,
    false_alarms: usize,
}

#[expect(clippy::cast_precision_loss, reason = "counts of labels are small")]
fn rate(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

impl Sum {
    fn line(&self) -> String {
        format!(
            "recall {}/{} = {:.3}  precision {}/{} = {:.3}  false alarms {}/{}  severity {}/{} = {:.3}",
            self.found,
            self.expected,
            rate(self.found, self.expected),
            self.explained,
            self.loud,
            rate(self.explained, self.loud),
            self.false_alarms,
            self.quiet,
            self.severity_right,
            self.found,
            rate(self.severity_right, self.found),
        )
    }
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let wanted = |pair: &Pair| {
        (args.flags || !pair.flags)
            && args.kind.as_ref().is_none_or(|kind| *kind == pair.source.kind)
            && (args.language.is_empty() || args.language.contains(&pair.language))
            && (args.only.is_empty() || args.only.contains(&pair.id))
    };
    let pairs: Vec<Pair> = labels()?.pairs.into_iter().filter(wanted).collect();
    let bench = Bench {
        binary: args.bin,
        mirrors: args.mirrors,
        state: args.state,
        jobs: args.jobs,
    };
    let start = Instant::now();
    let outcomes = bench.run(&pairs);
    let (mut all, mut by_language) = (Sum::default(), BTreeMap::<&str, Sum>::new());
    let (mut scored, mut skipped, mut failed) = (0, 0, 0);
    for (pair, outcome) in &outcomes {
        match outcome {
            Outcome::Skipped => skipped += 1,
            Outcome::Failed(why) => {
                failed += 1;
                println!("{} failed: {why}", pair.id);
            }
            Outcome::Scored(score) => {
                scored += 1;
                for sum in [&mut all, by_language.entry(&pair.language).or_default()] {
                    sum.expected += score.expected;
                    sum.found += score.found;
                    sum.severity_right += score.severity_right;
                    sum.loud += score.loud;
                    sum.explained += score.explained;
                    sum.quiet += usize::from(pair.quiet);
                    sum.false_alarms += usize::from(score.false_alarm);
                }
                if args.details {
                    for label in &score.missed {
                        println!(
                            "{} missed {} {:?} {:?}",
                            pair.id, label.rule, label.type_name, label.name
                        );
                    }
                    for finding in &score.extra {
                        println!(
                            "{} extra {} {:?} {:?} {} {} -> {}",
                            pair.id,
                            finding.rule,
                            finding.type_name,
                            finding.wire_name.as_ref().or(finding.flag.as_ref()),
                            finding.severity,
                            finding.before,
                            finding.after
                        );
                    }
                }
            }
        }
    }
    for (language, sum) in &by_language {
        println!("{language:12} {}", sum.line());
    }
    println!("{:12} {}", "all", all.line());
    println!(
        "pairs: {scored} scored, {skipped} skipped, {failed} failed; {:.1} s",
        start.elapsed().as_secs_f64()
    );
    let good = failed == 0
        && scored > 0
        && rate(all.found, all.expected) >= args.min_recall
        && rate(all.explained, all.loud) >= args.min_precision;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
