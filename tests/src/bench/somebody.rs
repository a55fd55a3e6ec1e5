//! Somebody with an account and a browser that the server knows from it.

use std::time::Instant;

use serde_json::{Value as Json, json};
use weevil_api::routes::Operation;
use weevil_e2e::TestServer;
use weevil_e2e::hostile::{Reply, Stranger};

pub(crate) const NAME: &str = "somebody";
const PASSWORD: &str = "seven mauve herons argue";
/// What the name of the cookie ends with that browsers keep which have signed in.
const KNOWN: &str = "-known";

pub(crate) struct Somebody {
    /// A browser that has signed in before.
    browser: Stranger,
}

impl Somebody {
    pub(crate) fn joins(server: &TestServer) -> Self {
        let made = asked(&server.owner(), Operation::MakeInvite, &json!({ "admin": true }));
        let link: Json = serde_json::from_slice(&made.body).expect("JSON");
        let joining =
            json!({ "link": link["link"], "name": NAME, "display": "Somebody", "password": PASSWORD });
        let joined = asked(&server.stranger(), Operation::AcceptLink, &joining);
        assert_eq!(joined.status, 201, "{}", joined.text());
        let cookies = joined.headers.iter().filter(|(name, _)| name == "set-cookie");
        let mut pairs = cookies.filter_map(|(_, cookie)| cookie.split(';').next());
        let known = pairs.find(|pair| pair.split('=').next().is_some_and(|name| name.ends_with(KNOWN)));
        Self { browser: server.stranger().with("Cookie", known.expect("a browser that is known")) }
    }

    /// Milliseconds until a right sign-in is answered.
    pub(crate) fn signs_in(&self) -> f64 {
        let began = Instant::now();
        let reply = asked(&self.browser, Operation::SignIn, &json!({ "name": NAME, "password": PASSWORD }));
        let ms = began.elapsed().as_secs_f64() * 1000.0;
        assert_eq!(reply.status, 200, "{}", reply.text());
        ms
    }
}

fn asked(stranger: &Stranger, operation: Operation, body: &Json) -> Reply {
    stranger.post(&operation.path(&[]), "application/json", body.to_string().as_bytes())
}
