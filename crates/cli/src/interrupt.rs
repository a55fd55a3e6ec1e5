//! Ctrl-C while a command waits: what it waits for is left as it is, and how to go on is said.
//!
//! Never asks a server.

use std::process::exit;
use std::sync::{Mutex, PoisonError};

use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::Exit;
use crate::bar::Bar;
use crate::inert::{Inert, complain};

/// How the process ends at Ctrl-C; nobody listens before the first one is set.
static LEAVING: Mutex<Option<Leaving>> = Mutex::new(None);

/// An end, before it has come.
#[derive(Debug)]
pub(crate) struct Leaving {
    pub(crate) exit: Exit,
    /// Said on stderr.
    pub(crate) words: String,
    /// Cleared first.
    pub(crate) bar: Bar,
}

/// From now on Ctrl-C ends the process like this.
///
/// # Errors
/// The system takes no handler.
pub(crate) fn leave_with(leaving: Leaving) -> Result<(), String> {
    let before = LEAVING.lock().unwrap_or_else(PoisonError::into_inner).replace(leaving);
    if before.is_some() {
        return Ok(());
    }
    let (runtime, mut pressed) =
        listen().map_err(|error| format!("Ctrl-C cannot be listened for: {error}"))?;
    std::thread::spawn(move || {
        runtime.block_on(pressed.recv());
        let leaving = LEAVING.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Leaving { exit: end, words, bar }) = leaving else { return };
        bar.clear();
        complain(&Inert::lines(&(words + "\n")));
        exit(end.code().into());
    });
    Ok(())
}

/// Listens from here on, before anybody waits for it.
fn listen() -> std::io::Result<(Runtime, Signal)> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let entered = runtime.enter();
    let pressed = signal(SignalKind::interrupt())?;
    drop(entered);
    Ok((runtime, pressed))
}
