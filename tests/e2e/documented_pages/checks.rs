//! Blocks that are no commands: each is given to what reads such a text for real.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;
use weevil_e2e::{Block, default_binary};

use super::scripts::{CLANG, program};

/// Problems that a part of a document has for its being a part: what it names stands elsewhere.
const ELSEWHERE: [&str; 13] = [
    "W0113", "W0136", "W0140", "W0142", "W0150", "W0151", "W0157", "W0160", "W0162", "W0171", "W0180",
    "W0193", "W0209",
];

/// What is wrong with a block.
pub(super) fn check(page: &str, block: &Block) -> Result<(), String> {
    match &*block.language {
        "xml" => document(&block.text),
        "js" => accepted(page, block, "js", |file| command("node", &["--check", file])),
        "c" => accepted(page, block, "c", |file| {
            command(program(CLANG), &["--target=wasm32", "-fsyntax-only", "-Wall", "-Werror", file])
        }),
        // What rustc writes takes the place of what was there: a device among the files would be gone.
        "rust" => accepted(page, block, "rs", |file| {
            let out = format!("{file}.rmeta");
            command("rustc", &["--edition=2024", "--crate-type=lib", "--emit=metadata", "-o", &out, file])
        }),
        "wgsl" => kernel(&block.text),
        "toml" if block.text.contains("[servers.") => servers(&block.text),
        "toml" => accepted(page, block, "toml", |file| {
            let mut weevil = Command::new(default_binary());
            weevil.args(["serve", "--print-config", "--config", file]);
            weevil
        }),
        "http" => Err("tests/e2e/documented.rs asks the examples of docs/protocol.md alone".into()),
        _ => Ok(()),
    }
}

fn command(program: impl AsRef<OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args);
    command
}

/// Whether a program takes the block, as a file.
fn accepted(page: &str, block: &Block, ending: &str, by: impl Fn(&str) -> Command) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("block.{ending}"));
    fs::write(&file, &block.text).expect("a file");
    let mut program = by(&file.to_string_lossy());
    let said = program.output().unwrap_or_else(|error| panic!("{page}: {program:?}: {error}"));
    if said.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said.stderr).into_owned()) }
}

/// A `client.toml` is read before anybody is asked; the server that it names is nowhere.
fn servers(text: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("weevil")).expect("a folder");
    let file = folder.path().join("weevil/client.toml");
    fs::write(&file, text).expect("a file");
    // It holds a token: one that others can read is refused.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("its owner");
    let mut weevil = Command::new(default_binary());
    weevil.env("XDG_CONFIG_HOME", folder.path()).env_remove("WEEVIL_SERVER").args(["token", "local"]);
    let said = weevil.output().expect("the binary");
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    if said.contains("has left a token for") { Ok(()) } else { Err(said) }
}

fn kernel(text: &str) -> Result<(), String> {
    match weevil_kernels::check_wgsl(text) {
        Ok(_) => Ok(()),
        Err(mistakes) => Err(format!("{mistakes:?}")),
    }
}

/// A document, or a part of one in a document of its own.
fn document(text: &str) -> Result<(), String> {
    let text = text.trim();
    let nodes = |nodes: &str| format!("<workflow><nodes>{nodes}</nodes><finalnode id=\"x\"/></workflow>");
    let whole = if text.contains("</workflow>") {
        text.to_owned()
    } else if text.starts_with("<processor") {
        let pool = |inside: &str| {
            nodes(&format!(
                "<pool id=\"x\" returntype=\"Array\">{inside}<reducer id=\"y\" src=\"y\" returntype=\"Array\"/></pool>"
            ))
        };
        if text.ends_with("/>") || text.contains("</processor>") {
            pool(text)
        } else {
            pool(&format!("{text}</processor>"))
        }
    } else if text.contains("<workflow") {
        format!("{text}<nodes/><finalnode id=\"x\"/></workflow>")
    } else {
        nodes(text)
    };
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("workflow.xml"), whole).expect("a file");
    let mut weevil = Command::new(default_binary());
    let said = weevil.args(["check", "--format", "json"]).arg(folder.path()).output().expect("the binary");
    let said: Value = serde_json::from_slice(&said.stdout).map_err(|error| error.to_string())?;
    let problems = said["diagnostics"].as_array().ok_or("no diagnostics")?;
    let is_own = |problem: &&Value| problem["code"].as_str().is_none_or(|code| !ELSEWHERE.contains(&code));
    let own: Vec<String> = problems.iter().filter(is_own).map(ToString::to_string).collect();
    if own.is_empty() { Ok(()) } else { Err(own.join("; ")) }
}
