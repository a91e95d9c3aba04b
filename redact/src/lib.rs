//! What may be published: rules as data, a scan over finished text, and a mask for strings that come from outside.
//!
//! Nothing is written to the public tree before [`Rules::scan`] has found nothing in it. Strings that are copied from
//! sources into findings go through [`Rules::mask`] first, so that one address in a comment does not hold back a report.
//! A rule that does not compile stops the program: a redaction that is half there is none.
//! Sanitising whole transcripts is not here yet; it comes with captures.

mod rules;

pub use rules::{Hit, Rule, RuleError, Rules};
