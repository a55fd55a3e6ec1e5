//! One spelling for each path. A proxy and the router may read an odd one differently; here it reaches neither a rule nor
//! a route, but is refused before anything else looks at it.

use actix_web::ResponseError;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use crate::refusal::Refusal;

/// What keeps a path from being read in one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OddPath {
    #[error("a `%` that two hexadecimal digits do not follow")]
    BrokenEscape,
    #[error("`%{0:02X}`, which is written `{letter}`", letter = char::from(*.0))]
    Unreserved(u8),
    #[error("`%2F`, a slash that may or may not part two names")]
    EncodedSlash,
    #[error("two slashes in a row")]
    DoubledSlash,
    #[error("a backslash")]
    Backslash,
    #[error("a name `.` or `..`")]
    Dots,
    #[error("`%00`")]
    Nul,
}

pub(crate) async fn refuse_odd_paths(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    match check(request.path()) {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(odd) => Ok(request.into_response(Refusal::BadPath(odd).error_response()).map_into_right_body()),
    }
}

/// Checks a path as it was sent (RFC 3986, sections 2.1, 2.3 and 3.3).
fn check(path: &str) -> Result<(), OddPath> {
    path.match_indices('%').try_for_each(|(at, _)| check_escape(path.get(at + 1..at + 3)))?;
    if path.contains('\\') {
        return Err(OddPath::Backslash);
    }
    if path.contains("//") {
        return Err(OddPath::DoubledSlash);
    }
    if path.split('/').any(|name| matches!(name, "." | "..")) {
        return Err(OddPath::Dots);
    }
    Ok(())
}

fn check_escape(digits: Option<&str>) -> Result<(), OddPath> {
    let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        None => Err(OddPath::BrokenEscape),
        Some(0) => Err(OddPath::Nul),
        Some(b'/') => Err(OddPath::EncodedSlash),
        Some(b'\\') => Err(OddPath::Backslash),
        Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
            Err(OddPath::Unreserved(byte))
        }
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_spelled_in_one_way() {
        for (path, expected) in [
            ("/", Ok(())),
            ("*", Ok(())),
            ("/ws/v1", Ok(())),
            ("/.well-known/compute-policy.json", Ok(())),
            ("/two%20words/%C3%BC%25", Ok(())),
            ("/...", Ok(())),
            ("/%77s/v1", Err(OddPath::Unreserved(b'w'))),
            ("/ws/v%31", Err(OddPath::Unreserved(b'1'))),
            ("/%2e%2E/ws/v1", Err(OddPath::Unreserved(b'.'))),
            ("/%7euser", Err(OddPath::Unreserved(b'~'))),
            ("/ws%2fv1", Err(OddPath::EncodedSlash)),
            ("//ws/v1", Err(OddPath::DoubledSlash)),
            ("/ws/v1//", Err(OddPath::DoubledSlash)),
            ("/ws\\v1", Err(OddPath::Backslash)),
            ("/ws%5Cv1", Err(OddPath::Backslash)),
            ("/./ws/v1", Err(OddPath::Dots)),
            ("/x/../ws/v1", Err(OddPath::Dots)),
            ("/ws/v1/..", Err(OddPath::Dots)),
            ("/ws/v1%00", Err(OddPath::Nul)),
            ("/ws/v1%", Err(OddPath::BrokenEscape)),
            ("/ws/v1%7", Err(OddPath::BrokenEscape)),
            ("/%+7s", Err(OddPath::BrokenEscape)),
            ("/%%77s", Err(OddPath::BrokenEscape)),
            ("/%ü", Err(OddPath::BrokenEscape)),
        ] {
            assert_eq!(check(path), expected, "{path}");
        }
    }
}
