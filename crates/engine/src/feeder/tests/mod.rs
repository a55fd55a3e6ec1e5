//! The feeder, driven by hand: what it gathers into a batch, what it makes of the answer, and who hears of it when.

mod appetite;
mod commit;
mod delay;
mod doubts;
mod drain;
mod driven;
mod fruitless;
mod leaving;
mod order;
mod pace;
mod parties;
mod replies;
mod server;
mod spares;
mod stopped;
mod suspended;
mod telling;
