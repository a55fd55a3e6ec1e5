//! What a job needs and what a worker has: the thesis's bit field (5.1, "browser type, WebCL capabilities") and memory.
//!
//! Needs are also one small number, the class, so that waiting jobs can be found by it.

use crate::witness::Engine;

/// What a worker can run. Bits without a name are kept for later.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Capabilities(pub u32);

/// What a job needs, or what a worker has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Needs {
    pub capabilities: Capabilities,
    /// 2^20 bytes; 0 where it does not matter, or where a worker does not tell.
    pub memory_mb: u32,
}

/// Capability bits that a class has room for.
const CLASS_BITS: u32 = 16;
/// The first of the bits that say which engine it is not, one for each; what is below has a name, or may get one.
const ENGINE_BITS: u32 = 12;

impl Capabilities {
    pub const JAVASCRIPT: Self = Self(1);
    pub const WEBCL: Self = Self(2);
    pub const WASM: Self = Self(4);
    /// Stops the clock for a job that asks for it.
    pub const DETERMINISTIC: Self = Self(8);

    /// All that have a name, with it.
    pub const NAMED: [(Self, &'static str); 4] = [
        (Self::JAVASCRIPT, "javascript"),
        (Self::WEBCL, "webcl"),
        (Self::WASM, "wasm"),
        (Self::DETERMINISTIC, "deterministic"),
    ];

    /// Are all of these among its own?
    pub const fn include(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// What every worker has but those of this engine. Nobody can ask for it, or say that they have it: the server does. Its own
    /// engine is no worker's, and has no bit.
    const fn other_than(engine: Engine) -> Self {
        match engine {
            Engine::Server => Self(0),
            engine => Self(1 << (ENGINE_BITS + engine as u32)),
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|named| named.1 == name).map(|named| named.0)
    }

    pub fn names(self) -> Vec<&'static str> {
        Self::NAMED.iter().filter(|named| self.include(named.0)).map(|named| named.1).collect()
    }
}

impl Needs {
    /// What every job of this kind needs at least.
    pub const JAVASCRIPT: Self = Self { capabilities: Capabilities::JAVASCRIPT, memory_mb: 0 };

    /// Does who has this meet what is needed?
    pub const fn meet(self, needed: Self) -> bool {
        self.capabilities.include(needed.capabilities) && self.memory_mb >= needed.memory_mb
    }

    /// What a worker has whose code this engine runs, whatever it says of engines itself.
    #[must_use]
    pub fn run_by(self, engine: Engine) -> Self {
        let told = Capabilities(self.capabilities.0 & ((1 << ENGINE_BITS) - 1));
        let others = Engine::ALL.into_iter().filter(|other| *other != engine);
        let capabilities = others.map(Capabilities::other_than).fold(told, Capabilities::and);
        Self { capabilities, ..self }
    }

    /// The same, and that this engine does not run it.
    #[must_use]
    pub const fn without(self, engine: Engine) -> Self {
        Self { capabilities: self.capabilities.and(Capabilities::other_than(engine)), ..self }
    }

    /// The same, and that only this engine runs it, whatever was said of engines before; `None` lets all of them.
    #[must_use]
    pub fn only_by(self, engine: Option<Engine>) -> Self {
        let named = Capabilities(self.capabilities.0 & ((1 << ENGINE_BITS) - 1));
        let others = Engine::ALL.into_iter().filter(|other| engine.is_some_and(|engine| engine != *other));
        others.fold(Self { capabilities: named, ..self }, Self::without)
    }

    /// Does this engine not run it?
    pub const fn is_without(self, engine: Engine) -> bool {
        let bit = Capabilities::other_than(engine);
        bit.0 != 0 && self.capabilities.include(bit)
    }

    /// Equal for needs that are treated alike: memory counts in powers of two, rounded up.
    pub const fn class(self) -> i64 {
        let bits = self.capabilities.0 & ((1 << CLASS_BITS) - 1);
        let step = if self.memory_mb == 0 { 0 } else { 1 + ceil_log2(self.memory_mb) };
        bits as i64 | (step as i64) << CLASS_BITS
    }

    /// The needs that a class stands for; `None` for a number that is not a class.
    pub fn of_class(class: i64) -> Option<Self> {
        let bits = u32::try_from(class & ((1 << CLASS_BITS) - 1)).ok()?;
        let step = u32::try_from(class >> CLASS_BITS).ok()?;
        let memory_mb = if step == 0 { 0 } else { 1_u32.checked_shl(step - 1)? };
        Some(Self { capabilities: Capabilities(bits), memory_mb })
    }
}

/// The largest memory that rounds up within 32 bits, 2^20 bytes.
pub const MAX_MEMORY_MB: u32 = 1 << 31;

const fn ceil_log2(number: u32) -> u32 {
    u32::BITS - (number - 1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_met_by_all_capabilities_and_enough_memory() {
        let needs = |bits, memory_mb| Needs { capabilities: Capabilities(bits), memory_mb };
        for (has, needed, met) in [
            (needs(1, 0), needs(1, 0), true),
            (needs(7, 512), needs(5, 512), true),
            (needs(1, 0), needs(3, 0), false),
            (needs(7, 511), needs(1, 512), false),
            (needs(7, 0), needs(0, 1), false),
            (needs(0, 0), needs(0, 0), true),
        ] {
            assert_eq!(has.meet(needed), met, "{has:?} {needed:?}");
        }
    }

    #[test]
    fn a_class_stands_for_needs_rounded_up() {
        for (bits, memory_mb, rounded) in
            [(1, 0, 0), (7, 1, 1), (1, 3, 4), (2, 512, 512), (0xffff, 513, 1024), (1, MAX_MEMORY_MB, 1 << 31)]
        {
            let class = Needs { capabilities: Capabilities(bits), memory_mb }.class();
            let expected = Needs { capabilities: Capabilities(bits), memory_mb: rounded };
            assert_eq!(Needs::of_class(class), Some(expected), "{bits} {memory_mb}");
        }
        for wrong in [-1, i64::MAX, 40 << CLASS_BITS] {
            assert_eq!(Needs::of_class(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_an_engine_is_not_to_run_the_others_do() {
        let job = Needs { capabilities: Capabilities::WASM, memory_mb: 512 };
        for engine in Engine::ALL {
            let says = Needs { capabilities: Capabilities(u32::MAX), memory_mb: 512 };
            let worker = says.run_by(engine);
            assert!(worker.meet(job), "{engine:?} runs what no engine is left out of");
            for left_out in Engine::ALL {
                let needed = job.without(left_out);
                assert_eq!(worker.meet(needed), engine != left_out, "{engine:?} {left_out:?}");
                assert_eq!(needed.is_without(engine), engine == left_out, "{engine:?} {left_out:?}");
                assert_eq!(Needs::of_class(needed.class()), Some(needed), "it is part of the class");
                assert_eq!(needed.capabilities.names(), ["wasm"], "it has no name");
            }
        }
        assert_eq!(job.without(Engine::Server), job, "the server is left out otherwise");
        assert!(!job.is_without(Engine::Server));
    }

    #[test]
    fn what_one_engine_alone_is_to_run_the_others_do_not() {
        let job = Needs { capabilities: Capabilities::WASM, memory_mb: 512 };
        for only in Engine::ALL {
            let needed = job.without(Engine::Gecko).only_by(Some(only));
            for engine in Engine::ALL {
                assert_eq!(job.run_by(engine).meet(needed), engine == only, "{only:?} {engine:?}");
            }
            assert_eq!(needed.only_by(None), job);
        }
    }

    #[test]
    fn names_are_read_back() {
        for (capabilities, name) in Capabilities::NAMED {
            assert_eq!(Capabilities::parse(name), Some(capabilities));
            assert_eq!(capabilities.names(), [name]);
        }
        assert_eq!(Capabilities::parse("Javascript"), None);
    }
}
