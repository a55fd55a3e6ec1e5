//! What a process holds and has used, as Linux tells it.

use std::collections::HashMap;
use std::iter::successors;

/// A size of `/proc/<pid>/status`, in MB.
pub fn status(pid: u32, field: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux tells");
    let value = |line: &str| Some(line.strip_prefix(field)?.strip_prefix(':')?.to_owned());
    let line = status.lines().find_map(value).expect("a known field");
    let kib: f64 = line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
    kib * 1024.0 / 1e6
}

/// From now on the process's `VmHWM` is its peak since now (proc(5), `clear_refs`).
pub fn forget_peak(pid: u32) {
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").expect("Linux forgets");
}

/// Seconds of processor time that the process has used, in user mode and in the kernel.
pub fn cpu_seconds(pid: u32) -> f64 {
    stat(pid).expect("Linux tells of a process that is there").cpu_seconds
}

/// The same for each process that descends from this one.
pub fn cpu_seconds_below(ancestor: u32) -> HashMap<u32, f64> {
    let entries = std::fs::read_dir("/proc").expect("Linux has it").filter_map(Result::ok);
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: HashMap<u32, Stat> = pids.filter_map(|pid| Some((pid, stat(pid)?))).collect();
    let below = |pid: &u32| {
        successors(all.get(pid), |stat| all.get(&stat.parent)).any(|stat| stat.parent == ancestor)
    };
    all.iter().filter(|(pid, _)| below(pid)).map(|(pid, stat)| (*pid, stat.cpu_seconds)).collect()
}

/// Fields of `stat`, see proc(5).
struct Stat {
    parent: u32,
    cpu_seconds: f64,
}

/// `None` once the process has ended.
fn stat(pid: u32) -> Option<Stat> {
    /// Linux tells in hundredths of a second on every architecture (`USER_HZ`).
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold blanks. After it come fields 3 and on: the parent is 4, the times are 14 and 15.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some(Stat {
        parent: fields.get(1)?.parse().ok()?,
        cpu_seconds: (ticks(14)? + ticks(15)?) / TICKS_PER_SECOND,
    })
}

/// The resident size, in MB.
pub fn resident(pid: u32) -> f64 {
    status(pid, "VmRSS")
}
