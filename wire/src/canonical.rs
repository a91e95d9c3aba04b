//! Canonical JSON (RFC 8785) and the hashes made from it.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// The RFC 8785 bytes of `value`.
///
/// # Errors
/// When `value` cannot be expressed as JSON (a map with keys that are no strings, a number that is not finite).
pub fn canonical_json<T: Serialize>(value: &T) -> serde_json::Result<Vec<u8>> {
    serde_json_canonicalizer::to_vec(value)
}

/// `sha256:` and the 64 lowercase hex digits of the SHA-256 of `bytes`.
pub fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(bytes)))
}

/// The hash of the canonical JSON of `value`.
///
/// # Errors
/// As [`canonical_json`].
pub fn hash_json<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(sha256(&canonical_json(value)?))
}
