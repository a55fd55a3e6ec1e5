//! A configuration file: TOML whose keys are the long names of a command's options.
//!
//! Reads and checks keys; what a value may be is the options' own business. All problems are told in one pass.

use std::fmt::Write;
use std::ops::Range;

use clap::{Arg, ArgAction, Command};
use toml::de::{DeTable, DeValue};
use weevil_workflow::nearest;

/// One line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The option's id.
    pub id: String,
    /// From 1.
    pub line: usize,
    /// What it comes to on a command line; nothing for a switch that is off.
    pub word: Option<String>,
}

/// Reads the entries of `text`, which is `name`'s. An error is a list of problems, a line each.
pub(super) fn read(name: &str, text: &str, command: &Command) -> Result<Vec<Entry>, String> {
    let (table, errors) = DeTable::parse_recoverable(text);
    let broken = errors.iter().map(|error| (error.span().unwrap_or_default(), error.message().to_owned()));
    let mut problems: Vec<(Range<usize>, String)> = broken.collect();
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        match entry(key.get_ref(), value.get_ref(), command) {
            Ok((id, word)) => entries.push(Entry { id, line: place(text, key.span().start).0, word }),
            Err(Problem::Key(problem)) => problems.push((key.span(), problem)),
            Err(Problem::Value(problem)) => problems.push((value.span(), problem)),
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(message(name, text, problems)) }
}

enum Problem {
    Key(String),
    Value(String),
}

fn entry(key: &str, value: &DeValue<'_>, command: &Command) -> Result<(String, Option<String>), Problem> {
    let option = settings(command).find(|option| option.get_long() == Some(key));
    let option = option.ok_or_else(|| Problem::Key(unknown(key, command)))?;
    let word = match (value, is_switch(option)) {
        (DeValue::Boolean(on), true) => on.then(|| format!("--{key}")),
        (DeValue::String(text), false) => Some(format!("--{key}={text}")),
        (DeValue::Integer(number), false) if number.radix() == 10 => {
            Some(format!("--{key}={}", number.as_str()))
        }
        (DeValue::Float(number), false) => Some(format!("--{key}={}", number.as_str())),
        (other, true) => return Err(Problem::Value(misfit(key, other, "true or false"))),
        (other, false) => return Err(Problem::Value(misfit(key, other, "a text or a number"))),
    };
    accept(key, word.as_ref(), command)?;
    Ok((option.get_id().to_string(), word))
}

/// Has the option itself look at the value, without the environment's say.
fn accept(key: &str, word: Option<&String>, command: &Command) -> Result<(), Problem> {
    let command = command.clone().mut_args(|option| option.env(None::<&'static str>)).no_binary_name(true);
    let Err(error) = command.try_get_matches_from(word) else { return Ok(()) };
    let error = error.to_string();
    let cause = error.lines().next().unwrap_or_default();
    let cause = cause.rsplit_once("': ").map_or(cause, |(_, cause)| cause);
    Err(Problem::Value(format!("`{key}` does not take this value: {cause}")))
}

fn misfit(key: &str, found: &DeValue<'_>, wanted: &str) -> String {
    format!("`{key}` takes {wanted}, not a value of type {}", found.type_str())
}

fn unknown(key: &str, command: &Command) -> String {
    let known: Vec<&str> = settings(command).filter_map(Arg::get_long).collect();
    match nearest(key, known.iter().copied()) {
        Some(near) => format!("there is no setting `{key}`; did you mean `{near}`?"),
        None => format!("there is no setting `{key}`; there are {}", known.join(", ")),
    }
}

/// The options that a file may set: all but those about configuration itself.
pub(super) fn settings(command: &Command) -> impl Iterator<Item = &Arg> {
    let about_itself = ["config", "print_config", "settings_table", "help", "version"];
    command.get_arguments().filter(move |option| !about_itself.contains(&option.get_id().as_str()))
}

pub(super) fn is_switch(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::SetTrue)
}

fn message(name: &str, text: &str, mut problems: Vec<(Range<usize>, String)>) -> String {
    problems.sort_by_key(|(span, _)| span.start);
    let mut told = String::from("the configuration cannot be used:");
    for (span, problem) in problems {
        let (line, column) = place(text, span.start);
        // Writing to a String cannot fail.
        let _infallible = write!(told, "\n{name}:{line}:{column}: {problem}");
    }
    told
}

/// Line and column, in characters, both from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
