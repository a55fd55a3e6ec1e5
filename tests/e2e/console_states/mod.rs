//! Each page of the console in each of its faces: empty, loading, refused and full; light and dark, on a desk and on a phone. There
//! is nothing that axe-core finds, nothing wider than the screen, and a picture of each in `target/pages`. One server and one browser
//! for each face; what is huge is looked at in `console_scale.rs`.

mod empty;
mod full;
mod loading;
mod place;
mod refused;

pub(crate) use full::keep;
pub(crate) use place::{Place, look_at_each, place};
