//! What the server computes itself: checks of modules that take little time, as if it were one more worker, whom everybody trusts.
//!
//! Says which jobs may be its; how much of a core it may take, the engine sees to.

use weevil_model::witness::Engine;
use weevil_model::{Capabilities, Needs, WorkerId};

use super::lane::Lane;
use crate::batch::Appetite;

/// The server as a worker.
pub const SERVER: WorkerId = WorkerId::SERVER;
/// How long the answer that is to be checked may have taken, microseconds.
pub const MAX_COMPUTE_US: i64 = 200_000;
/// What a module may need, 2^20 bytes.
const MEMORY_MB: u32 = 256;

/// What it would take of these jobs.
pub fn appetite(wants: u32) -> Appetite {
    let capabilities = Capabilities::WASM.and(Capabilities::DETERMINISTIC);
    let has = Needs { capabilities, memory_mb: MEMORY_MB }.run_by(Engine::Server);
    Appetite { worker: SERVER, wants, has }
}

/// May a job with these needs, which waits in this line, be computed here? What one engine alone is to run is not.
pub fn may_compute(lane: Lane, needs: Needs) -> bool {
    let left_out = Engine::ALL.into_iter().filter(|engine| needs.is_without(*engine)).count();
    let is_module = needs.capabilities.include(Capabilities::WASM);
    lane.is_check() && is_module && appetite(1).has.meet(needs) && left_out + 1 < Engine::ALL.len()
}

#[cfg(test)]
mod tests {
    use weevil_model::witness::Witness;

    use super::super::lane::Copy;
    use super::*;

    #[test]
    fn the_server_checks_modules_that_several_engines_may_run() {
        let first = Witness { device: Some(1), network: None, engine: Engine::Gecko };
        let module = Needs { capabilities: Capabilities::WASM, memory_mb: 0 };
        let needs = |capabilities: Capabilities, memory_mb| Needs { capabilities, memory_mb };
        let check = Lane::of_copies(&first, Copy::Check);
        for (lane, needs, may) in [
            (check, module, true),
            (check, needs(Capabilities::WASM.and(Capabilities::DETERMINISTIC), 256), true),
            (check, needs(Capabilities::WASM, 257), false),
            (check, Needs::JAVASCRIPT, false),
            (check, needs(Capabilities::WASM.and(Capabilities::JAVASCRIPT), 0), false),
            (check, needs(Capabilities::WASM.and(Capabilities::WEBCL), 0), false),
            (check, module.without(Engine::Gecko).without(Engine::Other), true),
            (check, module.only_by(Some(Engine::Gecko)), false),
            (Lane::FIRST, module, false),
            (Lane::of_copies(&first, Copy::Vote), module, false),
            (Lane::of_copies(&first, Copy::Anew), module, false),
        ] {
            assert_eq!(may_compute(lane, needs), may, "{lane:?} {needs:?}");
        }
    }
}
