//! One place and its new answer: what it remembers from now on, and what is gone from it. Pure.
//!
//! A failed answer changes nothing but the count of misses. A listing that covers only a part adds to what is known and
//! takes nothing away.

use std::collections::BTreeMap;

use agent_contracts_net::NetError;
use jiff::Timestamp;

use crate::snapshot::{Coverage, Item, Listing, Role};
use crate::state::Place;

/// A whole listing that has lost more than this share of what it had is taken as cut short.
const PLAUSIBLE_LOSS: f64 = 0.2;
/// So few may always go.
const FEW: usize = 3;

/// The place after an answer.
pub(crate) struct Absorbed {
    /// What to remember.
    pub(crate) place: Place,
    /// Whether it can be compared with what was remembered: the same registry answered as before.
    pub(crate) comparable: bool,
}

/// Takes in a good answer.
pub(crate) fn absorb(before: Option<&Place>, role: &Role, listing: &Listing, now: Timestamp) -> Absorbed {
    let comparable = before.is_some_and(|place| place.last_good.is_some() && place.endpoint == listing.endpoint);
    let mut notes = listing.notes.clone();
    if before.is_some_and(|place| place.last_good.is_some()) && !comparable {
        notes.push("another registry answered than before: the two are not compared".into());
    }
    let mut items: BTreeMap<String, Item> = listing
        .items
        .iter()
        .map(|item| (item.text.clone(), item.clone()))
        .collect();
    let empty = BTreeMap::new();
    let earlier = if comparable {
        before.map_or(&empty, |place| &place.items)
    } else {
        &empty
    };
    let missing: Vec<&Item> = earlier
        .values()
        .filter(|item| !items.contains_key(&item.text))
        .collect();
    let covered = |item: &Item| match listing.coverage {
        Coverage::All => true,
        Coverage::Since(oldest) => item
            .listed_at
            .as_deref()
            .and_then(|at| at.parse::<Timestamp>().ok())
            .is_some_and(|at| at > oldest),
        Coverage::Part => false,
    };
    let lost = missing.iter().filter(|item| covered(item) && !item.withdrawn).count();
    let alive = earlier.values().filter(|item| !item.withdrawn).count();
    let cut_short = is_cut_short(lost, alive);
    if cut_short {
        notes.push(format!(
            "{lost} of {alive} versions are not in the listing; it is taken as cut short"
        ));
    }
    for item in missing {
        let withdrawn = item.withdrawn || (covered(item) && !cut_short);
        items.insert(
            item.text.clone(),
            Item {
                withdrawn,
                ..item.clone()
            },
        );
    }
    // A poorer answer (the feed instead of the list) does not forget what a richer one told.
    for item in items.values_mut() {
        if let Some(old) = earlier.get(&item.text) {
            let same_object = item.object.is_none() || item.object == old.object;
            item.published_at = item.published_at.take().or_else(|| old.published_at.clone());
            item.listed_at = item.listed_at.take().or_else(|| old.listed_at.clone());
            item.commit = item
                .commit
                .take()
                .or_else(|| old.commit.clone().filter(|_| same_object));
            item.object = item.object.take().or_else(|| old.object.clone());
        }
    }
    let whole = listing.coverage == Coverage::All && !cut_short;
    let old = before.filter(|_| comparable);
    let tags = if listing.tags_unknown {
        old.map(|place| place.tags.clone()).unwrap_or_default()
    } else {
        listing.tags.clone()
    };
    let place = Place {
        role: role.clone(),
        tags_of_a_repository: listing.tags_of_a_repository,
        endpoint: listing.endpoint.clone(),
        items,
        tags,
        tags_unknown: listing.tags_unknown,
        repository: listing.repository.or(old.and_then(|place| place.repository)),
        moved_to: listing.moved_to.clone(),
        read_whole_at: if whole {
            Some(now)
        } else {
            old.and_then(|place| place.read_whole_at)
        },
        last_good: Some(now),
        notes,
        ..Place::default()
    };
    Absorbed { place, comparable }
}

/// Whether `lost` of `alive` is more than a vendor takes back at once.
pub(crate) fn is_cut_short(lost: usize, alive: usize) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "a share of some hundreds")]
    let share = lost as f64 / alive.max(1) as f64;
    lost > FEW && share > PLAUSIBLE_LOSS
}

/// Takes in a failure.
pub(crate) fn miss(before: Option<&Place>, role: &Role, error: &NetError, now: Timestamp) -> Place {
    let mut place = before.cloned().unwrap_or_default();
    place.role = role.clone();
    // What was not asked has not been missed, and what it said when it was asked still holds.
    if matches!(error, NetError::Offline { .. }) {
        return place;
    }
    let text = error.to_string();
    // The place is named where this is shown.
    let why = text
        .strip_prefix(error.name())
        .map_or(text.as_str(), |why| why.trim_start_matches([':', ' ']));
    place.why = Some(why.to_owned());
    place.unavailable = matches!(error, NetError::Unavailable { .. });
    if !place.unavailable {
        place.missed = place.missed.saturating_add(1);
        place.missing_since.get_or_insert(now);
    }
    place
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::{at, listing_of};

    /// As a channel of the agent.
    fn absorb(before: Option<&Place>, listing: &Listing, now: Timestamp) -> Absorbed {
        super::absorb(before, &Role::Main, listing, now)
    }

    fn miss(before: Option<&Place>, error: &NetError, now: Timestamp) -> Place {
        super::miss(before, &Role::Main, error, now)
    }

    fn alive(place: &Place) -> Vec<&str> {
        place
            .items
            .values()
            .filter(|item| !item.withdrawn)
            .map(|item| item.text.as_str())
            .collect()
    }

    #[test]
    fn only_what_a_listing_covers_can_be_gone() {
        let before = absorb(None, &listing_of(&["1.0.0", "1.1.0"]), at(0)).place;
        let mut short = listing_of(&["1.0.0"]);
        assert_eq!(alive(&absorb(Some(&before), &short, at(1)).place), ["1.0.0"]);
        short.coverage = Coverage::Part;
        assert_eq!(alive(&absorb(Some(&before), &short, at(1)).place), ["1.0.0", "1.1.0"]);
        short.coverage = Coverage::Since(at(0));
        assert_eq!(
            alive(&absorb(Some(&before), &short, at(1)).place),
            ["1.0.0", "1.1.0"],
            "it has no time of its own"
        );
    }

    #[test]
    fn a_window_covers_what_is_newer() {
        let mut listing = listing_of(&["1.0.0", "1.1.0", "1.2.0"]);
        for (item, hour) in listing.items.iter_mut().zip([1, 5, 6]) {
            item.listed_at = Some(at(hour).to_string());
        }
        let before = absorb(None, &listing, at(7)).place;
        let mut window = listing.clone();
        window.items.retain(|item| item.text == "1.2.0");
        window.coverage = Coverage::Since(at(3));
        assert_eq!(alive(&absorb(Some(&before), &window, at(8)).place), ["1.0.0", "1.2.0"]);
    }

    #[test]
    fn a_listing_that_lost_too_much_is_taken_as_cut_short() {
        let many: Vec<String> = (0..50).map(|n| format!("1.{n}.0")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let before = absorb(None, &listing_of(&many), at(0)).place;
        let after = absorb(Some(&before), &listing_of(&many[..20]), at(1)).place;
        assert_eq!(alive(&after).len(), 50);
        assert!(after.notes[0].contains("30 of 50 versions"), "{:?}", after.notes);
        assert_eq!(after.read_whole_at, Some(at(0)), "it was not read as a whole");
    }

    #[test]
    fn two_registries_are_not_compared() {
        let before = absorb(None, &listing_of(&["1.0.0", "1.1.0"]), at(0)).place;
        let mut mirror = listing_of(&["1.0.0"]);
        mirror.endpoint = "another".into();
        let after = absorb(Some(&before), &mirror, at(1));
        assert!(!after.comparable && !after.place.items.values().any(|item| item.withdrawn));
        assert!(after.place.notes[0].contains("another registry"));
    }

    #[test]
    fn a_failure_changes_nothing_but_the_count() {
        let before = absorb(None, &listing_of(&["1.0.0"]), at(0)).place;
        let error = NetError::NotFound { name: "npm:x".into() };
        let after = miss(Some(&miss(Some(&before), &error, at(1))), &error, at(2));
        assert_eq!(
            (after.missed, after.missing_since, after.last_good),
            (2, Some(at(1)), Some(at(0)))
        );
        assert_eq!(after.items, before.items);
        let offline = NetError::Offline { name: "npm:x".into() };
        assert_eq!(miss(Some(&before), &offline, at(3)), before, "nobody was asked");
        assert_eq!(miss(Some(&after), &offline, at(3)), after);
        assert_eq!(miss(None, &offline, at(3)), Place::default());
    }

    #[test]
    fn a_poorer_answer_forgets_nothing() {
        let mut rich = listing_of(&["1.0.0"]);
        rich.items[0].published_at = Some("2026-01-01T00:00:00Z".into());
        rich.items[0].commit = Some("c0".into());
        rich.tags.insert("latest".into(), "1.0.0".into());
        let before = absorb(None, &rich, at(0)).place;
        let mut poor = listing_of(&["1.0.0"]);
        poor.coverage = Coverage::Part;
        poor.tags_unknown = true;
        let after = absorb(Some(&before), &poor, at(1)).place;
        assert_eq!(after.items, before.items);
        assert_eq!(after.tags, before.tags);
        let item = after.items.get("1.0.0").unwrap();
        assert_eq!(item.commit.as_deref(), Some("c0"));
    }
}
