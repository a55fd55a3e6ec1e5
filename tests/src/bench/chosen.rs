//! Which rows this run of the program measures, and how often: set once, at its start. Beside a baseline each figure is
//! taken once in each of its turns.

use std::sync::OnceLock;

static CHOSEN: OnceLock<Chosen> = OnceLock::new();

#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// Parts of names; all rows where there are none.
    pub rows: Vec<String>,
    /// The binary of the server is what is compared.
    pub paired: bool,
}

impl Chosen {
    pub(crate) fn set(self) {
        // Only `main` does, once.
        let _first = CHOSEN.set(self);
    }
}

fn chosen() -> &'static Chosen {
    CHOSEN.get_or_init(Chosen::default)
}

/// How often a figure is taken that is usually taken so often.
pub(crate) fn runs(usual: usize) -> usize {
    if chosen().paired { 1 } else { usual }
}

/// Is one of these rows asked for?
pub(crate) fn wants(rows: &[&str]) -> bool {
    let parts = &chosen().rows;
    parts.is_empty() || rows.iter().any(|row| parts.iter().any(|part| row.contains(part.as_str())))
}

/// May a row be asked for whose name begins so?
pub(crate) fn wants_some(begin: &str) -> bool {
    let parts = &chosen().rows;
    parts.is_empty() || parts.iter().any(|part| part.starts_with(begin))
}

/// As `wants`, of rows that say nothing of the server's binary: beside a baseline they are left out.
pub(crate) fn wants_own(rows: &[&str]) -> bool {
    !chosen().paired && wants(rows)
}
