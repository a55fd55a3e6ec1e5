//! The page of all commands, docs/commands.md, from clap's own description of them.
//!
//! A command means what its `--help` says; how commands go together is told in docs/operations.md.

use clap::{Arg, ArgAction, Args, Command};
use weevil_cli::inert::{Inert, say};
use weevil_cli::{CODES, Exit};

const HEAD: &str = "# Commands

Each command of `weevil` with all that it takes, as `--help` tells it. `weevil commands-page` prints this page from the command line's
own description, and a test compares the two. How commands go together: [operations](operations.md#command-line); what proves who asks:
[access](access.md#from-another-machine).

What a command answers goes to stdout, with `--json` for programs; what it says beside that, and its bars, to stderr. Colours and bars are
for terminals alone, and never shown with `--json`, where `NO_COLOR` is set or where `TERM` is `dumb`.
";

/// Options that stand once at the top: which server is asked, and about what.
const SHARED: [&str; 4] = ["server", "ca", "token_file", "project"];

/// Prints the page.
#[derive(Debug, Args)]
pub(super) struct CommandsPage {}

impl CommandsPage {
    #[expect(clippy::unused_self, reason = "commands are executed so")]
    pub(super) fn execute(&self, line: Command) -> Exit {
        say(&Inert::lines(&page(line)));
        Exit::Done
    }
}

fn page(mut line: Command) -> String {
    line.build();
    let mut page = HEAD.to_owned();
    page += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
    page.extend(CODES.iter().map(|(code, meaning)| format!("| {code} | {meaning} |\n")));
    page += "\n## Which server\n\n";
    let shared = SHARED.iter().filter_map(|id| shared(&line, id));
    page += &table(shared.map(|option| row(&option)));
    for command in shown(&line) {
        section(command, "##", &mut page);
    }
    page
}

/// Help is clap's own.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
}

/// An option as the first command says that has it.
fn shared(command: &Command, id: &str) -> Option<Arg> {
    let own = command.get_arguments().find(|option| option.get_id() == id).cloned();
    own.or_else(|| shown(command).find_map(|command| shared(command, id)))
}

fn section(command: &Command, depth: &str, page: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name());
    page.extend([format!("\n{depth} {name}\n\n")]);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    page.extend([format!("{}\n", sentence(&about))]);
    let (asks, own): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(|option| is_told(option)).partition(|option| is_shared(option));
    if !asks.is_empty() {
        let names: Vec<String> = asks.iter().map(|option| format!("`{}`", name_of(option))).collect();
        page.extend([format!("\nTakes {}: [which server](#which-server).\n", names.join(", "))]);
    }
    if command.get_name() == "serve" {
        *page += "\nWhat it takes: [operations](operations.md#starting).\n";
    } else if !own.is_empty() {
        page.extend([format!("\n{}", table(own.into_iter().map(row)))]);
    }
    for command in shown(command) {
        section(command, &format!("{depth}#"), page);
    }
}

fn is_told(option: &Arg) -> bool {
    !option.is_hide_set()
        && !matches!(option.get_action(), ArgAction::Help | ArgAction::HelpLong | ArgAction::Version)
}

fn is_shared(option: &Arg) -> bool {
    SHARED.iter().any(|id| option.get_id() == id)
}

fn table(rows: impl Iterator<Item = String>) -> String {
    "| argument | meaning |\n|---|---|\n".to_owned() + &rows.collect::<String>()
}

fn row(option: &Arg) -> String {
    let help = option.get_help().map(ToString::to_string).unwrap_or_default();
    let mut told = sentence(&help);
    let possible: Vec<String> =
        option.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    if !possible.is_empty() && option.get_action().takes_values() {
        told.extend([format!(" One of {}.", possible.join(", "))]);
    }
    if let [default, ..] = option.get_default_values()
        && option.get_action().takes_values()
    {
        told.extend([format!(" `{}` unless it is given.", default.to_string_lossy())]);
    }
    if let Some(variable) = option.get_env() {
        told.extend([format!(" Variable: `{}`.", variable.to_string_lossy())]);
    }
    format!("| `{}` | {} |\n", name_of(option), told.trim().replace('|', "\\|"))
}

/// As somebody types it.
fn name_of(option: &Arg) -> String {
    let value = || {
        let names = option.get_value_names().unwrap_or_default();
        names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ").replace('|', " or ")
    };
    let takes = option.get_action().takes_values();
    let name = match (option.get_short(), option.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (None, Some(long)) => format!("--{long}"),
        (Some(short), None) => format!("-{short}"),
        (None, None) => return value(),
    };
    if takes { format!("{name} {}", value()) } else { name }
}

/// clap takes the full stop from the end of a help text of one sentence.
fn sentence(help: &str) -> String {
    let help = help.replace('\n', " ");
    if help.is_empty() || help.ends_with(['.', '?', '!']) { help } else { help + "." }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::CommandFactory;

    use super::super::line::Cli;
    use super::*;

    #[test]
    fn the_page_is_what_the_command_line_says() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/commands.md");
        let shown = std::fs::read_to_string(file).unwrap();
        assert_eq!(
            shown,
            page(Cli::command()),
            "put what `weevil commands-page` prints into docs/commands.md"
        );
    }

    #[test]
    fn each_kind_of_argument_has_its_row() {
        let text = Arg::new("path").value_name("PATH").help("What to read");
        let choice = Arg::new("how")
            .long("how")
            .short('h')
            .value_name("HOW")
            .value_parser(["a", "b"])
            .default_value("a")
            .help("How.");
        let switch = Arg::new("loud").long("loud").action(ArgAction::SetTrue).env("WEEVIL_LOUD").help("a|b");
        for (option, expected) in [
            (text, "| `PATH` | What to read. |\n"),
            (choice, "| `-h, --how HOW` | How. One of `a`, `b`. `a` unless it is given. |\n"),
            (switch, "| `--loud` | a\\|b. Variable: `WEEVIL_LOUD`. |\n"),
        ] {
            let mut command = Command::new("t").disable_help_flag(true).arg(option);
            command.build();
            let built = command.get_arguments().next().unwrap();
            assert_eq!(row(built), expected);
        }
    }
}
