//! Measures with the bench program of the end-to-end harness, and tells it where and when.
//! It never measures anything itself.

use std::fs;
use std::path::PathBuf;
use std::thread;

use clap::Args;

use crate::baseline::Baseline;
use crate::build::Profile;
use crate::failure::{Done, Failure};
use crate::{baseline, browser, build, examples, paths, setup, sh};

/// Options of `bench`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Which figures: `first-light`, `workflow`, `queue`, `volunteer`, `hostile`, `access`, `api`, `trust` or `console`
    name: String,
    /// Measure in turns with another build, and tell the ratios: a release binary of the server, or a commit, which is
    /// built once and kept below target/baseline
    #[arg(long, value_name = "COMMIT|BINARY")]
    baseline: Option<String>,
    /// How often both are measured, after one round that is thrown away
    #[arg(long, value_name = "COUNT", requires = "baseline", default_value_t = 7)]
    rounds: u32,
    /// Only rows whose names have one of these parts in them, separated by commas
    #[arg(long, value_name = "PART,..", value_delimiter = ',')]
    rows: Vec<String>,
    /// Write machine, commit, date and rows to this file too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw what gangs got believed (`trust --rows gang`) into this file, an SVG
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
}

/// The command `bench`.
pub(crate) fn run(options: &Options) -> Done {
    browser::ensure()?;
    examples::ensure()?;
    let toolchain = setup::for_build()?;
    let baseline = options.baseline.as_deref().map(baseline::find).transpose()?;
    examples::build(toolchain)?;
    build::all(toolchain, Profile::Release, false)?;
    let mut bench = sh::cargo();
    bench.args(["run", "--release", "--package", "weevil-e2e", "--bin", "bench", "--", &options.name]);
    bench.arg("--server-bin").arg(paths::weevil("release"));
    for (option, file) in [("--json", &options.json), ("--figure", &options.figure)] {
        if let Some(file) = file {
            let here = std::env::current_dir().map_err(|error| Failure::file("find", file, &error))?;
            bench.arg(option).arg(here.join(file));
        }
    }
    if let Some(Baseline { server, program, name }) = baseline {
        bench.arg("--baseline").arg(server).args(["--baseline-commit", &name]);
        bench.args(program.iter().flat_map(|program| ["--baseline-program".as_ref(), program.as_os_str()]));
        bench.args(["--rounds", &options.rounds.to_string()]);
    }
    if !options.rows.is_empty() {
        bench.args(["--rows", &options.rows.join(",")]);
    }
    bench.args(["--commit", &commit(), "--date", &date()?, "--machine", &machine()]);
    sh::run(&mut bench, "the message above names the cause; the benches are in tests/")
}

fn commit() -> String {
    let hash = sh::ask(sh::cmd("git").args(["rev-parse", "--short", "HEAD"]));
    hash.map_or_else(|| "none".to_owned(), |hash| hash.trim().to_owned())
}

fn date() -> Done<String> {
    let date = sh::output(sh::cmd("date").args(["-u", "+%Y-%m-%dT%H:%M:%SZ"]), "install coreutils")?;
    Ok(date.trim().to_owned())
}

fn machine() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let model = field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let memory = field(&read("/proc/meminfo"), "MemTotal").and_then(|total| gibibytes(&total)).unwrap_or(0);
    format!("{model}, {cores} cores, {memory} GiB")
}

/// The value of `name: value` in one of the kernel's lists.
fn field(list: &str, name: &str) -> Option<String> {
    let values = list.lines().filter_map(|line| line.split_once(':'));
    values.into_iter().find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_owned())
}

fn gibibytes(kibibytes: &str) -> Option<u64> {
    let count: u64 = kibibytes.split_whitespace().next()?.parse().ok()?;
    Some((count + (1 << 19)) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_lists() {
        let list = "processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n";
        assert_eq!(field(list, "model name").as_deref(), Some("Some CPU @ 2 GHz"));
        assert_eq!(field(list, "flags"), None);
    }

    #[test]
    fn memory_is_rounded_to_gibibytes() {
        assert_eq!(gibibytes("24689500 kB"), Some(24));
        assert_eq!(gibibytes(""), None);
    }
}
