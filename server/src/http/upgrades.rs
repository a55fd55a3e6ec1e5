//! Who asks for another protocol and gets HTTP (RFC 9110, section 7.8): where the answer ends can be seen.
//!
//! actix-http announces chunks for a body whose length nobody knows, and sends it without any behind such a request. So the
//! body ends with the connection (RFC 9112, section 6.3), which nobody could ask again over anyway.

use actix_web::dev::ServiceResponse;
use actix_web::http::{ConnectionType, StatusCode};

pub(super) fn end_with_the_connection<B>(response: &mut ServiceResponse<B>) {
    let asked = response.request().head().upgrade();
    if asked && response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let head = response.response_mut().head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
    }
}
