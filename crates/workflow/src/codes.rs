//! The one table of problems a workflow can have: code, severity, title. Pages about errors are made of it.
//!
//! A code is never used again for something else. Never holds the message of a single case.

use weevil_model::Severity;

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable: `W` and four digits.
    pub id: &'static str,
    pub severity: Severity,
    pub title: &'static str,
}

macro_rules! codes {
    ($($name:ident = $id:literal $severity:ident $title:literal;)+) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, severity: Severity::$severity, title: $title };)+

        /// Every code, in ascending order.
        pub static ALL: &[&Code] = &[$(&$name),+];
    };
}

codes! {
    MORE_PROBLEMS = "W0100" Warning "more problems than are listed";

    MALFORMED_XML = "W0101" Error "the document is not well-formed XML";
    NOT_UTF8 = "W0102" Error "the document is not UTF-8";
    DOCTYPE = "W0103" Error "document type and entity declarations are refused";
    BAD_REFERENCE = "W0104" Error "unknown entity or bad character reference";
    DUPLICATE_ATTRIBUTE = "W0105" Error "an attribute is given twice";
    LIMIT = "W0106" Error "a limit is exceeded";
    SPLIT_TAG_END = "W0107" Warning "a blank inside the tag end `/>`";

    UNKNOWN_ELEMENT = "W0110" Error "unknown element";
    MISPLACED_ELEMENT = "W0111" Error "an element stands where it cannot";
    REPEATED_ELEMENT = "W0112" Error "an element that may stand once is repeated";
    MISSING_ELEMENT = "W0113" Error "a required element is missing";
    UNKNOWN_ATTRIBUTE = "W0114" Error "unknown attribute";
    MISSING_ATTRIBUTE = "W0115" Error "a required attribute is missing";
    STRAY_TEXT = "W0116" Error "text between elements";

    BAD_ID = "W0120" Error "an id that cannot be used";
    DUPLICATE_ID = "W0121" Error "an id is used twice";
    UNKNOWN_TYPE = "W0122" Error "unknown type name";
    UNKNOWN_JOB_TYPE = "W0123" Error "unknown jobtype";
    BAD_NUMBER = "W0125" Error "priority, timeout or retries out of range";
    BAD_FLAG = "W0126" Error "deterministic is neither true nor false";
    BAD_AIM = "W0127" Error "a project or question that cannot be shown";
    BAD_LINK = "W0128" Error "a link that cannot be shown";

    VALUE_AND_SRC = "W0130" Error "a value node with both value and src";
    NO_VALUE = "W0131" Error "a value node with neither value nor src";
    BAD_LITERAL = "W0132" Error "a literal that is not of its type";
    BAD_JSON = "W0133" Error "a value file that is not JSON";
    VALUE_TYPE = "W0134" Error "a value file that holds another type";
    VALUE_TOO_LARGE = "W0135" Error "a value beyond the size limit";
    MISSING_SOURCE = "W0136" Error "a source file is missing";
    NO_WEEVIL_MAIN = "W0137" Error "a job's source without `weevil_main`";
    SOURCE_NOT_UTF8 = "W0138" Error "a source file that is not UTF-8";

    ONE_PARAMETER = "W0140" Error "a processor or reducer without exactly one parameter";
    REDUCER_NOT_ARRAY = "W0141" Error "a reducer whose parameter is not an Array";
    POOL_PORT = "W0142" Error "a pool without exactly one Array port";
    POOL_RETURN_TYPE = "W0143" Error "a pool that returns another type than its reducer";

    UNKNOWN_SOURCE = "W0150" Error "an edge from an unknown node";
    UNKNOWN_DEST = "W0151" Error "an edge to an unknown node";
    UNKNOWN_PORT = "W0152" Error "an edge to an unknown port";
    AMBIGUOUS_PORT = "W0153" Error "an edge that does not say which port it feeds";
    EDGE_INTO_VALUE = "W0154" Error "an edge into a value node";
    EDGE_AT_POOL_PART = "W0155" Error "an edge at a processor or reducer";
    PORT_FED_TWICE = "W0156" Error "a port with two edges";
    PORT_NOT_FED = "W0157" Error "a port without an edge";
    TYPE_MISMATCH = "W0158" Error "an edge between different types";
    CYCLE = "W0159" Error "nodes that wait for each other";

    UNKNOWN_FINAL = "W0160" Error "an unknown final node";
    FINAL_IN_POOL = "W0161" Error "a final node that is a processor or reducer";
    USELESS_NODE = "W0162" Warning "a node that cannot reach the final node";

    NOT_JAVASCRIPT = "W0170" Error "a source file that is not JavaScript";
    PARAMETERS_DIFFER = "W0171" Error "parameters of `weevil_main` that differ from the ports";
    UNREAD_PORT = "W0172" Warning "a port that the code never reads";
    CODE_NOT_CHECKED = "W0173" Warning "a source file that cannot be checked";
    NAME_NOT_THERE = "W0174" Warning "a name that jobs do not find";

    NOT_WASM = "W0180" Error "a source file that is not a WebAssembly module";
    WASM_IMPORT = "W0181" Error "an import that workers do not provide";
    WASM_EXPORT = "W0182" Error "exports of a module that cannot be called";
    WASM_NUMBERS = "W0183" Error "a type that a module's numbers cannot be";

    NOT_WGSL = "W0190" Error "a kernel that does not compile";
    KERNEL_NOT_CALLED = "W0191" Error "a kernel that no job can call";
    KERNEL_NOT_JOB = "W0192" Error "a kernel that cannot be a job by itself";
    KERNEL_PORTS = "W0193" Error "ports that differ from a kernel's bindings";
    KERNEL_TYPES = "W0194" Error "a type that a kernel's binding cannot be";
    KERNEL_REDUCER = "W0195" Error "a kernel as a reducer";
    KERNEL_TOO_COSTLY = "W0196" Error "a kernel that takes too much to check";
}
