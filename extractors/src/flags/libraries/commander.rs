//! Later.

use std::rc::Rc;

use super::Library;
use crate::flags::code::JAVASCRIPT;
use crate::flags::collect::Found;
use crate::flags::files::{File, Files};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &JAVASCRIPT,
    hints: &["\u{0}"],
    read,
};

fn read(_: &Files<'_>, _: &[Rc<File>], _: &mut Found) {}
