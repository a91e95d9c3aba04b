//! Errors of the transport in fixed words: their own text may hold the host's name.

use crate::NetError;

pub(crate) fn unreachable(source: &str, error: &reqwest::Error) -> NetError {
    NetError::Unreachable {
        name: source.to_owned(),
        why: words(error),
        status: None,
    }
}

/// What an error of the transport is.
pub(crate) fn words(error: &reqwest::Error) -> String {
    use std::error::Error;
    if error.is_timeout() {
        return "timed out".into();
    }
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    while let Some(inner) = cause {
        if inner.downcast_ref::<rustls::Error>().is_some() {
            return "its certificate is not trusted here; set SSL_CERT_FILE to the bundle that is".into();
        }
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            if io
                .get_ref()
                .is_some_and(|deep| deep.downcast_ref::<rustls::Error>().is_some())
            {
                return "its certificate is not trusted here; set SSL_CERT_FILE to the bundle that is".into();
            }
            match io.kind() {
                std::io::ErrorKind::ConnectionRefused => return "connection refused".into(),
                std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::UnexpectedEof => {
                    return "connection closed".into();
                }
                std::io::ErrorKind::NetworkUnreachable | std::io::ErrorKind::HostUnreachable => {
                    return "no route to it".into();
                }
                _ => {}
            }
        }
        // The resolver's error type is private to hyper; its text is fixed.
        if inner.to_string() == "dns error" {
            return "its name is not known here".into();
        }
        cause = inner.source();
    }
    if error.is_connect() {
        "no connection".into()
    } else {
        "the connection broke".into()
    }
}
