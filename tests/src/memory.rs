//! What a process holds, as Linux tells it.

/// A size of `/proc/<pid>/status`, in MB.
pub fn status(pid: u32, field: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("Linux tells");
    let value = |line: &str| Some(line.strip_prefix(field)?.strip_prefix(':')?.to_owned());
    let line = status.lines().find_map(value).expect("a known field");
    let kib: f64 = line.split_whitespace().next().and_then(|word| word.parse().ok()).expect("a number");
    kib * 1024.0 / 1e6
}

/// The resident size, in MB.
pub fn resident(pid: u32) -> f64 {
    status(pid, "VmRSS")
}
