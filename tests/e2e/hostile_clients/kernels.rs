//! Kernels whose constants cost more than any server has: refused in words, by a child that is bounded, while the server
//! itself takes nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use weevil_e2e::{Files, TestServer, default_binary, files, job_workflow, status};

/// What the server may grow by, in MB: a file of a few lines is read.
const MAX_GROWTH_MB: f64 = 20.0;

/// A kernel by its costly line, beside a job that could ask for it.
fn costly(line: &str) -> Files {
    let kernel = format!("{line}\n@compute @workgroup_size(1) fn f() {{}}\n");
    let mut upload = job_workflow("function weevil_main() { return 1 }", r#"jobtype="webcl""#);
    upload.extend(files(&[("f.wgsl", &kernel)]));
    upload
}

/// What each takes too much of, and its line.
fn rows() -> [(&'static str, String); 2] {
    let doubled: Vec<String> = (0..27).map(|n| format!("const a{} = array(a{n}, a{n});", n + 1)).collect();
    [
        ("memory", "const x = !array<bool, 2000000000>();".to_owned()),
        ("time", format!("const a0 = array(1f, 1f);{}const x = -a27;", doubled.concat())),
    ]
}

#[test]
fn a_costly_kernel_is_refused_and_the_server_takes_nothing() {
    let server = TestServer::start(&[]);
    let sound = job_workflow("function weevil_main() { return 1 }", "");
    server.api().run(&sound);
    let before = status(server.pid(), "VmHWM");
    for (what, line) in rows() {
        let (status, refusal) = server.api().refused(&costly(&line), &[]);
        assert_eq!((status, refusal.code.as_str()), (422, "badWorkflow"), "{what}");
        let found: Vec<_> =
            refusal.diagnostics.iter().map(|d| (d.code.as_str(), d.file.as_str(), d.line)).collect();
        assert_eq!(found, [("W0196", "f.wgsl", 1)], "{what}: {:?}", refusal.diagnostics);
        server.api().run(&sound);
    }
    let grown = status(server.pid(), "VmHWM") - before;
    assert!(grown < MAX_GROWTH_MB, "{grown} MB");
}

fn check(folder: &Path) -> (Option<i32>, String) {
    let output = Command::new(default_binary()).arg("check").arg(folder).output().expect("the binary runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_costly_kernel_is_a_mistake_on_the_command_line() {
    for (what, line) in rows() {
        let folder = TempDir::new().expect("a folder");
        for (path, bytes) in costly(&line) {
            std::fs::write(folder.path().join(path), bytes).expect("a file can be written");
        }
        let (code, told) = check(folder.path());
        assert_eq!(code, Some(1), "{what}: {told}");
        assert!(told.contains("f.wgsl:1:1: error[W0196]") && told.contains("1 error\n"), "{what}: {told}");
    }
}

#[test]
fn shipped_kernels_are_sound_as_ever() {
    let shipped = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../workflows");
    let folders = std::fs::read_dir(shipped).expect("a folder").map(|entry| entry.expect("an entry").path());
    let kernels = |folder: &PathBuf| {
        let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.any(|file| file.path().extension().is_some_and(|ending| ending == "wgsl"))
    };
    let folders: Vec<_> = folders.filter(kernels).collect();
    assert!(!folders.is_empty());
    for folder in folders {
        assert_eq!(check(&folder), (Some(0), "no problems\n".to_owned()), "{}", folder.display());
    }
}
