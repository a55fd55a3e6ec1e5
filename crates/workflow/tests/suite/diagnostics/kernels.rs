//! Kernels of a bundle: each mistake at its place in the kernel's file, and only where a job could ask for it.

use weevil_model::Diagnostic;

use super::{SOUND, Span, unmark};
use crate::common::{JOB, bundle, listed, problems};

/// Code, the kernel with its mistake marked, words of the message.
pub(crate) const KERNELS: &[(&str, &str, &str)] = &[
    ("W0190", "fn f() { let x = §y§; }", "no definition in scope for identifier: `y`"),
    ("W0190", "@compute §fm§ f() {}", "expected"),
    ("W0191", "§§fn f() {}", "no kernel"),
    ("W0191", "@compute @workgroup_size(512) fn §f§() {}", "a workgroup of 512 x 1 x 1"),
    ("W0196", "§§const x = !array<bool, 2000000000>();", "its check was ended"),
];

fn diagnostics_of(jobtype: &str, kernel: &[u8]) -> Vec<Diagnostic> {
    let document = SOUND.replacen("<job id=\"j\"", &format!("<job id=\"j\" jobtype=\"{jobtype}\""), 1);
    assert_ne!(document, SOUND);
    problems(&bundle(&[
        ("workflow.xml", document.as_bytes()),
        ("Add.js", JOB),
        ("list.json", b"[1]"),
        ("f.wgsl", kernel),
    ]))
}

#[test]
pub(crate) fn a_kernel_is_refused_at_the_place_of_its_mistake() {
    for (id, marked, words) in KERNELS {
        let (span, text) = unmark(marked);
        let found = diagnostics_of("webcl", text.as_bytes());
        let places: Vec<_> = found.iter().map(|d| (d.code, d.file.as_str(), Span::of(d))).collect();
        assert_eq!(places, [(*id, "f.wgsl", span)], "{marked}\n{}", listed(&found));
        assert!(found[0].message.contains(words), "{}", found[0].message);
    }
}

#[test]
fn a_kernel_that_no_job_could_ask_for_is_nobodys_business() {
    assert_eq!(diagnostics_of("javascript", b"fn f() { let x = y; }"), []);
}

#[test]
fn a_kernel_that_is_no_text_is_told_so() {
    let found = diagnostics_of("webcl", b"// \xff");
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["W0138"], "{}", listed(&found));
}
