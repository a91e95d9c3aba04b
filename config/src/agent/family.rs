//! The protocol families. Shapes need them too and stand below, so the list is in `wire`.

pub use agent_contracts_wire::family::{FAMILIES, Family, SCAN_ONLY, Transport};
