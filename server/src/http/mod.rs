//! The routes: HTTP in, HTTP out. Everything they answer comes from the board, the store or an actor.

mod aims;
mod blobs;
mod body;
mod check;
mod compute_policy;
mod connections;
mod events;
mod guard;
mod headers;
mod job_request;
mod jobs;
mod kernels;
mod monitor;
pub(crate) mod own_page;
mod pages;
mod path;
mod patience;
mod pauses;
pub(crate) mod read_body;
mod register;
mod runs;
mod standalone;
mod state;
mod stream_json;
mod trace;
pub(crate) mod unheard;
mod upload;
mod views;
mod workflows;

pub(crate) use connections::opened;
pub(crate) use guard::guard;
pub(crate) use headers::secure;
pub(crate) use path::{OddPath, refuse_odd_paths};
pub(crate) use register::register;
pub(crate) use state::AppState;
pub(crate) use trace::trace;
