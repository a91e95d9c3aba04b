//! Records of the public tree, their store and their rules.

pub mod release;

pub use release::Release;
