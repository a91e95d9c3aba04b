//! `history AGENT --format svg`: versions from left to right, one lane an event, a bar where a name is there, a mark where
//! something happened to it.
//!
//! [`layout`] decides what is shown and where; [`draw`] writes it. The picture needs nothing from elsewhere: no font, no
//! style sheet, no script. Everything that the colours say is said by the forms of the marks too.

mod columns;
mod draw;
mod layout;

use agent_contracts_registry::history::History;

/// The picture. The same history gives the same bytes.
#[must_use]
pub fn picture(history: &History, agent_name: &str) -> String {
    let sections: Vec<layout::Section> = history.sources.iter().map(layout::section).collect();
    draw::draw(history, agent_name, &sections)
}
