//! One instance of a module, and its memory: what goes in by `alloc`, what is read out.
//!
//! Lives for one call. Never knows what the bytes mean.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wasmi::{
    Caller, Error, Extern, Instance, Linker, Memory, Module, Store, TypedFunc, Val, WasmParams, WasmResults,
};

use crate::bounds::{Bounds, Limiter};
use crate::engine::COPIED_BYTES;
use crate::errors::{Stopped, Why, why};
use crate::module::{ALLOC, MEMORY, PROVIDER};

pub(crate) struct Running {
    store: Store<Host>,
    instance: Instance,
    bounds: Bounds,
}

/// What the engine asks while the module runs.
struct Host {
    limiter: Limiter,
    /// Not yet while a `start` function runs.
    has_started: bool,
}

impl Running {
    /// An instance whose `start` function has run. The fuel is what is left for it and for all calls.
    pub(crate) fn start(module: &Module, fuel: u64, bounds: &Bounds) -> Result<Self, Why> {
        let host = Host { limiter: Limiter::new(bounds), has_started: false };
        let mut store = Store::new(module.engine(), host);
        store.limiter(|host| &mut host.limiter);
        let started =
            store.set_fuel(fuel).and_then(|()| provide(&store)?.instantiate_and_start(&mut store, module));
        let instance = started.map_err(|error| why(&error, bounds, &store.data().limiter))?;
        store.data_mut().has_started = true;
        let mut running = Self { store, instance, bounds: *bounds };
        running.pay_for_its_size()?;
        Ok(running)
    }

    /// The engine takes no fuel for the memory and the tables that a module begins with.
    fn pay_for_its_size(&mut self) -> Result<(), Why> {
        let fuel = self.store.data().limiter.granted() as u64 / u64::from(COPIED_BYTES);
        let left = self.store.get_fuel().map_err(|error| self.why(&error))?;
        let left = left.checked_sub(fuel).ok_or(Why::OutOfFuel(self.bounds.fuel))?;
        self.store.set_fuel(left).map_err(|error| self.why(&error))
    }

    /// Calls an exported function of this type.
    pub(crate) fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &str,
        parameters: P,
    ) -> Result<R, Why> {
        let function: Result<TypedFunc<P, R>, Error> = self.instance.get_typed_func(&self.store, name);
        let called = function.and_then(|function| function.call(&mut self.store, parameters));
        called.map_err(|error| self.why(&error))
    }

    /// Calls an exported function of a type that is known to the caller alone.
    pub(crate) fn call_any(&mut self, name: &str, inputs: &[Val], results: &mut [Val]) -> Result<(), Why> {
        let function = self.instance.get_func(&self.store, name);
        let function = function.ok_or_else(|| Why::Engine(format!("it lost `{name}`")))?;
        function.call(&mut self.store, inputs, results).map_err(|error| self.why(&error))
    }

    /// Has the module make room for these bytes, and writes them there. Answers address and length.
    pub(crate) fn place(&mut self, bytes: &[u8]) -> Result<(i32, i32), Why> {
        let length = u32::try_from(bytes.len()).map_err(|_| Why::NoRoom(bytes.len()))?;
        let at: i32 = self.call(ALLOC, length.cast_signed())?;
        if at == 0 {
            return Err(Why::NoRoom(bytes.len()));
        }
        self.within(ALLOC, at.cast_unsigned(), length)?.copy_from_slice(bytes);
        Ok((at, length.cast_signed()))
    }

    /// Bytes of the memory as it is now.
    pub(crate) fn within(&mut self, who: &'static str, at: u32, length: u32) -> Result<&mut [u8], Why> {
        let memory = self.memory().map_or(&mut [][..], |memory| memory.data_mut(&mut self.store));
        let found = memory.len();
        let part = span(at, length).and_then(|span| memory.get_mut(span));
        part.ok_or(Why::OutsideMemory { who, at, length, memory: found })
    }

    fn memory(&self) -> Option<Memory> {
        self.instance.get_memory(&self.store, MEMORY)
    }

    fn why(&self, error: &Error) -> Why {
        why(error, &self.bounds, &self.store.data().limiter)
    }
}

fn span(at: u32, length: u32) -> Option<std::ops::Range<usize>> {
    let (at, length) = (usize::try_from(at).ok()?, usize::try_from(length).ok()?);
    Some(at..at.checked_add(length)?)
}

/// The three imports, which do nothing here.
fn provide(store: &Store<Host>) -> Result<Linker<Host>, Error> {
    let mut linker = Linker::new(store.engine());
    linker.func_wrap(PROVIDER, "progress", |_: f64| {})?;
    linker.func_wrap(PROVIDER, "flops", |_: f64| {})?;
    linker.func_wrap(PROVIDER, "log", log)?;
    Ok(linker)
}

/// A line is not kept, but one outside of the memory ends the job as it does in a browser.
#[expect(clippy::needless_pass_by_value, reason = "the engine hands it over")]
fn log(caller: Caller<'_, Host>, at: i32, length: i32) -> Result<(), Error> {
    let memory =
        caller.get_export(MEMORY).and_then(Extern::into_memory).filter(|_| caller.data().has_started);
    let Some(memory) = memory else { return Ok(()) };
    let (at, length, memory) = (at.cast_unsigned(), length.cast_unsigned(), memory.data_size(&caller));
    match span(at, length) {
        Some(span) if span.end <= memory => Ok(()),
        _ => Err(Error::host(Stopped(Why::OutsideMemory { who: "weevil.log", at, length, memory }))),
    }
}

/// What comes of the work, even where the engine panics: its faults are nobody's answer, and must not end the server's actor.
/// All that the work has made is dropped.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Why>) -> Result<T, Why> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Why::Engine("it panicked".to_owned())))
}
