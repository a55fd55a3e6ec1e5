//! What a module imports and exports, against what workers provide and call.

use wasmparser::types::{EntityType, TypesRef};
use wasmparser::{FuncType, ValType};

use super::{Call, Mistake};
use crate::findings::quoted;
use crate::javascript::ENTRY;
use crate::limits::MAX_CANDIDATES;

/// The module name of all imports that workers provide,
const PROVIDER: &str = "weevil";
/// with their types.
const PROVIDED: [(&str, &[ValType]); 3] =
    [("progress", &[ValType::F64]), ("flops", &[ValType::F64]), ("log", &[ValType::I32, ValType::I32])];
pub(super) const ALLOC: &str = "alloc";
pub(super) const MEMORY: &str = "memory";

pub(super) struct Interface<'t> {
    types: TypesRef<'t>,
}

impl<'t> Interface<'t> {
    pub(super) const fn of(types: TypesRef<'t>) -> Self {
        Self { types }
    }

    pub(super) fn judge(&self) -> Result<Call, Vec<Mistake>> {
        let mut mistakes: Vec<_> = self.imports().filter_map(|import| self.import(&import)).collect();
        match self.call() {
            Ok(call) if mistakes.is_empty() => return Ok(call),
            Ok(_) => {}
            Err(mistake) => mistakes.push(mistake),
        }
        Err(mistakes)
    }

    pub(super) fn imports(&self) -> impl Iterator<Item = (&'t str, &'t str, EntityType)> {
        self.types.core_imports().into_iter().flatten()
    }

    pub(super) fn export(&self, name: &str) -> Option<EntityType> {
        let mut exports = self.types.core_exports().into_iter().flatten();
        exports.find(|export| export.0 == name).map(|export| export.1)
    }

    pub(super) fn function(&self, entity: EntityType) -> Option<&FuncType> {
        match entity {
            EntityType::Func(id) | EntityType::FuncExact(id) => Some(self.types[id].unwrap_func()),
            _ => None,
        }
    }

    fn import(&self, (module, name, entity): &(&str, &str, EntityType)) -> Option<Mistake> {
        let provided = PROVIDED.iter().find(|provided| *module == PROVIDER && provided.0 == *name);
        let function = self.function(*entity);
        let (found, help) = match (provided, function) {
            (Some((_, parameters)), Some(found))
                if found.params() == *parameters && found.results().is_empty() =>
            {
                return self.log_without_memory(name);
            }
            (Some((_, parameters)), Some(found)) => {
                let help = format!("declare it as {}", signature(parameters, &[]));
                (format!("{} as {}", quoted_import(module, name), shown(found)), help)
            }
            _ => (self.named(&(*module, *name, *entity)), cure(module, name)),
        };
        Some(Mistake::Import { found, help })
    }

    /// An import as messages name it.
    pub(super) fn named(&self, (module, name, entity): &(&str, &str, EntityType)) -> String {
        let what = if self.function(*entity).is_some() { "function" } else { kind(*entity) };
        format!("the {what} {}", quoted_import(module, name))
    }

    fn log_without_memory(&self, name: &str) -> Option<Mistake> {
        let lacks = name == "log" && !matches!(self.export(MEMORY), Some(EntityType::Memory(_)));
        lacks.then(|| Mistake::Export {
            message: format!(
                "it calls `{PROVIDER}.log`, which reads from its memory, but exports no `{MEMORY}`"
            ),
            help: format!("export its memory as `{MEMORY}`"),
        })
    }

    fn call(&self) -> Result<Call, Mistake> {
        let main = self.export(ENTRY).and_then(|entity| self.function(entity));
        let main = main.ok_or_else(|| Mistake::NoMain { functions: self.functions() })?;
        if self.export(ALLOC).is_none() {
            return numbers(main);
        }
        self.values(main)
    }

    fn functions(&self) -> Vec<String> {
        let exports = self.types.core_exports().into_iter().flatten();
        let functions = exports.filter(|export| self.function(export.1).is_some());
        functions.take(MAX_CANDIDATES).map(|export| export.0.to_owned()).collect()
    }

    fn values(&self, main: &FuncType) -> Result<Call, Mistake> {
        let alloc = self.export(ALLOC).and_then(|entity| self.function(entity));
        for (name, found, parameters, result) in [
            (ALLOC, alloc, &[ValType::I32][..], ValType::I32),
            (ENTRY, Some(main), &[ValType::I32, ValType::I32], ValType::I64),
        ] {
            if found.is_none_or(|found| found.params() != parameters || found.results() != [result]) {
                let is = found.map_or_else(|| "no function".to_owned(), shown);
                return Err(Mistake::Export {
                    message: format!("`{name}` is {is}, in a module that exports `{ALLOC}`"),
                    help: format!("make it {}", signature(parameters, &[result])),
                });
            }
        }
        if matches!(self.export(MEMORY), Some(EntityType::Memory(_))) {
            return Ok(Call::Values);
        }
        Err(Mistake::Export {
            message: format!("it exports `{ALLOC}`, but no `{MEMORY}`"),
            help: format!("export its memory as `{MEMORY}`"),
        })
    }
}

fn numbers(main: &FuncType) -> Result<Call, Mistake> {
    let parameters = main.params().iter().map(|parameter| number(*parameter)).collect();
    match (parameters, main.results()) {
        (Some(parameters), []) => Ok(Call::Numbers { parameters, result: None }),
        (Some(parameters), [one]) if number(*one).is_some() => {
            Ok(Call::Numbers { parameters, result: number(*one) })
        }
        _ => Err(Mistake::Export {
            message: format!("`{ENTRY}` is {}", shown(main)),
            help: format!(
                "take i32, i64, f32 and f64 and return one of them or nothing; or export `{ALLOC}` and take any value"
            ),
        }),
    }
}

fn quoted_import(module: &str, name: &str) -> String {
    quoted(&format!("{module}.{name}"))
}

const fn number(of: ValType) -> Option<&'static str> {
    match of {
        ValType::I32 => Some("i32"),
        ValType::I64 => Some("i64"),
        ValType::F32 => Some("f32"),
        ValType::F64 => Some("f64"),
        ValType::V128 | ValType::Ref(_) => None,
    }
}

pub(super) fn shown(function: &FuncType) -> String {
    signature(function.params(), function.results())
}

/// `(i32, f64) -> i64`
pub(super) fn signature(parameters: &[ValType], results: &[ValType]) -> String {
    let list = |types: &[ValType]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match results {
        [one] => format!("({}) -> {one}", list(parameters)),
        results => format!("({}) -> ({})", list(parameters), list(results)),
    }
}

const fn kind(entity: EntityType) -> &'static str {
    match entity {
        EntityType::Memory(_) => "memory",
        EntityType::Table(_) => "table",
        EntityType::Global(_) => "global",
        EntityType::Tag(_) => "tag",
        EntityType::Func(_) | EntityType::FuncExact(_) => "function",
    }
}

fn cure(module: &str, name: &str) -> String {
    let provided: Vec<_> = PROVIDED.iter().map(|provided| format!("{PROVIDER}.{}", provided.0)).collect();
    let provided = format!("workers provide {} and nothing else", provided.join(", "));
    if module.starts_with("wasi") {
        return format!("{provided}; build for wasm32-unknown-unknown, without WASI");
    }
    if name == MEMORY {
        return format!("{provided}; define the memory in the module, and export it");
    }
    provided
}
