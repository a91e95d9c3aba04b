//! source-evidence
