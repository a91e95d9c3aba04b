//! The stages of a scan by themselves, on generated protocols: reading a file, linking, comparing, listing names, deriving
//! a shape. `cargo bench -p agent-contracts-benches`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use agent_contracts_extractors::languages::parse;
use agent_contracts_extractors::{FileFacts, SourceTree, extract};
use agent_contracts_shapes::Validity;
use agent_contracts_shapes::derive::derive;
use agent_contracts_wire::diff::inventory::inventory;
use agent_contracts_wire::{DiffOptions, Direction, Family, WireModel, diff};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

mod generate;

/// Events of a small and of a large protocol.
const SIZES: [usize; 2] = [20, 200];

/// A tree of one file.
struct OneFile {
    paths: Vec<String>,
    text: Arc<[u8]>,
    facts: Option<Arc<FileFacts>>,
}

impl OneFile {
    fn new(path: &str, text: &str) -> Self {
        Self {
            paths: vec![path.to_owned()],
            text: text.as_bytes().into(),
            facts: parse(path, text.as_bytes()).map(Arc::new),
        }
    }

    fn model(&self) -> WireModel {
        extract(self, &self.paths, false)
    }
}

impl SourceTree for OneFile {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        self.facts
            .clone()
            .filter(|_| self.paths.iter().any(|known| known == path))
    }

    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.paths
            .iter()
            .any(|known| known == path)
            .then(|| Arc::clone(&self.text))
    }
}

type Generator = fn(usize, usize) -> String;

const LANGUAGES: [(&str, &str, Generator); 3] = [
    ("typescript", "events.ts", generate::typescript),
    ("rust", "events.rs", generate::rust),
    ("json_schema", "events.json", generate::json_schema),
];

fn stages(criterion: &mut Criterion) {
    let options = DiffOptions {
        roots: vec!["AnyEvent".to_owned()],
        directions: BTreeMap::from([("AnyEvent".to_owned(), Direction::Output)]),
    };
    for (language, path, generate) in LANGUAGES {
        for size in SIZES {
            let (old, new) = (generate(size, 0), generate(size, 1));
            let mut group = criterion.benchmark_group(language);
            group.sample_size(20).throughput(Throughput::Bytes(old.len() as u64));
            let id = |stage: &str| BenchmarkId::new(stage, size);
            group.bench_function(id("parse"), |bencher| {
                bencher.iter(|| parse(path, black_box(old.as_bytes())));
            });
            let (old, new) = (OneFile::new(path, &old), OneFile::new(path, &new));
            group.bench_function(id("link"), |bencher| bencher.iter(|| black_box(&old).model()));
            let (old, new) = (old.model(), new.model());
            let findings = diff(&old, &new, &options).findings.len();
            assert!(findings > 0, "{language} {size}: the two versions are meant to differ");
            group.bench_function(id("diff"), |bencher| {
                bencher.iter(|| diff(black_box(&old), black_box(&new), &options));
            });
            group.bench_function(id("diff_same"), |bencher| {
                bencher.iter(|| diff(black_box(&old), black_box(&old), &options));
            });
            group.bench_function(id("names"), |bencher| {
                bencher.iter(|| inventory(black_box(&old), &options));
            });
            if let Some(family) = Family::of("json-event-stream/v1") {
                group.bench_function(id("shape"), |bencher| {
                    bencher.iter(|| derive(black_box(&old), &options, family, Validity::SourceDerived));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
