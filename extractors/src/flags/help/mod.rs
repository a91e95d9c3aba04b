//! Later.

use super::collect::Found;
use super::files::Files;

/// Reads the help texts of the scope.
pub(super) fn read(_: &Files<'_>, _: &mut Found) {}
