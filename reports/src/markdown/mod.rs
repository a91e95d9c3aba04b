//! Markdown, as GitHub renders it.

mod parts;
mod step;

pub use parts::{finding_brief, finding_details};
pub use step::step;
