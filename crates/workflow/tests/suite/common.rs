//! What the tests of this crate share: bundles from pairs, loading from disk.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use rustix::time::{ClockId, clock_gettime};
use weevil_model::{Diagnostic, KernelMistake, KernelOutline};
use weevil_workflow::{Bundle, Circumstances, Plan, load, load_with};

/// More than any refusal takes in a build without optimisation, less than a bomb would.
const AT_MOST_S: i64 = 10;

/// A job for any number of ports.
pub(crate) const JOB: &[u8] = b"function weevil_main(...inputs) { return inputs[0]; }";

pub(crate) fn bundle(files: &[(&str, &[u8])]) -> Bundle {
    let files: BTreeMap<_, _> =
        files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
    Bundle::new(files).unwrap()
}

/// A bundle of this document and `Add.js`, `FLOPS.js`, `FLOPS_SumReduce.js`, `flop_test_sample_size.json`.
pub(crate) fn figure(document: &str) -> Bundle {
    bundle(&[
        ("workflow.xml", document.as_bytes()),
        ("Add.js", include_bytes!("../../../../workflows/add/Add.js")),
        ("FLOPS.js", include_bytes!("../../../../workflows/flops/FLOPS.js")),
        ("FLOPS_SumReduce.js", include_bytes!("../../../../workflows/flops/FLOPS_SumReduce.js")),
        ("flop_test_sample_size.json", b"[1, 2, 3]"),
    ])
}

pub(crate) fn plan(bundle: &Bundle) -> Plan {
    let loaded = load(bundle).unwrap_or_else(|problems| panic!("{}", listed(&problems)));
    assert_eq!(loaded.warnings, [], "{}", listed(&loaded.warnings));
    loaded.plan
}

thread_local! {
    /// What was checked since somebody began to record.
    static RECORD: RefCell<Option<Vec<Bundle>>> = const { RefCell::new(None) };
}

/// The bundles that `work` has checked with [`problems`].
pub(crate) fn recorded(work: impl FnOnce()) -> Vec<Bundle> {
    RECORD.set(Some(Vec::new()));
    work();
    RECORD.take().unwrap_or_default()
}

pub(crate) fn problems(bundle: &Bundle) -> Vec<Diagnostic> {
    RECORD.with_borrow_mut(|record| {
        if let Some(record) = record {
            record.push(bundle.clone());
        }
    });
    load_with(bundle, Circumstances::of_kernels(&check_kernel))
        .map_or_else(|problems| problems, |loaded| loaded.warnings)
}

/// In this process, without bounds; so what would take too much is known by its text.
fn check_kernel(text: &str) -> Result<KernelOutline, Vec<KernelMistake>> {
    if text.contains("array<bool, 2000000000>") {
        return Err(vec![weevil_kernels::too_costly("it took more than 256 MiB of memory")]);
    }
    weevil_kernels::check_wgsl(text)
}

pub(crate) fn listed(problems: &[Diagnostic]) -> String {
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// What this work gives. It takes no longer than whoever uploads would wait: in time of the processor, which other programs
/// cannot make longer.
pub(crate) fn soon<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = clock_gettime(ClockId::ThreadCPUTime);
    let done = work();
    let took = clock_gettime(ClockId::ThreadCPUTime) - began;
    assert!(took.tv_sec < AT_MOST_S, "{what} took {took:?}");
    done
}

/// The place that a problem names is one of its file: a line that it has, a column up to one after the line's end.
pub(crate) fn assert_within(problem: &Diagnostic, bundle: &Bundle) {
    let (_, bytes) = bundle.files().find(|(path, _)| *path == problem.file).unwrap();
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let line = text.split('\n').nth(problem.line as usize - 1);
    let width = line.map(|line| line.chars().count() + 1);
    let within = width.is_some_and(|width| (1..=width).contains(&(problem.column as usize)));
    assert!(within, "{problem} is outside of\n{text}");
}

/// All files of a folder, by name.
pub(crate) fn from_disk(folder: &Path) -> Bundle {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap())
    });
    Bundle::new(files.collect()).unwrap()
}

/// One text of all items.
pub(crate) fn joined<T>(items: impl IntoIterator<Item = T>, form: impl Fn(T) -> String) -> String {
    items.into_iter().map(form).collect::<Vec<_>>().concat()
}
