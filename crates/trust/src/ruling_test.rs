//! What the rules make of answers, case by case and at random.

use proptest::prelude::*;
use weevil_model::trust::{AssumedShare, Policy};

use super::Basis::{Agreed, Proved, Trusted};
use super::Ruling::{Accepted, Disputed, Waits, Wants};
use super::Taker::{Anybody, Established};
use super::*;
use crate::groups::tests::answers;

fn decide(policy: &str, text: &str, devices: u32, fleet: OpenFleet) -> (Ruling, Vec<usize>) {
    let plan;
    let standard = match policy.parse().unwrap() {
        Policy::None => panic!("nobody judges {text}"),
        Policy::Quorum(votes) => Standard::Quorum(votes),
        Policy::Credible(error) => {
            plan = Plan::new(error, AssumedShare::default()).unwrap();
            Standard::Credible(&plan)
        }
    };
    let answers = answers(text);
    let groups = Groups::of(&answers, |_, _| false);
    let case = Case { standard, answers: &answers, groups: &groups, fleet, devices };
    let Decision { ruling, refuted } = rule(&case);
    (ruling, refuted)
}

const fn accepted(answer: usize, basis: Basis) -> Ruling {
    Accepted { answer, basis }
}

const fn waits(answer: usize, passed: bool) -> Ruling {
    Waits { answer, passed }
}

#[test]
fn a_quorum_is_so_many_that_agree_and_more_than_any_others() {
    for (policy, text, ruling, refuted) in [
        ("quorum(2)", "n1", Wants(Anybody), &[][..]),
        ("quorum(2)", "n1 n1", accepted(0, Agreed), &[]),
        ("quorum(2)", "n1 n2", Wants(Anybody), &[]),
        ("quorum(2)", "n1 n2 n2", accepted(1, Agreed), &[0]),
        ("quorum(2)", "n1 e2 n1", accepted(0, Agreed), &[1]),
        ("quorum(3)", "n1 n2 n1", Wants(Anybody), &[]),
        ("quorum(3)", "n1 n2 n2 n1 n1", accepted(0, Agreed), &[1, 2]),
        ("quorum(2)", "n1 t2", accepted(1, Trusted), &[0]),
        ("quorum(7)", "t1", accepted(0, Trusted), &[]),
        ("quorum(2)", "x1 n2", Wants(Anybody), &[]),
        ("quorum(2)", "na na na", Wants(Anybody), &[]),
        ("quorum(2)", "na na na na", accepted(0, Agreed), &[]),
        ("quorum(2)", "na na na na n1", Wants(Anybody), &[]),
        ("quorum(2)", "na na na n1 n1 n1", Wants(Anybody), &[]),
        ("quorum(2)", "na na na n1 n1 n1 n1", accepted(3, Agreed), &[0, 1, 2]),
        ("quorum(2)", "ta", accepted(0, Trusted), &[]),
    ] {
        let found = decide(policy, text, 1, OpenFleet(false));
        assert_eq!(found, (ruling, refuted.to_vec()), "{policy} {text}");
    }
    let fifteen = "n1 n2 n3 n4 n5 n6 n7 n8 n9 n0 na nb nc nd ne";
    let decided = |text: &str| decide("quorum(2)", text, 1, OpenFleet(false)).0;
    assert_eq!(decided(fifteen), Wants(Anybody));
    assert_eq!(decided(&format!("{fifteen} nf")), Disputed);
    assert_eq!(decided(&format!("x7 {fifteen}")), Wants(Anybody), "void ones are no answers");
}

#[test]
fn an_answer_in_a_lot_waits_unless_it_is_checked() {
    for (text, devices, ruling, refuted) in [
        ("n1", 1, Wants(Established), &[][..]),
        ("e1", 1, waits(0, false), &[]),
        ("n1 e1", 1, waits(1, false), &[]),
        ("n1 e2", 1, Wants(Established), &[]),
        ("n1 e2 e2", 1, waits(1, true), &[0]),
        ("e1", 2, Wants(Established), &[]),
        ("e1 e1", 2, waits(0, true), &[]),
        ("e1 e2", 2, Wants(Established), &[]),
        ("e1 e2 e1", 2, Wants(Established), &[]),
        ("e1 e2 e1 e1", 2, waits(0, true), &[1]),
        ("e1 e2 e2 e2", 2, waits(1, true), &[0]),
        ("e1 t1", 2, accepted(1, Trusted), &[]),
        ("e1 t2", 2, accepted(1, Trusted), &[0]),
        ("e1", 3, Wants(Established), &[]),
        ("e1 e1", 3, Wants(Established), &[]),
        ("e1 e1 e1", 3, waits(0, true), &[]),
        ("e1 e1 e2 e1 e1", 3, waits(0, true), &[2]),
        ("x1 e2", 1, waits(1, false), &[]),
        ("x1 e2", 2, Wants(Established), &[]),
        ("x1 e2 e2", 2, waits(1, true), &[]),
        ("ea", 1, Wants(Established), &[]),
        ("ea ea ea", 1, Wants(Established), &[]),
        ("ea ea ea ea", 1, accepted(0, Agreed), &[]),
        ("ea e1 e1 e1", 1, waits(1, true), &[0]),
        ("e1 ea ea ea", 2, Wants(Established), &[]),
        ("o1 o1 e1", 3, waits(2, true), &[]),
        ("o1 e1 e1", 3, waits(1, true), &[]),
        ("o1 e1", 3, Wants(Established), &[]),
        ("n1 n1 e1", 3, Wants(Established), &[]),
        ("o1 e2 e1 e1", 3, Wants(Established), &[]),
        ("o1 o1 e2", 3, Wants(Established), &[]),
        ("oa oa ea ea", 3, Wants(Established), &[]),
    ] {
        let found = decide("credible(0.001)", text, devices, OpenFleet(false));
        assert_eq!(found, (ruling, refuted.to_vec()), "{text} {devices}");
    }
}

#[test]
fn what_is_proved_is_enough_whoever_gives_it() {
    for (policy, text, answer, refuted) in [
        ("quorum(7)", "p1", 0, &[][..]),
        ("credible(0.0001)", "p1", 0, &[]),
        ("credible(0.001)", "n2 e2 p1", 2, &[0, 1]),
        ("credible(0.001)", "e1 e2 p1", 2, &[1]),
        ("quorum(2)", "t2 p1", 1, &[0]),
        ("quorum(2)", "na na na p1", 3, &[0, 1, 2]),
    ] {
        let found = decide(policy, text, 1, OpenFleet(false));
        assert_eq!(found, (accepted(answer, Proved), refuted.to_vec()), "{policy} {text}");
    }
}

#[test]
fn newcomers_answer_for_a_fleet_that_opens() {
    for (policy, text, ruling) in [
        ("credible(0.001)", "o1", Wants(Anybody)),
        ("credible(0.001)", "o1 o1", Wants(Anybody)),
        ("credible(0.001)", "o1 o1 o1", accepted(0, Agreed)),
        ("credible(0.001)", "o1 o2 o1 o1", Wants(Anybody)),
        ("credible(0.0001)", "o1 o1 o1", Wants(Anybody)),
        ("credible(0.0001)", "o1 o1 o1 o1", accepted(0, Agreed)),
        ("credible(0.01)", "o1 o1 o1", accepted(0, Agreed)),
        ("credible(0.001)", "oa oa oa oa oa", Wants(Anybody)),
        ("credible(0.001)", "oa oa oa oa oa oa", accepted(0, Agreed)),
        ("credible(0.001)", "o1 e1", waits(1, false)),
        ("credible(0.001)", "o1 t2", accepted(1, Trusted)),
    ] {
        let (found, _) = decide(policy, text, 1, OpenFleet(true));
        assert_eq!(found, ruling, "{policy} {text}");
        let later = if ruling == Wants(Anybody) { Wants(Established) } else { ruling };
        let (found, _) = decide(policy, text, 1, OpenFleet(false));
        assert_eq!(found, later, "{policy} {text}, once the fleet opens no more");
    }
}

/// The same by the places of other answers.
fn moved(ruling: Ruling, to: impl Fn(usize) -> usize) -> Ruling {
    match ruling {
        Accepted { answer, basis } => Accepted { answer: to(answer), basis },
        Waits { answer, passed } => Waits { answer: to(answer), passed },
        other => other,
    }
}

proptest! {
    /// What was refuted or is void counts for nothing, whoever gave it.
    #[test]
    fn void_answers_decide_as_if_they_were_not_there(
        words in prop::collection::vec("[noetpx][12a]", 1..10),
        policy in prop::sample::select(vec!["quorum(2)", "quorum(3)", "credible(0.01)", "credible(0.001)"]),
        devices in 1..4_u32,
        opens: bool,
    ) {
        let counting: Vec<usize> = (0..words.len()).filter(|place| !words[*place].starts_with('x')).collect();
        let left: Vec<&str> = counting.iter().map(|place| words[*place].as_str()).collect();
        let fleet = OpenFleet(opens);
        let (ruling, refuted) = decide(policy, &words.join(" "), devices, fleet);
        let (alone, refuted_alone) = decide(policy, &left.join(" "), devices, fleet);
        prop_assert_eq!(ruling, moved(alone, |place| counting[place]));
        prop_assert_eq!(refuted, refuted_alone.into_iter().map(|place| counting[place]).collect::<Vec<_>>());
    }

    /// A checked answer by itself is no agreement, whatever it says and whoever else could still answer.
    #[test]
    fn nothing_is_believed_of_one_stranger(
        word in "[eno][1a]",
        policy in prop::sample::select(vec!["quorum(2)", "quorum(7)", "credible(0.1)", "credible(0.001)"]),
        devices in 2..4_u32,
        opens: bool,
    ) {
        let (ruling, _) = decide(policy, &word, devices, OpenFleet(opens));
        prop_assert!(matches!(ruling, Wants(_)), "{:?}", ruling);
    }
}
