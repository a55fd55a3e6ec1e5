//! Any bytes as the code of a job: read, refused or run unchecked. Never a crash, never without an end.
//!
//! The parser recurses and strangers choose the depth, so each input is read with the smallest stack there is.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use weevil_workflow::{Bundle, load};

const DOCUMENT: &[u8] = br#"<workflow><nodes><value id="v" value="1" returntype="Number"/>
<job id="j" src="Code" returntype="Number"><parameters><parameter id="a" paramtype="Number"/></parameters></job></nodes>
<edges><edge id="e" source="v" dest="j"/></edges><finalnode id="j"/></workflow>"#;

/// What a thread has on the systems that give the least.
const STACK_BYTES: usize = 1024 * 1024;

fuzz_target!(|code: &[u8]| {
    let files = [("workflow.xml", DOCUMENT), ("Code.js", code)];
    let files: BTreeMap<_, _> = files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).into();
    let Ok(bundle) = Bundle::new(files) else { return };
    let reading = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || load(&bundle).is_ok());
    reading.expect("a thread").join().expect("no panic");
});
