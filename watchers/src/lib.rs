//! watchers
