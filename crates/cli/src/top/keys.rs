//! What the keys of `weevil top` ask for, and which line is chosen. Pure.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The order of the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Joined,
    Busy,
    Done,
}

impl Order {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Joined => "newest",
            Self::Busy => "busiest",
            Self::Done => "most done",
        }
    }

    const fn next(self) -> Self {
        match self {
            Self::Joined => Self::Busy,
            Self::Busy => Self::Done,
            Self::Done => Self::Joined,
        }
    }
}

/// What the screen shows of what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    /// Line of the list of runs.
    pub(super) run: usize,
    pub(super) order: Order,
}

/// What is to be done beside drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Nothing,
    /// Pauses or resumes the chosen run.
    Pause,
    /// Opens its page.
    Open,
    Leave,
}

impl Choice {
    pub(super) const FIRST: Self = Self { run: 0, order: Order::Busy };

    /// `runs`: how many lines there are.
    pub(super) fn press(&mut self, key: KeyEvent, runs: usize) -> Deed {
        let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if with_control => return Deed::Leave,
            KeyCode::Char('q') | KeyCode::Esc => return Deed::Leave,
            KeyCode::Char('p') if runs > 0 => return Deed::Pause,
            KeyCode::Char('o') | KeyCode::Enter if runs > 0 => return Deed::Open,
            KeyCode::Char('s') => self.order = self.order.next(),
            KeyCode::Char('k') | KeyCode::Up => self.run = self.run.saturating_sub(1),
            KeyCode::Char('j') | KeyCode::Down => self.run += 1,
            _ => {}
        }
        self.keep_within(runs);
        Deed::Nothing
    }

    pub(super) fn keep_within(&mut self, runs: usize) {
        self.run = self.run.min(runs.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_choose_sort_and_ask() {
        let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let at = |run, order| Choice { run, order };
        for (key, runs, from, to, deed) in [
            (plain(KeyCode::Down), 3, at(0, Order::Busy), at(1, Order::Busy), Deed::Nothing),
            (plain(KeyCode::Char('j')), 3, at(2, Order::Busy), at(2, Order::Busy), Deed::Nothing),
            (plain(KeyCode::Up), 3, at(0, Order::Busy), at(0, Order::Busy), Deed::Nothing),
            (plain(KeyCode::Char('k')), 3, at(9, Order::Busy), at(2, Order::Busy), Deed::Nothing),
            (plain(KeyCode::Char('s')), 3, at(1, Order::Busy), at(1, Order::Done), Deed::Nothing),
            (plain(KeyCode::Char('s')), 3, at(1, Order::Done), at(1, Order::Joined), Deed::Nothing),
            (plain(KeyCode::Char('s')), 3, at(1, Order::Joined), at(1, Order::Busy), Deed::Nothing),
            (plain(KeyCode::Char('p')), 3, at(1, Order::Busy), at(1, Order::Busy), Deed::Pause),
            (plain(KeyCode::Char('p')), 0, at(0, Order::Busy), at(0, Order::Busy), Deed::Nothing),
            (plain(KeyCode::Enter), 1, at(0, Order::Busy), at(0, Order::Busy), Deed::Open),
            (plain(KeyCode::Char('q')), 1, at(0, Order::Busy), at(0, Order::Busy), Deed::Leave),
            (plain(KeyCode::Esc), 1, at(0, Order::Busy), at(0, Order::Busy), Deed::Leave),
            (plain(KeyCode::Char('c')), 1, at(0, Order::Busy), at(0, Order::Busy), Deed::Nothing),
            (
                KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
                1,
                at(0, Order::Busy),
                at(0, Order::Busy),
                Deed::Leave,
            ),
        ] {
            let mut choice = from;
            assert_eq!((choice.press(key, runs), choice), (deed, to), "{key:?} {runs} {from:?}");
        }
    }
}
