//! Workflows for tests: the shipped ones from disk, small ones from code.

use std::ffi::OsStr;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::api::Files;

const ENDINGS: [&str; 5] = ["xml", "json", "js", "wasm", "wgsl"];

/// Files from texts.
pub fn files(texts: &[(&str, &str)]) -> Files {
    texts.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

/// A workflow of the folder `workflows`, without its README.
pub fn shipped(name: &str) -> Files {
    workflow_in(&format!("../workflows/{name}"))
}

/// The XML, JSON, scripts, modules and kernels of a folder, named from here.
pub fn workflow_in(folder: &str) -> Files {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.extension().and_then(OsStr::to_str).is_some_and(|ending| ENDINGS.contains(&ending))
        })
        .map(|path| {
            let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
            (name, std::fs::read(&path).expect("a readable file"))
        })
        .collect()
}

/// One job without ports, with this code and these further attributes.
pub fn job_workflow(code: &str, attributes: &str) -> Files {
    let document = format!(
        r#"<workflow><nodes><job id="only" src="Code" returntype="Number" {attributes}/></nodes>
        <edges/><finalnode id="only"/></workflow>"#
    );
    files(&[("workflow.xml", &document), ("Code.js", code)])
}

/// A pool over `input` (JSON of an array) with this processor, of a port `n`, and this reducer, of a port `all`.
pub fn pool_workflow(input: &str, processor: &str, reducer: &str) -> Files {
    let document = r#"<workflow><nodes>
        <value id="input" src="input" returntype="Array"/>
        <pool id="pool" returntype="Number"><parameters><parameter id="all" paramtype="Array"/></parameters>
            <processor id="each" src="Each" returntype="Number">
                <parameters><parameter id="n" paramtype="Number"/></parameters></processor>
            <reducer id="sum" src="Sum" returntype="Number">
                <parameters><parameter id="all" paramtype="Array"/></parameters></reducer>
        </pool></nodes>
        <edges><edge id="e" source="input" dest="pool"/></edges><finalnode id="pool"/></workflow>"#;
    files(&[("workflow.xml", document), ("input.json", input), ("Each.js", processor), ("Sum.js", reducer)])
}

/// The files in a zip, below `folder` (with its `/`, or empty).
pub fn zipped(folder: &str, files: &Files) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        zip.start_file(format!("{folder}{path}"), SimpleFileOptions::default()).expect("a zip takes files");
        zip.write_all(bytes).expect("a zip takes bytes");
    }
    zip.finish().expect("a zip ends").into_inner()
}
