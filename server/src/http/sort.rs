//! What a list is sorted by: the word that a request has for it, and the mark of an order in what stands behind a page.
//!
//! Never sorts anything itself: each list has its own ways.

use std::fmt::Display;

use weevil_records::Order;

use super::page::no_mark;
use crate::refusal::Refusal;

/// By age, the newest first; by age; the words that lists have for both.
pub(super) const BY_AGE: [(&str, Order); 2] = [("-created", Order::Newest), ("created", Order::Oldest)];

/// What stands in front of marks of a list whose oldest come first, which no id does.
const OLDEST: &str = "o.";

/// The order that is asked for; the first of those that are known where none is.
///
/// # Errors
/// There is no order of this name; those that there are, are told.
pub(super) fn sort_among<T: Copy>(asked: Option<&str>, known: &[(&str, T)]) -> Result<T, Refusal> {
    let usual = known.first().map_or("", |(word, _)| *word);
    let word = asked.unwrap_or(usual);
    known.iter().find(|(one, _)| *one == word).map(|(_, order)| *order).ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        Refusal::BadQuery(format!("there is no `sort` of this name; there are {}", words.join(", ")))
    })
}

/// The mark of an entry of a list by age.
pub(super) fn aged_mark(order: Order, id: impl Display) -> String {
    match order {
        Order::Newest => id.to_string(),
        Order::Oldest => format!("{OLDEST}{id}"),
    }
}

/// The id in such a mark.
///
/// # Errors
/// It is of a list in another order.
pub(super) fn aged_behind(order: Order, mark: &str) -> Result<&str, Refusal> {
    match (order, mark.strip_prefix(OLDEST)) {
        (Order::Newest, None) => Ok(mark),
        (Order::Oldest, Some(id)) => Ok(id),
        _ => Err(no_mark()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_one_of_those_that_are_known() {
        for (asked, expected) in [
            (None, Some(Order::Newest)),
            (Some("-created"), Some(Order::Newest)),
            (Some("created"), Some(Order::Oldest)),
            (Some(""), None),
            (Some("--created"), None),
            (Some("Created"), None),
        ] {
            assert_eq!(sort_among(asked, &BY_AGE).ok(), expected, "{asked:?}");
        }
    }

    #[test]
    fn a_mark_of_one_order_is_none_of_the_other() {
        for (order, other) in [(Order::Newest, Order::Oldest), (Order::Oldest, Order::Newest)] {
            let mark = aged_mark(order, "run_1");
            assert_eq!(aged_behind(order, &mark).ok(), Some("run_1"));
            assert!(aged_behind(other, &mark).is_err(), "{mark}");
        }
    }
}
