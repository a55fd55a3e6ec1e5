//! The binary `weevil`: reads the command line and ends with the exit code that its command asks for.

use std::process::ExitCode;

fn main() -> ExitCode {
    weevil_server::command::main()
}
