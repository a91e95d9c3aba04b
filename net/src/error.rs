//! What can go wrong outside. Every error names the source and never its address.

use jiff::Timestamp;
use thiserror::Error;

/// Why something could not be had from outside. `name` is the source as people write it, `npm:@openai/codex`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NetError {
    /// `--offline` was given, and nothing usable is stored.
    #[error("{name}: not asked, because of --offline")]
    Offline {
        /// The source.
        name: String,
    },
    /// No usable answer came: no route, no name, no trust, a time-out, or a server error that did not pass.
    #[error("{name}: could not be reached ({why})")]
    Unreachable {
        /// The source.
        name: String,
        /// In fixed words, so that no address gets in.
        why: String,
        /// The HTTP status when there was an answer.
        status: Option<u16>,
    },
    /// The host told us to wait; nothing is sent to it before `until`.
    #[error("{name}: the host asks us to wait until {until}")]
    Throttled {
        /// The source.
        name: String,
        /// When it may be asked again.
        until: Timestamp,
    },
    /// 404.
    #[error("{name}: not found")]
    NotFound {
        /// The source.
        name: String,
    },
    /// 410 or 451: was there and is not any more.
    #[error("{name}: gone")]
    Gone {
        /// The source.
        name: String,
    },
    /// 401, 403 or another status that asking again does not change.
    #[error("{name}: refused with status {status}; check the credentials that the client of this source uses")]
    Refused {
        /// The source.
        name: String,
        /// The HTTP status.
        status: u16,
    },
    /// An answer came, but it is cut short or not what it should be. What was stored before is kept.
    #[error("{name}: the answer is not usable: {what}")]
    Malformed {
        /// The source.
        name: String,
        /// What is wrong with it, and where.
        what: String,
    },
    /// Larger than what we accept.
    #[error("{name}: larger than the limit of {limit} bytes")]
    TooLarge {
        /// The source.
        name: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// It cannot be asked at all on this machine.
    #[error("{name}: unavailable: {why}")]
    Unavailable {
        /// The source or the registry.
        name: String,
        /// Why, and what would help.
        why: String,
    },
}

impl NetError {
    /// The source that it is about.
    pub fn name(&self) -> &str {
        match self {
            Self::Offline { name }
            | Self::Unreachable { name, .. }
            | Self::Throttled { name, .. }
            | Self::NotFound { name }
            | Self::Gone { name }
            | Self::Refused { name, .. }
            | Self::Malformed { name, .. }
            | Self::TooLarge { name, .. }
            | Self::Unavailable { name, .. } => name,
        }
    }

    /// Whether the host answered with a server error (5xx) to the end of the retries.
    pub fn is_server_error(&self) -> bool {
        matches!(
            self,
            Self::Unreachable {
                status: Some(500..=599),
                ..
            }
        )
    }

    /// Makes a [`NetError::Malformed`].
    pub fn malformed(name: impl Into<String>, what: impl Into<String>) -> Self {
        Self::Malformed {
            name: name.into(),
            what: what.into(),
        }
    }
}
