//! A laid out picture as SVG.

use agent_contracts_registry::history::{About, History};
use agent_contracts_source_evidence::wording::printable;
use agent_contracts_wire::Severity;
use maud::{Markup, PreEscaped, html};

use super::columns::{Column, Columns};
use super::layout::{Lane, Mark, Row, Section};

const MARGIN: f64 = 16.0;
/// Width of the labels of rows.
const LABELS: f64 = 320.0;
/// Characters of a label that fit.
const LABEL_LENGTH: usize = 46;
const ROW: f64 = 18.0;
/// Height of the names of versions, which stand aslant.
const HEADS: f64 = 112.0;
/// The least width, so that title and legend fit.
const LEAST_WIDTH: f64 = 760.0;
/// Days nearer than this to the last one that was written are left out.
const DAY_GAP: f64 = 60.0;
/// Names of versions nearer than this to the last one that was written are left out.
const LABEL_GAP: f64 = 13.0;

const STYLE: &str = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;font-size:12px;\
fill:#1f2328}.h{font-size:18px;font-weight:600}.s{font-size:14px;font-weight:600}.m{fill:#59636e}.b{font-weight:600}\
.v{font-size:11px}.n{font-size:9px;font-weight:600;fill:#fff;text-anchor:middle}.g{stroke:#d1d9e0;stroke-width:1}\
.bar{fill:#b6c8dd}.lane{fill:#f3f6f9}";

/// The whole picture.
pub(super) fn draw(history: &History, agent_name: &str, sections: &[Section]) -> String {
    let about = match history.about {
        About::Protocol => "wire names",
        About::Flags => "command-line flags",
    };
    let of = history
        .asked
        .as_ref()
        .map_or_else(String::new, |asked| format!(": {asked}"));
    let title = printable(&format!("{agent_name}, {about} through all versions{of}"));
    let (mut body, mut y) = (Vec::new(), MARGIN + 64.0);
    for section in sections {
        body.push(section_at(section, &mut y));
        y += 28.0;
    }
    let widest = sections
        .iter()
        .map(|section| section.columns.width())
        .fold(0.0, f64::max);
    // The slanted name of the last version reaches beyond its column.
    let width = (MARGIN * 2.0 + LABELS + widest + 70.0).max(LEAST_WIDTH);
    let height = y + 4.0;
    let words: Vec<String> = sections
        .iter()
        .map(|section| printable(&format!("{}: {}", section.source, section.totals)))
        .collect();
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(round(width)) height=(round(height))
            viewBox={ "0 0 " (round(width)) " " (round(height)) } role="img" aria-labelledby="title desc" {
            title id="title" { (title) }
            desc id="desc" {
                "A lane for each event, a row for each name to which something happened. A bar says in which versions it \
                 is there; a mark says when something happened and how severe it is. " (words.join(" "))
            }
            style { (PreEscaped(STYLE)) }
            rect width="100%" height="100%" fill="#ffffff" {}
            text class="h" x=(round(MARGIN)) y="30" { (title) }
            (legend(MARGIN, 54.0))
            @for part in &body { (part) }
        }
    };
    picture.into_string() + "\n"
}

fn section_at(section: &Section, y: &mut f64) -> Markup {
    let left = MARGIN + LABELS;
    *y += 16.0;
    let (title_y, totals_y) = (*y, *y + 17.0);
    let grid_top = totals_y + 14.0 + HEADS;
    *y = grid_top + 6.0;
    let mut rows = Vec::new();
    for lane in &section.lanes {
        rows.push(lane_at(lane, &section.columns, left, y));
    }
    let bottom = *y;
    let right = left + section.columns.width();
    let mut notes = Vec::new();
    for note in &section.left_out {
        *y += 16.0;
        notes.push((*y, note.clone()));
    }
    html! {
        g {
            text class="s" x=(round(MARGIN)) y=(round(title_y)) { (printable(&section.source)) }
            text class="m" x=(round(MARGIN)) y=(round(totals_y)) { (section.totals) }
            @if section.lanes.is_empty() {
                text class="m" x=(round(MARGIN)) y=(round(grid_top)) { "No name to show." }
            } @else {
                (heads(&section.columns, left, grid_top, bottom))
                @for row in &rows { (row) }
                line class="g" x1=(round(left)) x2=(round(right)) y1=(round(bottom)) y2=(round(bottom)) {}
            }
            @for (y, note) in &notes {
                text class="m" x=(round(MARGIN)) y=(round(*y)) { "not shown: " (printable(note)) }
            }
        }
    }
}

/// The names of versions, and a line down from each column in which something happened.
fn heads(columns: &Columns, left: f64, top: f64, bottom: f64) -> Markup {
    let mut last = f64::NEG_INFINITY;
    let mut labels: Vec<(&Column, bool)> = Vec::new();
    for column in &columns.all {
        let fits = column.middle() - last >= LABEL_GAP;
        if fits {
            last = column.middle();
        }
        labels.push((column, fits));
    }
    let mut last = f64::NEG_INFINITY;
    let mut days: Vec<(f64, &str)> = Vec::new();
    for column in columns.all.iter().filter(|column| !column.quiet) {
        if let Some(day) = column.day.as_deref().filter(|_| column.middle() - last >= DAY_GAP) {
            last = column.middle();
            days.push((left + column.middle(), day));
        }
    }
    html! {
        @for (x, day) in days {
            text class="v m" x=(round(x - 4.0)) y=(round(top - 4.0)) { (printable(day)) }
        }
        @for (column, fits) in labels {
            @let x = left + column.middle();
            @if column.quiet && column.count > 1 {
                rect x=(round(left + column.x)) y=(round(top)) width=(round(column.width)) height=(round(bottom - top))
                    fill="#eef1f4" {}
            } @else {
                line class="g" x1=(round(x)) x2=(round(x)) y1=(round(top)) y2=(round(bottom)) {}
            }
            @if fits {
                text class=(if column.quiet { "v m" } else { "v" })
                    transform={ "translate(" (round(x + 4.0)) " " (round(top - 19.0)) ") rotate(-50)" } {
                    (printable(&short(&column.label(), 22)))
                    title {
                        (printable(&format!("{} to {}", column.first, column.last)))
                        @if let Some(day) = &column.day { " (" (printable(day)) ")" }
                    }
                }
            }
        }
    }
}

fn lane_at(lane: &Lane, columns: &Columns, left: f64, y: &mut f64) -> Markup {
    let top = *y;
    let drawn: Vec<Markup> = lane
        .rows
        .iter()
        .map(|row| {
            let markup = row_at(row, columns, left, *y);
            *y += ROW;
            markup
        })
        .collect();
    let note_y = *y + 12.0;
    if lane.quiet > 0 && lane.rows.len() > 1 {
        *y += ROW;
    }
    *y += 4.0;
    html! {
        g {
            rect class="lane" x=(round(MARGIN - 6.0)) y=(round(top)) width=(round(LABELS + 6.0 + columns.width()))
                height=(round(ROW)) {}
            @for row in &drawn { (row) }
            @if lane.quiet > 0 && lane.rows.len() > 1 {
                text class="v m" x=(round(MARGIN + 14.0)) y=(round(note_y)) {
                    "+ " (lane.quiet) (if lane.quiet == 1 { " name" } else { " names" }) " without a story of its own"
                }
            }
            title { (printable(&lane.title)) }
        }
    }
}

fn row_at(row: &Row, columns: &Columns, left: f64, y: f64) -> Markup {
    let middle = y + ROW / 2.0;
    let indent = if row.head { 0.0 } else { 14.0 };
    let length = if row.head { LABEL_LENGTH } else { LABEL_LENGTH - 2 };
    let bar = |(from, to): (usize, usize)| {
        let (from, to) = (columns.all.get(from)?, columns.all.get(to)?);
        let end = if to.x + to.width >= columns.width() {
            to.x + to.width
        } else {
            to.middle()
        };
        Some((left + from.middle(), (end - from.middle()).max(2.0)))
    };
    html! {
        g {
            text class=[row.head.then_some("b")] x=(round(MARGIN + indent)) y=(round(middle + 4.0)) {
                (printable(&short_middle(&row.label, length)))
                title { (printable_lines(&row.told)) }
            }
            @for (x, width) in row.bars.iter().filter_map(|ends| bar(*ends)) {
                rect class="bar" x=(round(x)) y=(round(middle - 3.0)) width=(round(width)) height="6" rx="3" {}
            }
            @for mark in &row.marks {
                @if let Some(column) = columns.all.get(mark.column) {
                    (mark_at(mark, left + column.middle(), middle))
                }
            }
        }
    }
}

fn colour(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "#b42318",
        Severity::Risky => "#b54708",
        Severity::Additive => "#2563a8",
        Severity::None => "#6b7280",
    }
}

/// Breaking is a square on its corner, risky a triangle, additive a circle, no effect a small ring; what leaves is crossed.
fn mark_at(mark: &Mark, x: f64, y: f64) -> Markup {
    html! {
        g {
            (form(mark.severity, x, y))
            @if mark.leaves {
                path d={ "M" (round(x - 2.5)) " " (round(y - 2.5)) "l5 5m0 -5l-5 5" } stroke="#fff" stroke-width="1.6" fill="none" {}
            } @else if mark.count > 1 {
                text class="n" x=(round(x)) y=(round(y + 3.2)) { (if mark.count > 99 { "99".to_owned() } else { mark.count.to_string() }) }
            }
            title { (printable_lines(&mark.told)) }
        }
    }
}

fn form(severity: Severity, x: f64, y: f64) -> Markup {
    let fill = colour(severity);
    let points = |points: &[(f64, f64)]| {
        let all: Vec<String> = points
            .iter()
            .map(|(dx, dy)| format!("{},{}", round(x + dx), round(y + dy)))
            .collect();
        all.join(" ")
    };
    html! {
        @match severity {
            Severity::Breaking => polygon points=(points(&[(0.0, -8.0), (8.0, 0.0), (0.0, 8.0), (-8.0, 0.0)])) fill=(fill) {},
            Severity::Risky => polygon points=(points(&[(0.0, -8.0), (8.0, 6.0), (-8.0, 6.0)])) fill=(fill) {},
            Severity::Additive => circle cx=(round(x)) cy=(round(y)) r="6" fill=(fill) {},
            Severity::None => circle cx=(round(x)) cy=(round(y)) r="4.5" fill=(fill) stroke="#fff" {},
        }
    }
}

fn legend(x: f64, y: f64) -> Markup {
    let mut entries = Vec::new();
    let mut at = x + 8.0;
    for (severity, leaves, word, width) in [
        (Severity::Breaking, false, "breaking", 84.0),
        (Severity::Risky, false, "risky", 64.0),
        (Severity::Additive, false, "additive", 80.0),
        (Severity::None, false, "no finding of its own", 156.0),
        (Severity::Breaking, true, "left", 52.0),
    ] {
        let mark = Mark {
            column: 0,
            severity,
            leaves,
            count: 1,
            told: word.to_owned(),
        };
        entries.push((mark, at, word));
        at += width;
    }
    html! {
        g {
            @for (mark, at, word) in &entries {
                (mark_at(mark, *at, y - 4.0))
                text class="m" x=(round(at + 12.0)) y=(round(y)) { (word) }
            }
            rect class="bar" x=(round(at)) y=(round(y - 7.0)) width="22" height="6" rx="3" {}
            text class="m" x=(round(at + 28.0)) y=(round(y)) { "there in these versions" }
            rect x=(round(at + 180.0)) y=(round(y - 11.0)) width="14" height="14" fill="#eef1f4" {}
            text class="m" x=(round(at + 200.0)) y=(round(y)) { "+n: n releases without a change" }
        }
    }
}

/// One digit after the point: nobody sees more.
fn round(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn short(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length - 1).chain(['…']).collect()
}

/// The end of a path says more than its middle.
fn short_middle(text: &str, length: usize) -> String {
    let count = text.chars().count();
    if count <= length {
        return text.to_owned();
    }
    let begin = length / 3;
    let end = length - begin - 1;
    text.chars()
        .take(begin)
        .chain(['…'])
        .chain(text.chars().skip(count - end))
        .collect()
}

fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}
