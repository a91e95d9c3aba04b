//! Tests over several libraries.
