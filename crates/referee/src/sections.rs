//! The sections of a module (WebAssembly Core Specification, 5.5), told item by item as far as somebody counts them.
//!
//! Never judges a count, and never keeps anything.

use crate::errors::Why;
use crate::reader::{Read, Reader, Unreadable};

/// What every module of version 1 begins with.
const HEADER: &[u8] = b"\0asm\x01\0\0\0";

const TYPES: u8 = 1;
const GLOBALS: u8 = 6;
const ELEMENTS: u8 = 9;
const CODE: u8 = 10;
const DATA: u8 = 11;

/// Sections that are a list, by their numbers.
const LISTS: [(u8, &str); 10] = [
    (TYPES, "types"),
    (2, "imports"),
    (3, "functions"),
    (4, "tables"),
    (5, "memories"),
    (GLOBALS, "globals"),
    (7, "exports"),
    (ELEMENTS, "element segments"),
    (CODE, "functions"),
    (DATA, "data segments"),
];

const FUNCTION_TYPE: u8 = 0x60;
/// Bits of a segment's first number: nothing puts it in its place at the start,
const IS_PASSIVE: usize = 1;
/// it names its table or memory,
const IS_EXPLICIT: usize = 2;
/// its elements are expressions.
const HAS_EXPRESSIONS: usize = 4;

type Visited = Result<(), Why>;

/// Is told what a module declares, section by section.
pub(crate) trait Visitor {
    /// So many of them are declared.
    fn count(&mut self, what: &'static str, many: usize) -> Visited;
    fn function_type(&mut self, parameters: usize, results: usize);
    /// A constant expression begins, which is to be read up to its end.
    fn constant(&mut self, from: &mut Reader<'_>) -> Visited;
    /// The elements of one segment.
    fn elements(&mut self, many: usize) -> Visited;
    /// A function's local variables, parameters not among them, and its instructions.
    fn body(&mut self, locals: usize, code: Reader<'_>) -> Visited;
}

pub(crate) fn visit(bytes: &[u8], visitor: &mut impl Visitor) -> Visited {
    let rest = bytes.strip_prefix(HEADER).ok_or_else(not_version_1)?;
    let mut from = Reader::new(rest);
    while !from.is_empty() {
        let number = from.byte()?;
        let length = from.number()?;
        let mut content = from.part(length)?;
        if let Some((_, what)) = LISTS.iter().find(|list| list.0 == number) {
            let many = content.number()?;
            visitor.count(what, many)?;
            (0..many).try_for_each(|_| item(number, &mut content, visitor))?;
        }
    }
    Ok(())
}

/// One item of a section that is looked into.
fn item(section: u8, from: &mut Reader<'_>, visitor: &mut impl Visitor) -> Visited {
    match section {
        TYPES => function_type(from, visitor),
        GLOBALS => {
            from.skip(2)?;
            visitor.constant(from)
        }
        ELEMENTS => element_segment(from, visitor),
        CODE => body(from, visitor),
        DATA => data_segment(from, visitor),
        _ => Ok(()),
    }
}

fn function_type(from: &mut Reader<'_>, visitor: &mut impl Visitor) -> Visited {
    if from.byte()? != FUNCTION_TYPE {
        return Err(Unreadable.into());
    }
    let mut types = || -> Read<usize> {
        let many = from.number()?;
        from.skip(many).map(|()| many)
    };
    visitor.function_type(types()?, types()?);
    Ok(())
}

fn element_segment(from: &mut Reader<'_>, visitor: &mut impl Visitor) -> Visited {
    let flags = from.number()?;
    start_of_segment(flags, from, visitor)?;
    if flags & (IS_PASSIVE | IS_EXPLICIT) != 0 {
        from.skip(1)?;
    }
    let many = from.number()?;
    visitor.elements(many)?;
    (0..many).try_for_each(|_| {
        if flags & HAS_EXPRESSIONS == 0 {
            from.skip_number().map_err(Why::from)
        } else {
            visitor.constant(from)
        }
    })
}

fn data_segment(from: &mut Reader<'_>, visitor: &mut impl Visitor) -> Visited {
    let flags = from.number()?;
    start_of_segment(flags, from, visitor)?;
    let bytes = from.number()?;
    Ok(from.skip(bytes)?)
}

/// Where a segment goes.
fn start_of_segment(flags: usize, from: &mut Reader<'_>, visitor: &mut impl Visitor) -> Visited {
    if flags & IS_PASSIVE != 0 {
        return Ok(());
    }
    if flags & IS_EXPLICIT != 0 {
        from.skip_number()?;
    }
    visitor.constant(from)
}

fn body(from: &mut Reader<'_>, visitor: &mut impl Visitor) -> Visited {
    let length = from.number()?;
    let mut code = from.part(length)?;
    let mut locals = 0_usize;
    for _ in 0..code.number()? {
        locals = locals.saturating_add(code.number()?);
        code.skip(1)?;
    }
    visitor.body(locals, code)
}

fn not_version_1() -> Why {
    Why::NotModule("it does not begin as one of version 1".to_owned())
}
