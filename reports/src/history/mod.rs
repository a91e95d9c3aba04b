//! Histories for people: a table in Markdown, a picture, and what happened to a name in a few words.

mod markdown;
mod steps;
mod story;
mod svg;

pub use markdown::history as markdown;
pub use steps::steps as steps_markdown;
pub use story::{about_line, story, totals_words};
pub use svg::picture;
