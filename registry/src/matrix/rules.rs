//! The rules by which a version gets its status, with the sentence that `matrix --explain` prints.

use serde::Serialize;

use crate::records::SupportStatus;

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Its name.
    pub id: &'static str,
    /// The status that it gives.
    pub status: SupportStatus,
    /// What it rests on.
    pub says: &'static str,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $status:ident, $says:literal;)*) => {
        $(#[doc = $says] pub const $name: Rule = Rule { id: $id, status: SupportStatus::$status, says: $says };)*

        /// Every rule.
        pub const ALL: &[Rule] = &[$($name),*];
    };
}

rules! {
    OBSERVED = "observed", VersionRangeVerified,
        "a conversation was run on this version and platform, and every probe had one shape";
    BRIDGED = "bridged", VersionRangeVerified,
        "nobody ran it; the versions that were run on both sides of it have the same shape, and the agent's file lets a range span it";
    SEVERAL_SHAPES = "several_shapes", ServerVariantPossible,
        "one probe had several shapes on this version";
    VARIANTS_DECIDED = "variants_decided", ServerVariantPossible,
        "a decision names several active shapes of this version";
    TOO_OLD = "too_old", TooOld,
        "the agent's file says that older versions should not be run";
    NEWER = "newer", NewerThanVerified,
        "it is newer than every version that was run";
    BREAKING_VERSION = "breaking_version", KnownBreaking,
        "a decision says that this version breaks";
    BREAKING_SHAPE = "breaking_shape", KnownBreakingShape,
        "the only shape that was seen under a probe of it is known to break";
    NO_CONVERSATION = "no_conversation", ActiveShapeUnknown,
        "it was run, but no conversation with it was captured";
    VARIANT_ALONE = "variant_alone", ActiveShapeUnknown,
        "it was seen with one of several variants, and the others are not known here";
    NOTHING = "nothing", Unknown,
        "no observation, decision or policy speaks of it; a gap between two verified versions is not verified";
}
