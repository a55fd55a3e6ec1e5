//! What kernels cost whose constants are made to cost: `weevil check` and the child in which it has them looked at.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use weevil_e2e::{cpu_seconds_below, files, job_workflow};

use crate::measure::Figures;

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Seconds and megabytes. A server from before would take all memory.
pub(crate) fn bad_kernels(binary: &Path, figures: usize) -> Vec<Figures> {
    let each = (0..figures).flat_map(|_| costly().map(|line| check(binary, &line)));
    let (seconds, megabytes) = each.unzip();
    vec![seconds, megabytes]
}

/// Two thousand million booleans, and thirty doublings.
fn costly() -> [String; 2] {
    let doubled: Vec<_> = (1..28).map(|n| format!("const a{n} = array(a{}, a{});", n - 1, n - 1)).collect();
    let doubled = doubled.concat();
    [
        "const x = !array<bool, 2000000000>();".into(),
        format!("const a0 = array(1f, 1f);{doubled}const x = -a27;"),
    ]
}

/// Seconds until it is refused, and what the child had at most, as often as it was looked at.
fn check(binary: &Path, line: &str) -> (f64, f64) {
    let folder = TempDir::new().expect("a temporary folder can be made");
    let kernel = format!("{line}\n@compute @workgroup_size(1) fn f() {{}}\n");
    let code = "function weevil_main() { return 1 }";
    let workflow = [job_workflow(code, "jobtype=\"webcl\""), files(&[("f.wgsl", &kernel)])].concat();
    for (path, bytes) in workflow {
        std::fs::write(folder.path().join(path), bytes).expect("a file can be written");
    }
    let began = Instant::now();
    let mut child =
        Command::new(binary).arg("check").arg(folder.path()).stdout(Stdio::null()).spawn().expect("it runs");
    let mut peaks = HashMap::new();
    while child.try_wait().expect("it is a child").is_none() {
        for pid in cpu_seconds_below(child.id()).into_keys() {
            let peak: &mut f64 = peaks.entry(pid).or_default();
            *peak = peak.max(resident(pid));
        }
        thread::sleep(LOOK_EVERY);
    }
    (began.elapsed().as_secs_f64(), peaks.into_values().fold(0.0, f64::max))
}

/// 0 once it has ended.
fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kib: f64 = line.trim().split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
    kib * 1024.0 / 1e6
}
