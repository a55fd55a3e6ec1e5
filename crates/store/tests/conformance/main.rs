//! What every store must do, whatever its database. Each test owns its database and its clock.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene must stop")]

mod access;
mod agree;
mod alone;
mod basics;
mod bed;
mod certificates;
mod copies;
mod courses;
#[path = "../databases/mod.rs"]
mod databases;
mod devices;
mod dump;
mod engines;
mod facts;
mod figures;
mod histories;
mod judged;
mod large;
mod lists;
mod logs;
mod lookback;
mod lots;
mod machine;
mod marks;
mod modules;
mod needs;
mod pauses;
mod refused;
mod reopen;
mod retrace;
mod schema;
mod server;
mod spares;
mod stopped;
mod usage;
mod waiting;
mod waits;
mod walls;
mod whole;
mod words;
mod workers;
