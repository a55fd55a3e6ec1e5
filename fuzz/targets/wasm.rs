//! Any bytes as the module of a job: sound or refused. Never a crash, never without an end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_workflow::check_module;

fuzz_target!(|module: &[u8]| {
    let _sound_or_refused = check_module("Code.wasm", module);
});
