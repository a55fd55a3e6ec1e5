//! The terminal that `weevil top` draws on: its other screen, for as long as this value lives.
//!
//! Never decides what is drawn; what it prints has passed `inert.rs` line by line.

use std::io::{self, Write, stdout};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};

use crate::inert::one_line;

#[derive(Debug)]
pub(super) struct Screen(());

impl Screen {
    pub(super) fn begin() -> io::Result<Self> {
        enable_raw_mode()?;
        let screen = Self(());
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    #[expect(clippy::unused_self, reason = "drawn on only while this value lives")]
    pub(super) fn draw(&self, lines: &[String]) -> io::Result<()> {
        let mut out = stdout().lock();
        for (row, line) in (0..).zip(lines) {
            queue!(out, MoveTo(0, row), Print(one_line(line)), Clear(ClearType::UntilNewLine))?;
        }
        out.flush()
    }

    /// The next key, or nothing where none was pressed for so long or the size has changed.
    #[expect(clippy::unused_self, reason = "keys come one by one only while this value lives")]
    pub(super) fn key(&self, within: Duration) -> io::Result<Option<KeyEvent>> {
        if !event::poll(within)? {
            return Ok(None);
        }
        Ok(match event::read()? {
            Event::Key(key) if key.kind == KeyEventKind::Press => Some(key),
            _ => None,
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _gone = execute!(stdout(), Show, LeaveAlternateScreen);
        let _gone = disable_raw_mode();
    }
}
