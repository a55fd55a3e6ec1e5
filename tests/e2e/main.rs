//! End-to-end: everything that a person or a worker can see, against a real server and, where it matters, a real
//! browser. Each test owns its server, its folder and its browser.

mod backup;
mod bad_jobs;
mod bad_uploads;
mod cancel;
mod check;
mod cli;
mod console;
mod contact;
mod crash_matrix;
mod drain;
mod durability;
mod fail_points;
mod fleet;
mod history;
mod http;
mod inputs;
mod leases;
mod logs;
mod metrics;
mod plain;
mod plain_worker;
mod progress;
mod promises;
mod readiness;
mod retention;
mod reuse;
mod sandbox;
mod shapes;
mod shipped;
mod types;
mod uploads;
mod volunteer;
mod workflows;
