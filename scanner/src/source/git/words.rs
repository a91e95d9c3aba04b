//! Why a git server did not answer, in few and fixed words. The errors of `gix` are long chains that may hold the address.

use agent_contracts_net::words;

use crate::error::chain;

/// The first cause that says more than "it failed".
pub(super) fn words(error: &gix::Error, url: &str) -> String {
    // What a folder lacks is told well enough, and a closed pipe to our own `git` is no closed connection.
    if url.starts_with("file:") {
        return chain(error).replace(url, "it");
    }
    // The status itself is lost on the way to a login that we do not give.
    if error.is_unauthenticated() {
        return words::of_status(401);
    }
    if let Some(told) = error.iter_errors().find_map(words::cause) {
        return told;
    }
    if url.starts_with("http") {
        "it does not answer as a git server does".to_owned()
    } else {
        chain(error).replace(url, "it")
    }
}
