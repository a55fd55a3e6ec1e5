//! Which worker gets which of the jobs that are ready.

use weevil_model::WorkerId;

/// Deals `available` jobs out one by one, round after round, so that nobody's appetite starves the others.
/// The answer names the receiver of each job in queue order; it is shorter when appetites are.
pub fn deal(asks: &[(WorkerId, u32)], available: usize) -> Vec<WorkerId> {
    let mut left: Vec<(WorkerId, u32)> = asks.iter().copied().filter(|ask| ask.1 > 0).collect();
    let mut dealt = Vec::with_capacity(available);
    while !left.is_empty() && dealt.len() < available {
        left.retain_mut(|(worker, wants)| {
            if dealt.len() < available {
                dealt.push(*worker);
                *wants -= 1;
            }
            *wants > 0
        });
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_go_to_everyone_who_still_wants() {
        let worker = |n| WorkerId::from_number(n).unwrap();
        let (a, b) = (worker(1), worker(2));
        for (asks, available, expected) in [
            (vec![(a, 2), (b, 2)], 3, vec![a, b, a]),
            (vec![(a, 1), (b, 3)], 9, vec![a, b, b, b]),
            (vec![(a, 0), (b, 1)], 9, vec![b]),
            (vec![], 5, vec![]),
            (vec![(a, 5)], 0, vec![]),
        ] {
            assert_eq!(deal(&asks, available), expected);
        }
    }
}
