//! notifiers
