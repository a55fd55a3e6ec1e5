//! A gang against the rules, at fixed seeds: it never gets more lies through than promised, and does where a rule is left out.

use proptest::prelude::*;
use weevil_gang::{Figures, Kind, Off, Rival, Setting, play, play_certified, play_rival};
use weevil_trust::certificate::Checker;

const JOBS: usize = 4000;
const ERROR: f64 = 0.001;
const KINDS: [Kind; 8] = [
    Kind::Always,
    Kind::Steady(0.05),
    Kind::Sleeper(1.0),
    Kind::Sleeper(0.05),
    Kind::Clump(1),
    Kind::Clump(3),
    Kind::Blind(0.05),
    Kind::Blind(1.0),
];

fn sum(seeds: u64, setting: &Setting, play: impl Fn(&Setting) -> Figures) -> Figures {
    (1..=seeds).map(|seed| play(&Setting { seed, ..setting.clone() })).sum()
}

#[test]
fn no_gang_gets_more_lies_through_than_promised() {
    for kind in KINDS {
        for (life, returns) in [(400.0, false), (400.0, true), (40.0, false), (40.0, true)] {
            let setting = Setting { life, returns, ..Setting::new(JOBS, kind) };
            let found = sum(4, &setting, play);
            assert_eq!(found.accepted + found.disputed, 4 * JOBS as u64, "{kind:?}: {found:?}");
            assert!(found.wrong_share() <= ERROR, "{kind:?} {life} {returns}: {found:?}");
            assert!(found.liars_refuted > 10, "{kind:?} {life} {returns} lies at all: {found:?}");
        }
    }
}

/// The bound of each is that of its lots, whatever the gang did.
#[test]
fn the_certificate_of_each_play_holds() {
    for (kind, seed) in KINDS.into_iter().flat_map(|kind| (1..=2).map(move |seed| (kind, seed))) {
        for (life, is_known, assumed) in
            [(400.0, true, "0.05"), (40.0, true, "0.05"), (40.0, false, "0.05"), (40.0, true, "0.2")]
        {
            let assumed = assumed.parse().unwrap();
            let setting = Setting {
                life,
                is_known,
                assumed,
                liars: 0.2,
                seed,
                returns: seed == 2,
                ..Setting::new(1000, kind)
            };
            let (figures, text) = play_certified(&setting);
            let mut checker = Checker::default();
            for line in text.lines() {
                checker.line(line.as_bytes()).unwrap_or_else(|broken| panic!("{setting:?}: {broken}"));
            }
            let summary = checker.finish().unwrap().prove(|_, _, _| true).unwrap();
            let counts = summary.end.counts;
            assert_eq!(counts.believed.lot + counts.believed.agreed, figures.accepted, "{setting:?}");
            assert!(
                summary.end.bound.is_some_and(|bound| bound <= ERROR),
                "{setting:?}: {:?}",
                summary.end.bound
            );
        }
    }
}

#[test]
fn each_rule_is_needed() {
    let base = |kind| Setting::new(JOBS, kind);
    for (off, setting) in [
        (Off::LateChoice, base(Kind::Unchecked)),
        (Off::OneAfterTheOther, base(Kind::Together)),
        (Off::NewcomersWithoutVote, Setting { flood: 100, ..base(Kind::Clump(1)) }),
        (Off::LotsOfNodes, Setting { nodes: vec![JOBS, JOBS / 10], ..base(Kind::Elsewhere) }),
        (Off::Repeats, Setting { devices: JOBS, nodes: vec![JOBS / 5], ..base(Kind::Sleeper(1.0)) }),
    ] {
        let with = sum(8, &setting, play);
        assert!(with.wrong_share() <= ERROR, "{off:?}: {with:?}");
        let without = sum(8, &Setting { off: Some(off), ..setting }, play);
        assert!(without.wrong_share() > 1.2 * ERROR, "{off:?} is left out: {without:?}");
    }
}

#[test]
fn what_others_do_lets_five_times_as_many_lies_through() {
    let setting = Setting::new(25_000, Kind::Sleeper(1.0));
    let ours = sum(2, &setting, play);
    for (rival, computed) in [(Rival::Nothing, 1.0), (Rival::Quorum, 2.0), (Rival::Adaptive, 1.1)] {
        let theirs = sum(2, &setting, |setting| play_rival(setting, rival));
        assert!(theirs.per_job() >= computed, "{rival:?}: {theirs:?}");
        let times = theirs.wrong_share() / ours.wrong_share().max(1e-6);
        assert!(times >= 5.0, "{rival:?}: {theirs:?} beside {ours:?}");
    }
}

#[test]
fn honest_devices_cost_little_and_lose_nothing() {
    for (jobs, life, is_known, most) in
        [(25_000, 400.0, true, 1.45), (25_000, 40.0, true, 2.3), (25_000, 400.0, false, 1.71)]
    {
        let setting = Setting { life, is_known, liars: 0.0, ..Setting::new(jobs, Kind::Always) };
        let found = sum(1, &setting, play);
        assert_eq!((found.wrong, found.honest_refuted), (0, 0), "{jobs} {life}: {found:?}");
        assert!(found.per_job() <= most, "{jobs} {life} {is_known}: {found:?}");
    }
}

/// Many lie, so that some jobs are disputed and leave the lots that they stood in.
#[test]
fn a_lot_closes_also_where_some_of_its_jobs_have_left_it() {
    for seed in [16_056_898_163_461_583_278, 1, 2, 3] {
        let setting = Setting {
            devices: 29,
            life: 33.190_909_782_616_515,
            liars: 0.3,
            returns: true,
            is_known: false,
            seed,
            ..Setting::new(57, Kind::Always)
        };
        let found = play(&setting);
        assert_eq!(found.accepted + found.disputed, 57, "{found:?}");
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    let share = prop::sample::select(vec![0.05, 0.3, 1.0]);
    prop_oneof![
        Just(Kind::Always),
        share.clone().prop_map(Kind::Steady),
        share.clone().prop_map(Kind::Sleeper),
        share.prop_map(Kind::Blind),
        (1..6_u32).prop_map(Kind::Clump),
    ]
}

proptest! {
    /// Each play audits itself: no device answers twice, what a lot carries has passed all of its checks.
    #[test]
    fn whatever_happens_every_job_is_decided(
        kind in kind(), nodes in prop::collection::vec(1..120_usize, 1..4), devices in 20..60_usize, life in 2.0..60.0_f64,
        liars in prop::sample::select(vec![0.0, 0.05, 0.3]), returns: bool, is_known: bool, seed: u64,
    ) {
        let last = *nodes.last().expect("there is one") as u64;
        let setting = Setting { nodes, devices, life, liars, returns, is_known, seed, ..Setting::new(1, kind) };
        let found = play(&setting);
        prop_assert!(found.accepted <= last && last <= found.accepted + found.disputed, "{:?}", found);
    }
}
