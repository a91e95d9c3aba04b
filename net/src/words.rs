//! Errors of the transport in fixed words: their own text may hold the host's name or an address.

use std::error::Error;
use std::io::ErrorKind;

use crate::NetError;

const NOT_TRUSTED: &str = "its certificate is not trusted here; set SSL_CERT_FILE to the bundle that is";

pub(crate) fn unreachable(source: &str, error: &reqwest::Error) -> NetError {
    NetError::Unreachable {
        name: source.to_owned(),
        why: words(error),
        status: None,
    }
}

/// What an error of the transport is.
pub(crate) fn words(error: &reqwest::Error) -> String {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(one) = next {
        if let Some(told) = cause(one) {
            return told;
        }
        next = one.source();
    }
    if error.is_connect() {
        "no connection".into()
    } else {
        "the connection broke".into()
    }
}

/// What one error of a chain is, where it says more than "it failed"; its own causes are not looked at. Knows the errors
/// of `reqwest`, `rustls` and the operating system.
pub fn cause(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(http) = error.downcast_ref::<reqwest::Error>() {
        if http.is_timeout() {
            return Some("timed out".into());
        }
        return http.status().map(|status| of_status(status.as_u16()));
    }
    if error.is::<rustls::Error>() {
        return Some(NOT_TRUSTED.into());
    }
    if let Some(io) = error.downcast_ref::<std::io::Error>() {
        if let Some(inner) = io.get_ref()
            && inner.is::<rustls::Error>()
        {
            return Some(NOT_TRUSTED.into());
        }
        let told = match io.kind() {
            ErrorKind::ConnectionRefused => "connection refused",
            ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof => "connection closed",
            ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable => "no route to it",
            ErrorKind::TimedOut => "timed out",
            _ => return None,
        };
        return Some(told.into());
    }
    // The resolver's error type is private to hyper; its text is fixed.
    (error.to_string() == "dns error").then(|| "its name is not known here".into())
}

/// What a status of HTTP means for a place that should be there.
pub fn of_status(status: u16) -> String {
    match status {
        401 => "status 401: not found, or it needs a login".into(),
        403 => "status 403: refused".into(),
        404 => "status 404: not found".into(),
        410 | 451 => format!("status {status}: gone"),
        429 => "status 429: too many requests".into(),
        _ => format!("status {status}"),
    }
}
