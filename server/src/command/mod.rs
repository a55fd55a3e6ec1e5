//! The command line of `weevil`: serving and the database are here, what asks a server is `weevil-cli`'s.

mod audit;
mod check_kernel;
mod completions;
mod config_file;
mod db;
mod judging;
mod line;
mod list;
mod log;
mod new_projects;
mod reference;
mod serve;
mod settings;
mod settings_table;
mod user;

pub use line::main;
