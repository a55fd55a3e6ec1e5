//! The one table of problems a workflow can have: code, severity, title. Pages about errors are made of it.
//!
//! A code is never used again for something else. Behind each error stands the number of the checker that first reported
//! it: what an older checker has accepted stays accepted while a run of it is taken up. Never holds the message of a
//! single case.

use weevil_model::Severity;

/// The newest checker: the largest number in the table. Whoever adds an error adds one here.
pub const CHECKER: u32 = 3;

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable: `W` and four digits.
    pub id: &'static str,
    pub severity: Severity,
    /// The checker that first reported it; `None` for a warning, which refuses nothing.
    pub since: Option<u32>,
    pub title: &'static str,
}

impl Code {
    /// What it is in a workflow that this checker has accepted: an error that came later is a warning.
    pub(crate) fn severity_after(&self, accepted_by: u32) -> Severity {
        if self.since.is_some_and(|since| since > accepted_by) { Severity::Warning } else { self.severity }
    }
}

macro_rules! codes {
    ($($name:ident = $id:literal $severity:ident$(($since:literal))? $title:literal;)+) => {
        $(
            #[doc = $title]
            pub static $name: Code = Code {
                id: $id,
                severity: Severity::$severity,
                since: first_in([$($since)?]),
                title: $title,
            };
        )+

        /// Every code, in ascending order.
        pub static ALL: &[&Code] = &[$(&$name),+];
    };
}

const fn first_in<const N: usize>(numbers: [u32; N]) -> Option<u32> {
    match numbers.as_slice() {
        [] => None,
        [since, ..] => Some(*since),
    }
}

codes! {
    MORE_PROBLEMS = "W0100" Warning "more problems than are listed";

    MALFORMED_XML = "W0101" Error(1) "the document is not well-formed XML";
    NOT_UTF8 = "W0102" Error(1) "the document is not UTF-8";
    DOCTYPE = "W0103" Error(1) "document type and entity declarations are refused";
    BAD_REFERENCE = "W0104" Error(1) "unknown entity or bad character reference";
    DUPLICATE_ATTRIBUTE = "W0105" Error(1) "an attribute is given twice";
    LIMIT = "W0106" Error(1) "a limit is exceeded";
    SPLIT_TAG_END = "W0107" Warning "a blank inside the tag end `/>`";

    UNKNOWN_ELEMENT = "W0110" Error(1) "unknown element";
    MISPLACED_ELEMENT = "W0111" Error(1) "an element stands where it cannot";
    REPEATED_ELEMENT = "W0112" Error(1) "an element that may stand once is repeated";
    MISSING_ELEMENT = "W0113" Error(1) "a required element is missing";
    UNKNOWN_ATTRIBUTE = "W0114" Error(1) "unknown attribute";
    MISSING_ATTRIBUTE = "W0115" Error(1) "a required attribute is missing";
    STRAY_TEXT = "W0116" Error(1) "text between elements";

    BAD_ID = "W0120" Error(1) "an id that cannot be used";
    DUPLICATE_ID = "W0121" Error(1) "an id is used twice";
    UNKNOWN_TYPE = "W0122" Error(1) "unknown type name";
    UNKNOWN_JOB_TYPE = "W0123" Error(1) "unknown jobtype";
    BAD_NUMBER = "W0125" Error(1) "priority, timeout or retries out of range";
    BAD_FLAG = "W0126" Error(1) "deterministic is neither true nor false";
    BAD_AIM = "W0127" Error(1) "a project or question that cannot be shown";
    BAD_LINK = "W0128" Error(1) "a link that cannot be shown";

    VALUE_AND_SRC = "W0130" Error(1) "a value node with both value and src";
    NO_VALUE = "W0131" Error(1) "a value node with neither value nor src";
    BAD_LITERAL = "W0132" Error(1) "a literal that is not of its type";
    BAD_JSON = "W0133" Error(1) "a value file that is not JSON";
    VALUE_TYPE = "W0134" Error(1) "a value file that holds another type";
    VALUE_TOO_LARGE = "W0135" Error(1) "a value beyond the size limit";
    MISSING_SOURCE = "W0136" Error(1) "a source file is missing";
    NO_WEEVIL_MAIN = "W0137" Error(1) "a job's source without `weevil_main`";
    SOURCE_NOT_UTF8 = "W0138" Error(1) "a source file that is not UTF-8";

    ONE_PARAMETER = "W0140" Error(1) "a processor or reducer without exactly one parameter";
    REDUCER_NOT_ARRAY = "W0141" Error(1) "a reducer whose parameter is not an Array";
    POOL_PORT = "W0142" Error(1) "a pool without exactly one Array port";
    POOL_RETURN_TYPE = "W0143" Error(1) "a pool that returns another type than its reducer";

    UNKNOWN_SOURCE = "W0150" Error(1) "an edge from an unknown node";
    UNKNOWN_DEST = "W0151" Error(1) "an edge to an unknown node";
    UNKNOWN_PORT = "W0152" Error(1) "an edge to an unknown port";
    AMBIGUOUS_PORT = "W0153" Error(1) "an edge that does not say which port it feeds";
    EDGE_INTO_VALUE = "W0154" Error(1) "an edge into a value node";
    EDGE_AT_POOL_PART = "W0155" Error(1) "an edge at a processor or reducer";
    PORT_FED_TWICE = "W0156" Error(1) "a port with two edges";
    PORT_NOT_FED = "W0157" Error(1) "a port without an edge";
    TYPE_MISMATCH = "W0158" Error(1) "an edge between different types";
    CYCLE = "W0159" Error(1) "nodes that wait for each other";

    UNKNOWN_FINAL = "W0160" Error(1) "an unknown final node";
    FINAL_IN_POOL = "W0161" Error(1) "a final node that is a processor or reducer";
    USELESS_NODE = "W0162" Warning "a node that cannot reach the final node";

    NOT_JAVASCRIPT = "W0170" Error(1) "a source file that is not JavaScript";
    PARAMETERS_DIFFER = "W0171" Error(1) "parameters of `weevil_main` that differ from the ports";
    UNREAD_PORT = "W0172" Warning "a port that the code never reads";
    CODE_NOT_CHECKED = "W0173" Warning "a source file that cannot be checked";
    NAME_NOT_THERE = "W0174" Warning "a name that jobs do not find";

    NOT_WASM = "W0180" Error(1) "a source file that is not a WebAssembly module";
    WASM_IMPORT = "W0181" Error(1) "an import that workers do not provide";
    WASM_EXPORT = "W0182" Error(1) "exports of a module that cannot be called";
    WASM_NUMBERS = "W0183" Error(1) "a type that a module's numbers cannot be";

    NOT_WGSL = "W0190" Error(1) "a kernel that does not compile";
    KERNEL_NOT_CALLED = "W0191" Error(1) "a kernel that no job can call";
    KERNEL_NOT_JOB = "W0192" Error(1) "a kernel that cannot be a job by itself";
    KERNEL_PORTS = "W0193" Error(1) "ports that differ from a kernel's bindings";
    KERNEL_TYPES = "W0194" Error(1) "a type that a kernel's binding cannot be";
    KERNEL_REDUCER = "W0195" Error(1) "a kernel as a reducer";
    KERNEL_TOO_COSTLY = "W0196" Error(1) "a kernel that takes too much to check";

    BAD_TRUST = "W0200" Error(2) "a trust that is no policy";
    COPIES_DIFFER = "W0202" Warning "judged code whose copies can differ";
    FROZEN_READING = "W0203" Warning "deterministic code that reads `crypto` or `Temporal`";
    BAD_AGREE = "W0204" Error(3) "an agree that compares nothing";
    BAD_WITHIN = "W0205" Error(3) "an unknown within";
    WITHIN_NEAR = "W0206" Error(3) "a within beside a tolerance";
    RULING_MODULE = "W0207" Error(3) "a module that cannot compare or prove";
    GPU_EXACTLY = "W0208" Warning "a GPU job whose answers are compared exactly";
    NOT_COMPARED = "W0209" Warning "an agree, within or proof where nothing is compared";
}
