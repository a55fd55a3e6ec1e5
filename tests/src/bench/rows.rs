//! The rows of every bench as a table: names, units, which way is better, how often a figure is taken and of what.
//!
//! The one list that a plain bench, a comparison and the check of docs/performance.md read. Measures nothing itself;
//! what measures knows no names.

use std::path::Path;

use serde::Serialize;
use weevil_e2e::DatabaseKind;

use crate::hostile::ATTACKS;
use crate::measure::{Measure, measure};
use crate::{
    api, bare, claims, console, duty, first_light, gate, gpu, hostile, hot_path, migrations, over_tls, queue,
    renewals, restart, sign_in, trust, volunteer, workflow,
};

/// Which way of a row is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Better {
    More,
    Less,
}

/// A row without its figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kind {
    pub name: String,
    pub unit: &'static str,
    pub better: Better,
}

pub(crate) fn more(name: impl Into<String>, unit: &'static str) -> Kind {
    Kind { name: name.into(), unit, better: Better::More }
}

pub(crate) fn less(name: impl Into<String>, unit: &'static str) -> Kind {
    Kind { name: name.into(), unit, better: Better::Less }
}

/// Which rows are wanted: those that have one of the parts in their names, or all.
#[derive(Debug, Default)]
pub(crate) struct Wanted(pub Vec<String>);

impl Wanted {
    pub(crate) fn has(&self, kind: &Kind) -> bool {
        self.0.is_empty() || self.0.iter().any(|part| kind.name.contains(part.as_str()))
    }
}

/// What a bench measures; all of it, or no more than some rows need.
type Bench = fn(&Wanted) -> Vec<Measure>;

/// The benches and their rows.
pub(crate) const BENCHES: [(&str, Bench); 9] = [
    ("first-light", |_| first_light()),
    ("workflow", |_| workflow()),
    ("queue", |_| queue()),
    ("volunteer", |_| volunteer()),
    ("hostile", hostile),
    ("access", |_| access()),
    ("api", |_| api()),
    ("trust", trust::measures),
    ("console", |_| console()),
];

fn first_light() -> Vec<Measure> {
    let tabs = [
        more("tabs2_jobs_per_s", "jobs/s"),
        more("native2_jobs_per_s", "jobs/s"),
        more("tabs2_over_native2", "ratio"),
    ];
    vec![
        measure([more("utilisation_pct", "%"), less("pi_job_ms", "ms")], 3)
            .of_servers(first_light::utilisation),
        measure(tabs, 5).whole_in_turn().of_servers(first_light::no_op_rates),
        measure([less("click_to_job_ms", "ms")], 5).of_servers(first_light::click_to_job),
        measure([less("first_load_kb", "KB")], 1).of_servers(first_light::first_load),
        measure([less("idle_rss_mb", "MB")], 5).of_servers(first_light::idle_rss),
    ]
}

fn workflow() -> Vec<Measure> {
    let scheduler = [
        more("nodes_per_s", "nodes/s"),
        less("node_bytes", "B"),
        more("bare_nodes_per_s", "nodes/s"),
        more("nodes_over_bare", "ratio"),
    ];
    vec![
        measure([less("plan_100k_s", "s"), less("plan_100k_mb", "MB")], 5).of_programs(workflow::plans),
        measure([less("layout_2k_ms", "ms"), less("layout_100k_ms", "ms")], 5)
            .of_this_code(workflow::layouts),
        measure(scheduler, 5).of_programs(workflow::schedules),
        measure([less("dag_10k_s", "s")], 5).of_servers(workflow::dag),
        measure([less("pool_1m_mb", "MB")], 3).of_servers(workflow::pool),
    ]
}

fn queue() -> Vec<Measure> {
    let sqlite = [
        more("sqlite_jobs_per_s", "jobs/s"),
        less("cpu_ms_per_job", "ms"),
        more("sqlite_floor", "jobs/s"),
        more("sqlite_over_floor", "ratio"),
    ];
    let mariadb = [
        more("mariadb_jobs_per_s", "jobs/s"),
        more("mariadb_floor", "jobs/s"),
        more("mariadb_over_floor", "ratio"),
    ];
    let migrations = ["migrate_1m_s", "migrate_1m_mariadb_s"].map(|name| less(name, "s"));
    let claims =
        ["claim_100k_ratio", "claim_1m_ratio", "claim_unmatched_ratio", "claim_unmatched_mariadb_ratio"];
    vec![
        measure(sqlite, 5).of_servers(queue::sqlite),
        measure(mariadb, 5).of_servers(queue::mariadb),
        measure([less("dispatch_p50_ms", "ms"), less("dispatch_p99_ms", "ms")], 5)
            .of_servers(queue::dispatch),
        measure(claims.map(|name| less(name, "ratio")), 1).of_this_code(claims::ratios),
        measure([less("idle_10k_rss_mb", "MB")], 1).of_servers(queue::idle),
        measure([less("heartbeat_cpu_ms", "ms")], 5).of_servers(renewals::heartbeats),
        measure([less("port_50_runs_ms", "ms")], 5).of_servers(restart::port),
        measure(migrations, 1).of_this_code(migrations::seconds),
    ]
}

fn volunteer() -> Vec<Measure> {
    let tabs = [more("tabs2_first_jobs_per_s", "jobs/s"), more("tabs2_jobs_per_s", "jobs/s")];
    let one = |name: &str, figures| measure([more(name, "jobs/s")], figures).whole_in_turn();
    let ratio = |name: &str, figures| measure([more(name, "ratio")], figures);
    vec![
        ratio("js_ratio", 7).of_servers(bare::js),
        ratio("flops_ratio", 7).of_servers(bare::flops),
        ratio("wasm_ratio", 7).of_servers(bare::wasm),
        measure(tabs, 5).whole_in_turn().of_servers(first_light::tabs),
        one("tabs2_firefox_jobs_per_s", 5).of_servers(first_light::firefox_tabs),
        one("tabs2_async_jobs_per_s", 5).of_servers(first_light::async_tabs),
        one("realm_replaced_jobs_per_s", 5).of_this_server(first_light::replacing_tabs),
        ratio("wgsl_ratio", 5).of_servers(gpu::ratio),
        measure([more("util_20ms_pct", "%")], 5).of_servers(volunteer::utilisation),
        measure([less("duty_error_pct", "%")], 4).of_servers(duty::errors),
        measure([less("roundtrip_10mb_ms", "ms")], 5).of_servers(volunteer::round_trip),
        measure([less("slot_start_ms", "ms")], 15).whole_in_turn().of_servers(volunteer::slot_start),
        measure([less("first_load_kb", "KB")], 1).of_servers(first_light::first_load),
    ]
}

fn access() -> Vec<Measure> {
    let rates = |name: &str, kind| {
        measure([more(name, "jobs/s")], 5)
            .of_servers(move |server, figures| hot_path::rates(server, kind, figures))
    };
    vec![
        rates("hot_path_jobs_per_s", DatabaseKind::Sqlite),
        rates("hot_path_mariadb_jobs_per_s", DatabaseKind::MariaDb),
        measure([less("hot_path_dispatch_p99_ms", "ms")], 5).of_servers(hot_path::dispatch),
        measure([more("flood_ratio", "ratio"), less("known_sign_in_ms", "ms")], 1)
            .of_this_server(hostile::flooded),
        measure([less("open_request_us", "us")], 5).of_servers(gate::open),
        measure([less("gate_token_us", "us"), less("gate_session_us", "us")], 5).of_this_server(gate::proofs),
        measure([less("sign_in_ms", "ms")], 21).of_this_server(sign_in::quiet),
        measure([less("reconnect_10k_s", "s")], 1).of_this_server(over_tls::reconnect),
        measure([less("tls_worker_kb", "KB")], 1).of_this_server(over_tls::idle),
        measure([less("first_load_kb", "KB")], 1).of_servers(first_light::first_load),
    ]
}

fn api() -> Vec<Measure> {
    let of = |suffix: &str, kind| {
        let ms = ["list", "detail", "explain", "graph", "profile"]
            .map(|name| less(format!("{name}_p99{suffix}_ms"), "ms"));
        let kinds = ms.into_iter().chain([less(format!("api_1m_over_1k{suffix}"), "ratio")]);
        Measure::of_kinds(kinds.collect(), 5)
            .of_this_server(move |server, figures| api::times(server, kind, figures))
    };
    vec![of("", DatabaseKind::Sqlite), of("_mariadb", DatabaseKind::MariaDb)]
}

fn console() -> Vec<Measure> {
    let views = ["overview_ms", "run_10k_ms", "run_100k_ms"].map(|name| less(name, "ms"));
    let watched = [
        less("page_10k_cpu_pct", "%"),
        less("page_100k_cpu_pct", "%"),
        less("page_hidden_cpu_pct", "%"),
        less("longest_task_ms", "ms"),
        less("heap_mb", "MB"),
    ];
    vec![
        measure([less("first_view_kb", "KB")], 1).of_servers(console::first_view),
        measure(views, 5).of_servers(console::views),
        measure([less("workers_10k_ms", "ms")], 5).of_this_server(console::many_workers),
        measure(watched, 1).of_servers(console::watched),
        measure([less("readers_200_cpu_pct", "%"), less("readers_200_loss_pct", "%")], 1)
            .of_servers(console::readers),
        measure([less("readers_10k_cpu_pct", "%")], 1).of_this_server(console::readers_of_fleet),
        measure([less("paint_p99_ms", "ms")], 1).of_this_server(console::paint),
        measure([less("heap_10min_mb", "MB"), less("heap_growth_mb", "MB")], 1).of_this_server(console::kept),
        measure([less("check_500_p99_ms", "ms"), less("preview_2000_p99_ms", "ms")], 1)
            .of_this_server(console::checks),
        measure([less("local_add_s", "s")], 5).of_this_server(console::add),
    ]
}

/// The attacks share one server: a peak over all of them is one of the rows.
fn hostile(wanted: &Wanted) -> Vec<Measure> {
    let overall = [less("hostile_rss_mb", "MB"), less("hostile_healthz_p99_ms", "ms")];
    let of = |attack: &str, suffix| more(format!("hostile_{attack}{suffix}_ratio"), "ratio");
    let attacks = ATTACKS.iter().flat_map(|attack| {
        [(1, ""), (100, "_100_places")].map(|(places, suffix)| (attack.name, places, of(attack.name, suffix)))
    });
    let all = overall.iter().any(|kind| wanted.has(kind));
    let attacks: Vec<_> = attacks.filter(|(.., kind)| all || wanted.has(kind)).collect();
    let told: Vec<_> = attacks.iter().map(|(name, places, _)| (*name, *places)).collect();
    let kinds = attacks.into_iter().map(|(.., kind)| kind).chain(overall).collect();
    let mut measures = vec![];
    if !told.is_empty() {
        measures
            .push(Measure::of_kinds(kinds, 1).of_servers(move |server, _| hostile::attacked(server, &told)));
    }
    measures.extend(hostile_alone());
    measures
}

fn hostile_alone() -> Vec<Measure> {
    let read = [less("read_16mb_extra_mb", "MB"), less("read_16mb_others_p99_ms", "ms")];
    let checks = ["check_16mb_numbers_ms", "check_16mb_arrays_ms", "check_16mb_text_ms"];
    let siege = [
        more("siege_jobs", "jobs"),
        less("siege_behind", "jobs"),
        less("siege_lost", "jobs"),
        less("siege_mb", "MB"),
        less("siege_restart_ms", "ms"),
    ];
    let cut = |server: &Path, database| vec![vec![hostile::cut(server, database)]];
    vec![
        measure(read, 5).of_servers(hostile::read),
        measure([less("claim_large_extra_mb", "MB")], 1).of_servers(hostile::claim),
        measure(checks.map(|name| less(name, "ms")), 5).of_this_code(hostile::check),
        measure([less("disconnect_1000_ms", "ms")], 1)
            .of_servers(move |server, _| cut(server, DatabaseKind::Sqlite)),
        measure([less("disconnect_1000_mariadb_ms", "ms")], 1)
            .of_servers(move |server, _| cut(server, DatabaseKind::MariaDb)),
        measure([less("bad_kernel_s", "s"), less("bad_kernel_mb", "MB")], 5)
            .of_this_server(hostile::bad_kernels),
        measure(siege, 1).of_this_server(hostile::siege),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Names of rows in the tables of docs/performance.md under the heading of this bench; an attack's, and those of a cell of
    /// a play, stand for all.
    fn documented(bench: &str) -> BTreeSet<String> {
        let page = include_str!("../../../docs/performance.md");
        let heading = format!("## The rows of `{bench}`\n");
        let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("{heading} is missing"));
        let section = section.split("\n## ").next().unwrap_or_default();
        let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" |").next());
        cells.flat_map(|cell| cell.split('`')).filter(|name| name.contains('_')).map(str::to_owned).collect()
    }

    #[test]
    fn every_row_is_in_the_docs_and_every_row_of_the_docs_is_measured() {
        for (bench, measures) in BENCHES {
            let measures = measures(&Wanted::default());
            let names = measures.iter().flat_map(|measure| &measure.kinds).map(|kind| {
                let attack = kind.name.strip_prefix("hostile_").is_some_and(|name| name.ends_with("_ratio"));
                let played =
                    ["wrong_ppm", "per_job", "honest_resting"].iter().find(|row| kind.name.ends_with(**row));
                match played.filter(|_| bench == "trust") {
                    _ if attack => "hostile_<attack>_ratio".to_owned(),
                    Some(row) => format!("<cell>_{row}"),
                    None => kind.name.clone(),
                }
            });
            assert_eq!(names.collect::<BTreeSet<_>>(), documented(bench), "{bench}");
        }
    }

    #[test]
    fn rows_are_wanted_by_a_part_of_their_names() {
        let kind = more("sqlite_jobs_per_s", "jobs/s");
        for (parts, expected) in
            [(&[][..], true), (&["lite"], true), (&["tabs", "jobs"], true), (&["tabs"], false)]
        {
            let wanted = Wanted(parts.iter().map(ToString::to_string).collect());
            assert_eq!(wanted.has(&kind), expected, "{parts:?}");
        }
    }
}
