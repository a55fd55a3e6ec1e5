//! `weevil completions` and `weevil man`: what shells and manual readers want to know of the command line.
//!
//! Both are made from clap's own description of it.

use std::fs::create_dir_all;
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::{Shell, generate};
use weevil_cli::Exit;
use weevil_cli::inert::{Inert, say, say_line};

#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(super) fn execute(&self, mut line: Command) -> Exit {
        let mut script = Vec::new();
        generate(self.shell, &mut line, "weevil", &mut script);
        say(&Inert::lines(&String::from_utf8_lossy(&script)));
        Exit::Done
    }
}

#[derive(Debug, Args)]
pub(super) struct Man {
    /// The folder to write the pages into: `weevil.1`, and one for each command.
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
}

impl Man {
    pub(super) fn execute(&self, line: Command) -> Exit {
        let written = create_dir_all(&self.dir).and_then(|()| clap_mangen::generate_to(line, &self.dir));
        let dir = self.dir.display();
        match written {
            Ok(()) => {
                say_line(&format!("the manual is in {dir}; `man -l {dir}/weevil.1` shows its first page"));
                Exit::Done
            }
            Err(error) => Exit::CouldNot(format!("{dir} cannot be written: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::super::line::Cli;
    use super::*;

    #[test]
    fn each_shell_s_script_is_printed_as_it_is_and_knows_the_commands() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut script = Vec::new();
            generate(shell, &mut Cli::command(), "weevil", &mut script);
            let script = String::from_utf8(script).unwrap();
            assert_eq!(Inert::lines(&script).to_string(), script, "{shell}");
            assert!(
                ["explain", "set-file", "completions"].iter().all(|word| script.contains(word)),
                "{shell}"
            );
        }
    }

    #[test]
    fn each_command_that_is_shown_has_a_page() {
        let folder = tempfile::TempDir::new().unwrap();
        let dir = folder.path().join("man/man1");
        assert_eq!(Man { dir: dir.clone() }.execute(Cli::command()), Exit::Done);
        for (page, there) in [
            ("weevil.1", true),
            ("weevil-run.1", true),
            ("weevil-db-check.1", true),
            ("weevil-hold.1", false),
        ] {
            assert_eq!(dir.join(page).exists(), there, "{page}");
        }
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(matches!(Man { dir: file }.execute(Cli::command()), Exit::CouldNot(_)));
    }
}
