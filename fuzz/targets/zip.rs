//! Any bytes as an uploaded zip, and what it holds as a workflow. Never a crash, never more memory than the limits.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_workflow::{Bundle, load};

fuzz_target!(|archive: &[u8]| {
    if let Ok(bundle) = Bundle::from_zip(archive) {
        let _plan_or_problems = load(&bundle);
    }
});
