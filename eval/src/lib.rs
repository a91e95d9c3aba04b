//! Holds the scan against labelled version pairs of real agents.
//!
//! The labels are in `pairs.json`: for each pair two versions, a scope of files and the wire changes that a careful
//! reader found there. One finding answers one label, when its rule goes the same way and its name is the label's. The
//! binary under test is run as a user would run it; nothing of the scanner is linked in here.

pub mod pairs;
pub mod run;
pub mod score;
