//! `weevil check-kernel`: the child of `weevil_kernels::child`. Reads one kernel on stdin and answers what it declares, or its
//! mistakes, as a line of JSON. Not for people; nothing it is given is kept.
//!
//! It bounds itself twice: limits bind what is asked for after them, so it begins anew below them.

use std::io::{Read, stdin};
use std::os::unix::process::CommandExt;
use std::process::Command;

use clap::Args;
use rustix::process::{Resource, Rlimit, setrlimit};
use weevil_cli::Exit;
use weevil_cli::inert::say_json;
use weevil_kernels::check_wgsl;
use weevil_kernels::child::{COMMAND, PROGRAM};
use weevil_kernels::limits::{MAX_CHECK_MIB, MAX_CHECK_SECONDS};

#[derive(Debug, Args)]
pub(super) struct CheckKernel {
    /// The limits hold already.
    #[arg(long)]
    bounded: bool,
}

impl CheckKernel {
    pub(super) fn execute(self) -> Exit {
        let done = if self.bounded { answer() } else { begin_anew() };
        done.map_or_else(|error| Exit::CouldNot(error.to_string()), |()| Exit::Done)
    }
}

/// Memory that the allocator has reserved before would not count.
fn begin_anew() -> std::io::Result<()> {
    let bytes = MAX_CHECK_MIB * 1024 * 1024;
    // The second limit of the processor's time kills, and would not say what was too much.
    let seconds = (MAX_CHECK_SECONDS, MAX_CHECK_SECONDS + 1);
    for (resource, (current, maximum)) in
        [(Resource::As, (bytes, bytes)), (Resource::Core, (0, 0)), (Resource::Cpu, seconds)]
    {
        setrlimit(resource, Rlimit { current: Some(current), maximum: Some(maximum) })?;
    }
    Err(Command::new(PROGRAM).args([COMMAND, "--bounded"]).exec())
}

fn answer() -> std::io::Result<()> {
    let mut text = String::new();
    stdin().lock().read_to_string(&mut text)?;
    say_json(&check_wgsl(&text));
    Ok(())
}
