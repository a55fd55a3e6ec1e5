//! What the rules of trust let through of a gang's lies, and what they cost: played in memory, without a server.

use std::path::Path;

use weevil_gang::{Figures as Played, Kind as Lies, Rival, Setting, play, play_rival};
use weevil_model::trust::{AssumedShare, ErrorShare};

use crate::measure::{Figures, Measure};
use crate::rows::{Kind, Wanted, less, more};
use crate::strangers::{self, Gang};
use crate::{judged, notary, referee, refuted, retrace, tail};

/// Plays of each cell, whose counts are added up.
const SEEDS: u64 = 8;
const SERVER_SEEDS: u64 = 3;
const JOBS: usize = 25_000;
const MANY_JOBS: usize = 100_000;

/// How liars lie. Each is played with devices that stay for 400 and for 40 answers, and with a gang that returns.
const KINDS: [(&str, Lies); 9] = [
    ("always", Lies::Always),
    ("steady_5", Lies::Steady(0.05)),
    ("sleeper_100", Lies::Sleeper(1.0)),
    ("sleeper_10", Lies::Sleeper(0.1)),
    ("sleeper_5", Lies::Sleeper(0.05)),
    ("clump_1", Lies::Clump(1)),
    ("clump_3", Lies::Clump(3)),
    ("blind_100", Lies::Blind(1.0)),
    ("blind_5", Lies::Blind(0.05)),
];

const RIVALS: [(&str, Rival); 3] =
    [("rival_none", Rival::Nothing), ("rival_quorum_2", Rival::Quorum), ("rival_adaptive", Rival::Adaptive)];

pub(crate) fn measures(wanted: &Wanted) -> Vec<Measure> {
    let rivals = RIVALS.map(|(name, rival)| {
        cell(name, Setting::new(JOBS, Lies::Sleeper(1.0)), move |setting| play_rival(setting, rival))
    });
    let ours = cells().into_iter().chain(others()).map(|(name, setting)| cell(&name, setting, play));
    ours.chain(rivals)
        .chain(on_a_server())
        .chain(judged())
        .filter(|measure| measure.kinds.iter().any(|kind| wanted.has(kind)))
        .collect()
}

/// What the server checks itself.
fn referee() -> Vec<Kind> {
    let kept =
        ["referee_kept_1_pct", "referee_kept_10_pct", "referee_kept_50_pct"].map(|name| more(name, "ratio"));
    [more("referee_jobs_per_s", "jobs/s"), less("referee_job_ms", "ms")].into_iter().chain(kept).collect()
}

/// The certificate of a large run.
fn certificate() -> Vec<Kind> {
    let seconds = |name| less(name, "s");
    vec![seconds("certificate_100k_s"), less("certificate_100k_mb", "MB"), seconds("verify_100k_s")]
}

/// What the store and the server do, which is no play.
fn judged() -> [Measure; 8] {
    let ratios = [
        "quorum_2_over_none",
        "quorum_2_over_none_mariadb",
        "credible_1000_over_none",
        "credible_1000_over_none_mariadb",
    ];
    let ratios = ratios.map(|name| more(name, "ratio"));
    [
        Measure::of_kinds(ratios.into(), 5).of_this_code(judged::rates),
        Measure::of_kinds(vec![less("claim_copies_ratio", "ratio")], 1).of_this_code(judged::claim),
        Measure::of_kinds(["refute_ms", "refute_ms_mariadb"].map(|name| less(name, "ms")).into(), 1)
            .of_this_code(refuted::refute),
        Measure::of_kinds(vec![less("retrace_s", "s")], 1).of_servers(retrace::retrace),
        Measure::of_kinds(referee(), 1).of_servers(referee::checks),
        Measure::of_kinds(
            ["tail_ratio", "tail_without_spares_ratio"].map(|name| less(name, "ratio")).into(),
            1,
        )
        .of_servers(tail::ratio),
        Measure::of_kinds(certificate(), 1).of_servers(notary::certificate),
        Measure::of_kinds(vec![less("pool_1m_judged_mb", "MB")], 1).of_servers(notary::judged_pool),
    ]
}

/// Each kind of liars under `credible(0.001)`, a twentieth of 400 devices.
fn cells() -> Vec<(String, Setting)> {
    let mut cells = Vec::new();
    for (name, kind) in KINDS {
        for (life, returns, suffix) in [
            (400.0, false, "400"),
            (400.0, true, "400_return"),
            (40.0, false, "40"),
            (40.0, true, "40_return"),
        ] {
            let setting = Setting { life, returns, ..Setting::new(JOBS, kind) };
            cells.push((format!("gang_{name}_{suffix}"), setting));
        }
    }
    cells
}

/// Each kind of liars again, as volunteers of a real server.
fn on_a_server() -> Vec<Measure> {
    let mut cells = Vec::new();
    for (name, lies) in KINDS {
        for (life, returns, suffix) in
            [(400.0, false, "400"), (40.0, false, "40"), (400.0, true, "400_return")]
        {
            let gang = Gang { lies, life, returns };
            let take = move |binary: &Path, _| {
                told((1..=SERVER_SEEDS).map(|seed| strangers::play(binary, gang, seed)).sum())
            };
            let kinds = rows(&format!("server_{name}_{suffix}")).into();
            cells.push(Measure::of_kinds(kinds, 1).of_servers(take));
        }
    }
    cells
}

/// Other fleets, other errors, other pools.
fn others() -> Vec<(String, Setting)> {
    let honest = |jobs| Setting { liars: 0.0, ..Setting::new(jobs, Lies::Always) };
    let sleeper = |jobs| Setting::new(jobs, Lies::Sleeper(0.05));
    let fifth = |jobs| Setting { liars: 0.2, ..sleeper(jobs) };
    let assumed = AssumedShare::of_millionths(200_000).expect("a share");
    let error = |millionths| ErrorShare::of_millionths(millionths).expect("a share");
    let named = [
        ("honest_400", honest(JOBS)),
        ("honest_400_100k", honest(MANY_JOBS)),
        ("honest_40", Setting { life: 40.0, ..honest(JOBS) }),
        ("pool_200", sleeper(200)),
        ("pool_1000", sleeper(1000)),
        ("pool_5000", sleeper(5000)),
        ("pool_100k", sleeper(MANY_JOBS)),
        ("fresh_server", Setting { is_known: false, ..sleeper(JOBS) }),
        ("fifth_unsuspected", fifth(JOBS)),
        ("fifth_assumed", Setting { assumed, ..fifth(JOBS) }),
        ("fifth_assumed_100k", Setting { assumed, ..fifth(MANY_JOBS) }),
        ("error_10000", Setting { error: error(10_000), ..sleeper(JOBS) }),
        ("error_100", Setting { error: error(100), ..sleeper(JOBS) }),
    ];
    named.map(|(name, setting)| (name.to_owned(), setting)).into()
}

/// The rows of one cell: the wrong share, computations a job, honest devices that had to rest for 25,000 jobs.
fn cell(name: &str, setting: Setting, play: impl Fn(&Setting) -> Played + 'static) -> Measure {
    let [wrong, per_job, refuted] = rows(name);
    let take = move |_| told((1..=SEEDS).map(|seed| play(&Setting { seed, ..setting.clone() })).sum());
    Measure::of_kinds(vec![wrong, per_job, refuted], 1).of_this_code(take)
}

/// What came of all plays of a cell, in the order of its rows.
fn told(played: Played) -> Vec<Figures> {
    let refuted = played.honest_refuted as f64 * JOBS as f64 / played.accepted.max(1) as f64;
    [played.wrong_share() * 1e6, played.per_job(), refuted].map(|figure| Figures::from([figure])).into()
}

fn rows(name: &str) -> [Kind; 3] {
    [("wrong_ppm", "ppm"), ("per_job", "answers"), ("honest_resting", "devices")]
        .map(|(row, unit)| less(format!("{name}_{row}"), unit))
}
