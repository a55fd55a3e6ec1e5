//! Where each setting of `weevil serve` comes from: flags win over the environment, that over the file, that over the
//! defaults.
//!
//! Knows no setting by name: clap's own description of the options is all there is to know.

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use super::config_file::{self, Entry, is_switch};
use super::serve::Serve;
use crate::setting::{Setting, Told};

/// The settings, and how each is told.
#[derive(Debug)]
pub(super) struct Settings {
    pub serve: Serve,
    pub told: Vec<Setting>,
}

impl Settings {
    /// As a file that tells where each came from.
    pub(super) fn file(&self) -> String {
        self.told.iter().map(Setting::to_string).collect()
    }
}

pub(super) fn command() -> Command {
    Serve::augment_args(Command::new("serve").no_binary_name(true))
}

/// `words` are the arguments of `serve`, and have been understood once.
pub(super) fn settle(words: &[OsString]) -> Result<Settings, String> {
    let command = command();
    let told = |error: clap::Error| error.to_string();
    let given = command.clone().try_get_matches_from(words).map_err(told)?;
    let path = Serve::from_arg_matches(&given).map_err(told)?.config;
    let entries = path.as_deref().map(|path| read(path, &command)).transpose()?.unwrap_or_default();
    let open = entries.iter().filter(|entry| is_open(&given, &entry.id));
    let from_file = open.filter_map(|entry| entry.word.as_ref()).map(OsString::from);
    let all = words.iter().cloned().chain(from_file);
    let settled = command.clone().try_get_matches_from(all).map_err(told)?;
    let name = path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
    let shown = config_file::settings(&command)
        .filter(|option| !option.is_hide_set())
        .map(|option| setting(option, &settled, origin(option, &given, &entries, &name)));
    let serve = Serve::from_arg_matches(&settled).map_err(told)?;
    Ok(Settings { serve, told: shown.collect() })
}

/// Values of flags, and of the environment where no flag is given, that their options do not take: all of them, where clap tells the
/// first one alone. One by one, so that no mistake hides another.
pub(super) fn mistakes(words: &[OsString]) -> Vec<String> {
    let command = command();
    // What may be a secret is left to clap.
    config_file::settings(&command)
        .filter(|option| !is_switch(option) && !option.is_hide_env_values_set())
        .filter_map(|option| mistake(option, words))
        .collect()
}

fn mistake(option: &Arg, words: &[OsString]) -> Option<String> {
    let flag = format!("--{}", option.get_long()?);
    let value = flagged(&flag, words).or_else(|| std::env::var_os(option.get_env()?))?;
    let alone = Command::new("serve").no_binary_name(true).arg(option.clone().env(None::<&'static str>));
    let error = alone.try_get_matches_from([OsString::from(flag), value]).err()?;
    let is_value = matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue);
    // The first paragraph: how to ask for help follows.
    let told = error.to_string();
    let told = told.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    is_value.then(|| told.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What follows a flag, or its `=`.
fn flagged(flag: &str, words: &[OsString]) -> Option<OsString> {
    let after = |word: &OsString| word.to_str()?.strip_prefix(flag)?.strip_prefix('=').map(OsString::from);
    let next = |at: usize| words.get(at + 1).cloned();
    words.iter().enumerate().find_map(|(at, word)| if word == flag { next(at) } else { after(word) })
}

fn read(path: &Path, command: &Command) -> Result<Vec<Entry>, String> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("the configuration {name} cannot be read: {error}"))?;
    config_file::read(&name, &text, command)
}

/// Does neither a flag nor the environment say it?
fn is_open(given: &ArgMatches, id: &str) -> bool {
    matches!(given.value_source(id), None | Some(ValueSource::DefaultValue))
}

fn origin(option: &Arg, given: &ArgMatches, entries: &[Entry], name: &str) -> String {
    let id = option.get_id().as_str();
    match (given.value_source(id), entries.iter().find(|entry| entry.id == id)) {
        (Some(ValueSource::CommandLine), _) => "flag".into(),
        (Some(ValueSource::EnvVariable), _) => {
            let variable = option.get_env().unwrap_or_default();
            format!("environment, {}", variable.display())
        }
        (_, Some(entry)) => format!("{name}, line {}", entry.line),
        (_, None) => "default".into(),
    }
}

fn setting(option: &Arg, settled: &ArgMatches, origin: String) -> Setting {
    let id = option.get_id().as_str();
    let raw = settled.get_raw(id).and_then(|mut values| Some(values.next()?.to_string_lossy().into_owned()));
    let value = match raw {
        _ if is_switch(option) => Told::Bare { value: settled.get_flag(id).to_string(), origin },
        None => Told::NotSet,
        // What `--help` must not show, nobody may read here.
        Some(_) if option.is_hide_env_values_set() => Told::Secret { origin },
        Some(value) if value.parse::<u64>().is_ok() => Told::Bare { value, origin },
        Some(value) => Told::Text { value, origin },
    };
    Setting { key: option.get_long().unwrap_or_default().to_owned(), value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn file(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("weevil.toml");
        std::fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        (folder, path)
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let (_folder, path) =
            file("lease-seconds = 30\nplain-http = true\ndata = \"from the file\"\nassumed-liars = 0.1\n");
        let settled = settle(&words(&["--config", &path, "--data", "from a flag"])).unwrap();
        for (line, there) in [
            ("data = \"from a flag\" # flag\n".to_owned(), true),
            (format!("lease-seconds = 30 # {path}, line 1\n"), true),
            (format!("plain-http = true # {path}, line 2\n"), true),
            (format!("assumed-liars = \"0.1\" # {path}, line 4\n"), true),
            ("heartbeat-seconds = 20 # default\n".to_owned(), true),
            ("config".to_owned(), false),
        ] {
            assert_eq!(settled.file().contains(&line), there, "{line} in {}", settled.file());
        }
        let (_folder, again) = file(&settled.file());
        let values = |text: &str| -> Vec<String> {
            text.lines().map(|line| line.split(" # ").next().unwrap_or_default().to_owned()).collect()
        };
        let reread = settle(&words(&["--config", &again])).unwrap();
        assert_eq!(values(&reread.file()), values(&settled.file()), "what is printed can be read");
    }

    #[test]
    fn every_setting_has_its_variable() {
        for option in config_file::settings(&command()) {
            let long = option.get_long().unwrap();
            let expected = format!("WEEVIL_{}", long.to_uppercase().replace('-', "_"));
            assert_eq!(option.get_env().and_then(|name| name.to_str()), Some(expected.as_str()), "{long}");
        }
    }

    #[test]
    fn what_may_be_a_secret_is_not_printed() {
        let option = Arg::new("password").long("password").hide_env_values(true);
        let command = Command::new("serve").no_binary_name(true).arg(option.clone());
        let settled = command.try_get_matches_from(["--password=hush"]).unwrap();
        let setting = setting(&option, &settled, "flag".into());
        assert_eq!(setting.value, Told::Secret { origin: "flag".into() });
        assert!(setting.to_string().starts_with("# password is set and not shown"), "{setting}");
    }

    #[test]
    fn a_secret_of_a_file_is_in_nothing_that_is_told() {
        let (_folder, path) =
            file("lease-seconds = 30\ndatabase = \"mysql://weevil:hush@127.0.0.1:1/weevil\"\n");
        let settled = settle(&words(&["--config", &path])).unwrap();
        let told = format!("{}{:?}", settled.file(), settled.told);
        assert!(!told.contains("hush") && !told.contains("mysql"), "{told}");
        let expected = Told::Secret { origin: format!("{path}, line 2") };
        assert_eq!(settled.told.iter().find(|setting| setting.key == "database").unwrap().value, expected);
    }

    #[test]
    fn mistakes_are_told_with_their_place_all_at_once() {
        let text = "\nlisten = \"127.0.0.1:8080\"\n  lisen = 1\nlease-seconds = \"soon\"\n\
            heartbeat-seconds = [1]\nplain-http = \"yes\"\nconfig = \"other.toml\"\n\
            assumed-liars = 0.5\nlot-seconds = 9\n";
        let (_folder, path) = file(text);
        let problems = settle(&words(&["--config", &path])).unwrap_err();
        for (place, words) in [
            ("3:3", "there is no setting `lisen`; did you mean `listen`?"),
            ("4:17", "`lease-seconds` does not take this value: invalid digit found in string"),
            ("5:21", "`heartbeat-seconds` takes a text or a number, not a value of type array"),
            ("6:14", "`plain-http` takes true or false, not a value of type string"),
            ("7:1", "there is no setting `config`; there are listen, data,"),
            ("8:17", "`assumed-liars` does not take this value: it is a share from 0.001 to 0.4"),
            ("9:15", "`lot-seconds` does not take this value: 9 is not in 10..=604800"),
        ] {
            assert!(problems.contains(&format!("{path}:{place}: {words}")), "{place} in {problems}");
        }
    }

    #[test]
    fn each_value_that_no_option_takes_is_told() {
        for (given, told) in [
            (
                &["--trust=perhaps", "--assumed-liars", "0.5", "--lot-seconds=9", "--listen=127.0.0.1:0"][..],
                3,
            ),
            (&["--referee-percent", "101", "--spares=maybe", "--absence-seconds=9", "--data", "--trust"], 3),
            (&["--trust", "none", "--lot-seconds=60"], 0),
            (&["--trust"], 0),
        ] {
            let found = mistakes(&words(given));
            assert_eq!(found.len(), told, "{given:?}: {found:?}");
            assert!(found.iter().all(|found| found.starts_with("invalid value '")), "{found:?}");
        }
    }

    #[test]
    fn a_file_that_is_no_toml_or_is_missing_is_refused() {
        let (_folder, path) = file("listen = \n= 2\n");
        let problems = settle(&words(&["--config", &path])).unwrap_err();
        assert!(problems.contains(":1:") && problems.contains(":2:"), "{problems}");
        assert!(settle(&words(&["--config", "nowhere.toml"])).unwrap_err().contains("cannot be read"));
    }
}
