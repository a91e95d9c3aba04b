//! `registry/profiles/sha256-….profile.json`.

use agent_contracts_shapes::Profile;

use crate::validate::problem::Teller;

pub(super) fn check(profile: &Profile, teller: &mut Teller<'_>) {
    let signature = profile.sign();
    if signature != profile.signature {
        teller.error("PRO020", "/signature", &profile.signature, signature);
    } else if teller.file() != profile.place() {
        teller.error("PRO020", "/signature", teller.file(), profile.place());
    }
    if let Err(error) = profile.rules.check() {
        teller.error("PRO021", "/rules", error.to_string(), "the notation of shapes");
    }
}
