//! What a process holds, as Linux tells it.

/// A size of `/proc/<pid>/status`, in MB.
pub fn status(pid: u32, field: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux tells");
    let value = |line: &str| Some(line.strip_prefix(field)?.strip_prefix(':')?.to_owned());
    let line = status.lines().find_map(value).expect("a known field");
    let kib: f64 = line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
    kib * 1024.0 / 1e6
}

/// Seconds of processor time that the process has used, in user mode and in the kernel (proc(5), `stat`).
pub fn cpu_seconds(pid: u32) -> f64 {
    /// Linux tells in hundredths of a second on every architecture (`USER_HZ`).
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("Linux tells");
    // The name in parentheses may hold blanks; the time is in fields 14 and 15, of which the third comes first here.
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    let ticks = fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<f64>().expect("ticks"));
    ticks.sum::<f64>() / TICKS_PER_SECOND
}

/// The resident size, in MB.
pub fn resident(pid: u32) -> f64 {
    status(pid, "VmRSS")
}
