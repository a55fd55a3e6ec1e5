//! Who gets in, and where: the two faces and the names they answer to, every operation for every caller, and what somebody
//! might try who is alone on one machine with a server.

mod accounts;
mod answers;
mod audit;
mod commands;
mod contract;
mod directory;
mod faces;
mod hosts;
mod leaks;
mod local;
mod login;
mod marks;
mod matrix;
mod pages;
mod pause_notes;
pub(crate) mod people;
mod projects;
mod proxies;
mod quotas;
mod settings;
mod tls;
mod tokens;
mod users;
mod walls;
