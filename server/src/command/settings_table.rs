//! The settings of `weevil serve` as the table of `docs/operations.md`, from clap's own description of them.
//!
//! A setting's meaning is the text of its `--help`; what takes more words stands below the table.

use clap::{Arg, Command};

use super::config_file::{self, is_switch};

const HEAD: &str = "| flag | default | meaning |\n|---|---|---|\n";

/// A row for each option that a file may set.
pub(super) fn table(command: &Command) -> String {
    let mut table = HEAD.to_owned();
    table.extend(config_file::settings(command).filter(|option| !option.is_hide_set()).map(row));
    table
}

fn row(option: &Arg) -> String {
    let flag = option.get_long().unwrap_or_default();
    let value = match option.get_value_names() {
        Some([name, ..]) if !is_switch(option) => format!(" {name}"),
        _ => String::new(),
    };
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let (help, named) = help.split_once(" [default: ").unwrap_or((&help, ""));
    let default = match option.get_default_values() {
        _ if is_switch(option) => "off".to_owned(),
        [value, ..] => format!("`{}`", value.to_string_lossy()),
        [] if named.is_empty() => "not set".to_owned(),
        [] => named.trim_end_matches(']').to_owned(),
    };
    format!("| `--{flag}{value}` | {default} | {help} |\n")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::settings::command;
    use super::*;

    #[test]
    fn each_kind_of_setting_has_its_row() {
        let switch = Arg::new("loud").long("loud").action(clap::ArgAction::SetTrue).help("Say more.");
        let number = Arg::new("n").long("n").value_name("N").default_value("7").help("How many.");
        let open = Arg::new("to").long("to").value_name("DIR").help("Where to.");
        let named = Arg::new("db").long("db").value_name("URL").help("A path [default: one in DIR]");
        for (option, expected) in [
            (switch, "| `--loud` | off | Say more. |\n"),
            (number, "| `--n N` | `7` | How many. |\n"),
            (open, "| `--to DIR` | not set | Where to. |\n"),
            (named, "| `--db URL` | one in DIR | A path |\n"),
        ] {
            assert_eq!(table(&Command::new("t").arg(option)), format!("{HEAD}{expected}"));
        }
    }

    #[test]
    fn the_page_has_this_table() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operations.md");
        let page = std::fs::read_to_string(page).unwrap();
        let begin = "<!-- settings: `weevil serve --settings-table` -->\n\n";
        let shown =
            page.split_once(begin).and_then(|(_, rest)| rest.split_once("\n<!-- end of settings -->"));
        let (shown, _) = shown.expect("docs/operations.md has the marks of the table");
        assert_eq!(shown, table(&command()), "put what `weevil serve --settings-table` prints there");
    }
}
