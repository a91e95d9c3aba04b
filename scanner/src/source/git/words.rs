//! Why a git server did not answer, in few and fixed words. The errors of `gix` are long chains that may hold the address.

use agent_contracts_net::words;
use gix::protocol::transport::client::AuthenticationRequired;

use crate::error::chain;

/// The first cause that says more than "it failed".
pub(super) fn words(error: &gix::Error, url: &str) -> String {
    // What a folder lacks is told well enough, and a closed pipe to our own `git` is no closed connection.
    if url.starts_with("file:") {
        return chain(error).replace(url, "it");
    }
    for one in error.iter_errors() {
        if one.is::<AuthenticationRequired>() {
            return words::of_status(401);
        }
        if let Some(told) = words::cause(one) {
            return told;
        }
    }
    if url.starts_with("http") {
        "it does not answer as a git server does".to_owned()
    } else {
        chain(error).replace(url, "it")
    }
}
