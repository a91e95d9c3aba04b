//! What goes before anything is published: strings that were copied from a source are masked.
//!
//! The store refuses a text in which a rule of `redact` finds something, whatever it is. That would hold back a whole
//! report for one address in a comment, so the free strings of a comparison are masked here first. Wire names, rules and
//! ids are not touched: a name is what the record is about, and one that looks like a secret is for a person to judge.

use agent_contracts_redact::Rules;
use agent_contracts_wire::Diff;

/// Masks what a comparison copied from the sources. Says how many findings, places, doubts and spans it changed.
pub fn mask(rules: &Rules, diff: &mut Diff) -> usize {
    let mut changed = 0;
    for finding in &mut diff.findings {
        let mut any = rules.mask_value(&mut finding.before);
        any |= rules.mask_value(&mut finding.after);
        if let Some(witness) = &mut finding.witness {
            any |= rules.mask_value(witness);
        }
        changed += usize::from(any);
    }
    for unresolved in &mut diff.unresolved {
        changed += usize::from(rules.mask_string(&mut unresolved.what));
    }
    for doubt in &mut diff.doubts {
        changed += usize::from(rules.mask_string(doubt));
    }
    for degraded in &mut diff.degraded {
        let mut any = rules.mask_string(&mut degraded.why);
        for name in &mut degraded.hides {
            any |= rules.mask_string(name);
        }
        changed += usize::from(any);
    }
    changed
}
