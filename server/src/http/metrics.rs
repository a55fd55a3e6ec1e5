//! Requests that were answered, by route and class of status. Only adds up; what the engine does, its own metrics count.

use actix_web::http::StatusCode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

type Labels = [(&'static str, String); 2];

/// One counter, shared by all that hold it.
#[derive(Clone, Default)]
pub(crate) struct RequestMetrics(Family<Labels, Counter>);

impl RequestMetrics {
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Requests answered, by route and class of status";
        registry.register("http_requests", help, self.0.clone());
    }

    /// `route` is a pattern, never a path: its number of values must be bounded.
    pub(super) fn answered(&self, route: String, status: StatusCode) {
        let class = format!("{}xx", status.as_u16() / 100);
        self.0.get_or_create(&[("route", route), ("status", class)]).inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_and_class() {
        let (requests, mut registry) = (RequestMetrics::default(), Registry::with_prefix("weevil"));
        requests.register(&mut registry);
        for (route, status) in [("/a", 200), ("/a", 204), ("/a", 404), ("/b", 500)] {
            requests.answered(route.to_owned(), StatusCode::from_u16(status).unwrap());
        }
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for (labels, count) in [
            ("route=\"/a\",status=\"2xx\"", 2),
            ("route=\"/a\",status=\"4xx\"", 1),
            ("route=\"/b\",status=\"5xx\"", 1),
        ] {
            assert!(text.contains(&format!("weevil_http_requests_total{{{labels}}} {count}\n")), "{text}");
        }
    }
}
