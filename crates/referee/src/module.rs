//! What a module imports and exports, against docs/wasm-abi.md and against what a comparator or a proof has to be.
//!
//! Reads types alone and never runs anything. Each mistake says its cure.

use wasmi::{ExternType, FuncType, Module, ValType};

use crate::errors::Mistake;

pub(crate) const MAIN: &str = "weevil_main";
pub(crate) const ALLOC: &str = "alloc";
pub(crate) const MEMORY: &str = "memory";
/// The module name of all that a job's module imports.
pub(crate) const PROVIDER: &str = "weevil";

use ValType::{F32, F64, I32, I64};

/// What is provided under that name.
const PROVIDED: [(&str, &[ValType]); 3] = [("progress", &[F64]), ("flops", &[F64]), ("log", &[I32, I32])];

/// How a job's module is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    Numbers { parameters: Vec<ValType>, result: Option<ValType> },
    Values,
}

/// How to call a job's module; the first mistake where it cannot be.
pub(crate) fn job(module: &Module) -> Result<Call, Mistake> {
    for import in module.imports() {
        is_provided(import.module(), import.name(), import.ty())?;
    }
    let main = function(module, MAIN).ok_or_else(|| Mistake {
        message: format!("it exports no function `{MAIN}`"),
        help: "export the function that computes the job under that name".to_owned(),
    })?;
    if module.get_export(ALLOC).is_none() {
        return numbers(&main);
    }
    let mistakes =
        [signature(module, ALLOC, &[I32], I32), signature(module, MAIN, &[I32, I32], I64), memory(module)];
    mistakes.into_iter().flatten().next().map_or(Ok(Call::Values), Err)
}

/// All that hinders a module which is asked about two values.
pub(crate) fn pair(module: &Module, entry: &str) -> Vec<Mistake> {
    let imports = module.imports().map(|import| Mistake {
        message: format!("it imports `{}.{}`", import.module(), import.name()),
        help: "such a module imports nothing: two values go in, a number comes out".to_owned(),
    });
    let exports =
        [signature(module, entry, &[I32; 4], I32), signature(module, ALLOC, &[I32], I32), memory(module)];
    imports.chain(exports.into_iter().flatten()).collect()
}

fn function(module: &Module, name: &str) -> Option<FuncType> {
    match module.get_export(name)? {
        ExternType::Func(function) => Some(function),
        _ => None,
    }
}

fn is_provided(module: &str, name: &str, found: &ExternType) -> Result<(), Mistake> {
    let provided = PROVIDED.iter().find(|provided| module == PROVIDER && provided.0 == name);
    match (provided, found) {
        (Some((_, parameters)), ExternType::Func(function))
            if function.params() == *parameters && function.results().is_empty() =>
        {
            Ok(())
        }
        _ => Err(Mistake {
            message: format!("it imports `{module}.{name}`"),
            help: "workers provide weevil.progress (f64), weevil.flops (f64), weevil.log (i32, i32) and nothing else"
                .to_owned(),
        }),
    }
}

fn numbers(main: &FuncType) -> Result<Call, Mistake> {
    let is_number = |of: &ValType| matches!(of, I32 | I64 | F32 | F64);
    if main.params().iter().chain(main.results()).all(is_number) && main.results().len() <= 1 {
        let result = main.results().first().copied();
        return Ok(Call::Numbers { parameters: main.params().to_vec(), result });
    }
    Err(Mistake {
        message: format!("`{MAIN}` is {}", shown(main.params(), main.results())),
        help: format!(
            "take i32, i64, f32 and f64 and return one of them or nothing; or export `{ALLOC}` and take any value"
        ),
    })
}

/// What is wrong with an exported function.
fn signature(module: &Module, name: &str, parameters: &[ValType], result: ValType) -> Option<Mistake> {
    let found = function(module, name);
    if found.as_ref().is_some_and(|it| it.params() == parameters && it.results() == [result]) {
        return None;
    }
    let message = match found {
        Some(found) => format!("`{name}` is {}", shown(found.params(), found.results())),
        None => format!("it exports no function `{name}`"),
    };
    Some(Mistake { message, help: format!("export `{name}` as {}", shown(parameters, &[result])) })
}

fn memory(module: &Module) -> Option<Mistake> {
    let found = module.get_export(MEMORY);
    (!matches!(found, Some(ExternType::Memory(_)))).then(|| Mistake {
        message: format!("it exports no memory `{MEMORY}`"),
        help: format!("export its memory as `{MEMORY}`"),
    })
}

/// `(i32, f64) -> i64`
fn shown(parameters: &[ValType], results: &[ValType]) -> String {
    let list = |types: &[ValType]| types.iter().map(|of| word(*of)).collect::<Vec<_>>().join(", ");
    match results {
        [one] => format!("({}) -> {}", list(parameters), word(*one)),
        results => format!("({}) -> ({})", list(parameters), list(results)),
    }
}

const fn word(of: ValType) -> &'static str {
    match of {
        I32 => "i32",
        I64 => "i64",
        F32 => "f32",
        F64 => "f64",
        ValType::V128 => "v128",
        ValType::FuncRef => "funcref",
        ValType::ExternRef => "externref",
    }
}
