//! Sessions of both protocols, driven from the worker's side; what they ask is read off the feeder's channel.

mod bed;
mod bounds;
mod device;
mod first;
mod leaving;
mod plain;
mod plain_ends;
mod plain_guest;
mod reports;
mod socket;
