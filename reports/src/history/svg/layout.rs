//! What a picture shows of one source: its columns, its lanes and their rows.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_registry::history::{Happened, NameHistory, Presence, SourceHistory};
use agent_contracts_wire::Severity;
use agent_contracts_wire::diff::inventory::NameKind;

use super::columns::Columns;
use crate::history::story::{counted, story, totals_words};

/// Most rows of one source. Lanes with the most rows are drawn as one row each until it fits, then the quietest are
/// only counted.
const ROWS: usize = 110;

/// One source.
pub(super) struct Section {
    pub(super) source: String,
    pub(super) totals: String,
    pub(super) columns: Columns,
    pub(super) lanes: Vec<Lane>,
    /// What is not shown, in words.
    pub(super) left_out: Vec<String>,
}

/// One event, type or command.
pub(super) struct Lane {
    pub(super) title: String,
    /// Its own row first.
    pub(super) rows: Vec<Row>,
    /// Names of it that only came and went with what holds them, or never did.
    pub(super) quiet: usize,
}

/// One name, or all of a lane.
pub(super) struct Row {
    pub(super) label: String,
    /// The label as a whole, and what happened.
    pub(super) told: String,
    pub(super) head: bool,
    /// Columns where it is there, from and to, both included.
    pub(super) bars: Vec<(usize, usize)>,
    pub(super) marks: Vec<Mark>,
}

/// What happened in one column.
pub(super) struct Mark {
    pub(super) column: usize,
    pub(super) severity: Severity,
    /// Something left.
    pub(super) leaves: bool,
    /// How many things happened.
    pub(super) count: usize,
    pub(super) told: String,
}

pub(super) fn section(source: &SourceHistory) -> Section {
    let in_releases = source.names.iter().filter(|name| name.since.is_some());
    let names: Vec<&NameHistory> = in_releases.collect();
    let told: BTreeSet<&str> = names
        .iter()
        .flat_map(|name| name.events.iter().map(|event| event.version.as_str()))
        .collect();
    let columns = Columns::new(&source.line, &told);
    let mut by_holder: BTreeMap<&str, Vec<&NameHistory>> = BTreeMap::new();
    for name in &names {
        by_holder.entry(&name.holder).or_default().push(name);
    }
    let mut lanes: Vec<Lane> = by_holder
        .into_iter()
        .map(|(holder, names)| lane(holder, &names, &columns))
        .collect();
    let mut left_out = Vec::new();
    fit(&mut lanes, &mut left_out);
    let previews = source.names.iter().filter(|name| name.since.is_none()).count();
    if previews > 0 {
        left_out.push(format!("{} in prereleases only", counted(previews, "name")));
    }
    Section {
        source: source.line.title(),
        totals: totals_words(&source.line),
        columns,
        lanes,
        left_out,
    }
}

fn lane(holder: &str, names: &[&NameHistory], columns: &Columns) -> Lane {
    let is_head = |name: &NameHistory| {
        matches!(name.kind, NameKind::Event | NameKind::Method | NameKind::Type) && name.path.is_empty()
    };
    let head = names.iter().find(|name| is_head(name));
    let title = if holder.is_empty() {
        "the program itself"
    } else {
        holder
    };
    let (told, quiet): (Vec<&&NameHistory>, Vec<&&NameHistory>) = names
        .iter()
        .filter(|name| !is_head(name))
        .partition(|name| !name.events.is_empty() && !name.follows_its_holder());
    let mut rows = vec![match head {
        Some(name) => row(name, title, columns, true),
        None => Row {
            label: title.to_owned(),
            told: title.to_owned(),
            head: true,
            bars: Vec::new(),
            marks: Vec::new(),
        },
    }];
    rows.extend(told.into_iter().map(|name| row(name, &name.below(), columns, false)));
    Lane {
        title: title.to_owned(),
        rows,
        quiet: quiet.len(),
    }
}

fn row(name: &NameHistory, label: &str, columns: &Columns, head: bool) -> Row {
    let last = columns.all.len().saturating_sub(1);
    let mut bars = Vec::new();
    let mut start = name
        .from_the_first
        .then(|| name.since.as_deref().and_then(|since| columns.of(since)).unwrap_or(0));
    let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
    for event in &name.events {
        let Some(column) = columns.of(&event.version) else {
            continue;
        };
        match event.what {
            Happened::Appeared | Happened::CameBack => start = Some(column),
            Happened::Left => bars.extend(start.take().map(|from| (from, column))),
            Happened::Changed => {}
        }
        let mark = marks.entry(column).or_insert(Mark {
            column,
            severity: Severity::None,
            leaves: false,
            count: 0,
            told: String::new(),
        });
        mark.severity = mark.severity.max(event.severity);
        mark.leaves |= event.what == Happened::Left;
        mark.count += 1;
        mark.told = format!("{}: {}", name.address(), story(name));
    }
    if name.now != Presence::Gone {
        bars.extend(start.map(|from| (from, last)));
    }
    Row {
        label: label.to_owned(),
        told: format!("{}: {}", name.address(), story(name)),
        head,
        bars,
        marks: marks.into_values().collect(),
    }
}

/// Makes the lanes fit.
fn fit(lanes: &mut Vec<Lane>, left_out: &mut Vec<String>) {
    let still = lanes.iter().filter(|lane| lane.is_still()).count();
    let total = |lanes: &[Lane]| lanes.iter().map(|lane| lane.rows.len()).sum::<usize>();
    if total(lanes) > ROWS && still > 0 {
        lanes.retain(|lane| !lane.is_still());
        left_out.push(format!("{} in which nothing happened", counted(still, "event or type")));
    }
    while total(lanes) > ROWS {
        let Some(largest) = lanes
            .iter_mut()
            .max_by_key(|lane| lane.rows.len())
            .filter(|lane| lane.rows.len() > 1)
        else {
            break;
        };
        largest.fold();
    }
    if lanes.len() > ROWS {
        let mut weights: Vec<(Severity, usize)> = lanes.iter().map(Lane::weight).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let least = weights[ROWS - 1];
        let before = lanes.len();
        lanes.retain(|lane| lane.weight() >= least);
        lanes.truncate(ROWS);
        left_out.push(format!(
            "{} more in which less happened",
            counted(before - lanes.len(), "event or type")
        ));
    }
}

impl Lane {
    fn is_still(&self) -> bool {
        self.rows.iter().all(|row| row.marks.is_empty())
    }

    /// What happened at worst, and how much.
    fn weight(&self) -> (Severity, usize) {
        let marks = self.rows.iter().flat_map(|row| &row.marks);
        let worst = marks.clone().map(|mark| mark.severity).max().unwrap_or(Severity::None);
        (worst, marks.map(|mark| mark.count).sum())
    }

    /// All rows in one, with the marks of one column counted.
    fn fold(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let mut marks: BTreeMap<usize, Mark> = BTreeMap::new();
        let names = rows.len() - 1;
        let mut head = None;
        for mut row in rows {
            for mark in row.marks.drain(..) {
                match marks.get_mut(&mark.column) {
                    Some(known) => {
                        known.severity = known.severity.max(mark.severity);
                        known.leaves |= mark.leaves;
                        known.count += mark.count;
                        // A tooltip that is longer than a screen tells nothing.
                        if known.told.lines().count() < 12 {
                            known.told = format!("{}\n{}", known.told, mark.told);
                        }
                    }
                    None => {
                        marks.insert(mark.column, mark);
                    }
                }
            }
            head.get_or_insert(row);
        }
        let Some(mut head) = head else { return };
        head.told = format!("{} and {names} names in it", head.told);
        head.marks = marks.into_values().collect();
        if head.bars.is_empty()
            && let (Some(first), Some(last)) = (head.marks.first(), head.marks.last())
        {
            head.bars.push((first.column, last.column));
        }
        head.label = format!("{} (+{names})", head.label);
        self.rows = vec![head];
    }
}
