//! A value that many are told of, and what the first of them makes of it for all: bytes, made once for each change.
//!
//! Never knows what those bytes say.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Changed by being published anew.
#[derive(Debug, Default)]
pub struct Published<T> {
    value: T,
    told: OnceLock<Arc<[u8]>>,
}

impl<T> Published<T> {
    pub const fn new(value: T) -> Self {
        Self { value, told: OnceLock::new() }
    }

    /// What everybody is told of it. All that ask tell it in the same way.
    pub fn told(&self, tell: impl FnOnce(&T) -> Vec<u8>) -> Arc<[u8]> {
        self.told.get_or_init(|| tell(&self.value).into()).clone()
    }
}

impl<T> Deref for Published<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_reader_makes_the_bytes() {
        let published = Published::new(7);
        let first = published.told(|value| vec![*value]);
        let second = published.told(|_| unreachable!("they are made"));
        assert!(Arc::ptr_eq(&first, &second) && *first == [7]);
    }
}
