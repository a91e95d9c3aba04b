//! The versions of a picture: those in which something happened stand alone, those between them share a column.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_registry::history::{Line, VersionState};

/// Most columns of a picture; neighbours share one where there would be more.
const MOST: usize = 72;
/// Width of a column in which something happened.
const WIDE: f64 = 22.0;
/// Width of a column of versions in which nothing did.
const NARROW: f64 = 14.0;

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    /// Its left edge.
    pub(super) x: f64,
    pub(super) width: f64,
    /// Its versions, oldest first.
    pub(super) first: String,
    pub(super) last: String,
    pub(super) count: usize,
    /// The day of its last version.
    pub(super) day: Option<String>,
    /// Nothing happened in it.
    pub(super) quiet: bool,
}

impl Column {
    pub(super) fn middle(&self) -> f64 {
        self.x + self.width / 2.0
    }

    /// Its versions in words.
    pub(super) fn label(&self) -> String {
        match self.count {
            1 => self.last.clone(),
            _ if self.quiet => format!("+{}", self.count),
            _ => format!("… {}", self.last),
        }
    }
}

/// All columns, and the column of each version.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Columns {
    pub(super) all: Vec<Column>,
    of: BTreeMap<String, usize>,
}

impl Columns {
    /// `told` are the versions in which something happened; of prereleases only those have a place.
    pub(super) fn new(line: &Line, told: &BTreeSet<&str>) -> Self {
        let only_prereleases = line.versions.iter().all(|point| point.prerelease);
        let shown: Vec<_> = line
            .versions
            .iter()
            .filter(|point| point.state == VersionState::Read || point.state == VersionState::Same)
            .filter(|point| only_prereleases || !point.prerelease || told.contains(point.version.as_str()))
            .collect();
        let mut columns = Self::default();
        let busy = shown
            .iter()
            .filter(|point| told.contains(point.version.as_str()))
            .count();
        let share = busy.div_ceil(MOST).max(1);
        // Things that happened in the last column.
        let mut in_last = 0;
        for (index, point) in shown.iter().enumerate() {
            let ends = index == 0 || index + 1 == shown.len();
            let happens = told.contains(point.version.as_str());
            let quiet = !happens && !ends;
            let joins = columns.all.last().is_some_and(|last: &Column| match share {
                1 => last.quiet && quiet,
                _ => !happens || in_last < share,
            });
            if joins && let Some(last) = columns.all.last_mut() {
                last.last.clone_from(&point.version);
                last.day.clone_from(&point.date);
                last.count += 1;
                in_last += usize::from(happens);
            } else {
                columns.all.push(Column {
                    x: 0.0,
                    width: if quiet { NARROW } else { WIDE },
                    first: point.version.clone(),
                    last: point.version.clone(),
                    count: 1,
                    day: point.date.clone(),
                    quiet,
                });
                in_last = usize::from(happens);
            }
            columns.of.insert(point.version.clone(), columns.all.len() - 1);
        }
        let mut x = 0.0;
        for column in &mut columns.all {
            // A single quiet version has a name to show.
            if column.quiet && column.count == 1 {
                column.width = WIDE;
            }
            column.x = x;
            x += column.width;
        }
        columns
    }

    /// The column of a version.
    pub(super) fn of(&self, version: &str) -> Option<usize> {
        self.of.get(version).copied()
    }

    pub(super) fn width(&self) -> f64 {
        self.all.last().map_or(0.0, |last| last.x + last.width)
    }
}
