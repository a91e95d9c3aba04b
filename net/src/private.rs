//! Addresses and credentials that must not be shown.
//!
//! An endpoint may be a company's own mirror and may hold credentials, so a [`PrivateUrl`] and a [`Secret`] have no
//! `Display`, no `Serialize`, and a `Debug` that tells nothing. Reading them takes `expose`, which is easy to search for.

use std::fmt;

use url::Url;

use crate::NetError;

/// An address that is used and never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivateUrl(Url);

impl PrivateUrl {
    /// Reads `text`. The error names `source`, not the text.
    pub fn parse(source: &str, text: &str) -> Result<Self, NetError> {
        let url =
            Url::parse(text.trim()).map_err(|error| NetError::malformed(source, format!("its address: {error}")))?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(NetError::malformed(source, "its address is neither http nor https"));
        }
        Ok(Self(url))
    }

    /// This address with `segments` added to its path, each percent-encoded as one segment. A segment that is empty adds
    /// the final slash. No query remains.
    #[must_use]
    pub fn join(&self, segments: &[&str]) -> Self {
        let mut url = self.0.clone();
        url.set_query(None);
        url.set_fragment(None);
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
            path.extend(segments);
        }
        Self(url)
    }

    /// This address with `key=value` added to its query.
    #[must_use]
    pub fn with_query(&self, key: &str, value: &str) -> Self {
        let mut url = self.0.clone();
        url.query_pairs_mut().append_pair(key, value);
        Self(url)
    }

    /// This address without its last segment, when that is `last`.
    pub fn parent(&self, last: &str) -> Option<Self> {
        let mut url = self.0.clone();
        if self.path_segments().last() != Some(&last) {
            return None;
        }
        url.path_segments_mut().ok()?.pop_if_empty().pop();
        Some(Self(url))
    }

    /// The segments of the path that are not empty, as they are encoded: for reading `/repositories/123`.
    pub fn path_segments(&self) -> Vec<&str> {
        self.0
            .path_segments()
            .map(|parts| parts.filter(|part| !part.is_empty()).collect())
            .unwrap_or_default()
    }

    /// Whether both are asked at the same scheme, host and port.
    pub fn same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    /// The address itself. Only for sending a request, never for text.
    pub fn expose(&self) -> &Url {
        &self.0
    }
}

impl From<Url> for PrivateUrl {
    fn from(url: Url) -> Self {
        Self(url)
    }
}

impl fmt::Debug for PrivateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateUrl(…)")
    }
}

/// A token or password that is used and never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps `value`.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself. Only for a request's header.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_segment_is_one_segment() {
        let base = PrivateUrl::parse("t", "http://127.0.0.1:1/root/?a=b").unwrap();
        assert_eq!(base.join(&["@scope/name"]).expose().path(), "/root/@scope%2Fname");
        assert_eq!(
            base.join(&["name", ""]).expose().as_str(),
            "http://127.0.0.1:1/root/name/"
        );
    }

    #[test]
    fn nothing_is_shown() {
        let url = PrivateUrl::parse("t", "http://user:hunter2@private.example/x").unwrap();
        let text = format!("{url:?} {:?}", Secret::new("hunter2"));
        assert!(!text.contains("hunter2") && !text.contains("private"), "{text}");
        let error = PrivateUrl::parse("npm:x", "ftp://user:hunter2@private.example").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("private"), "{error}");
    }
}
