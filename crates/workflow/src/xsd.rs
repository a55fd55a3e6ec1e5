//! The language's structure as an XML schema (XSD 1.0), which editors complete and explain documents with.
//!
//! Made from the checker's own tables, so that it cannot say anything else. It says less: what edges do with ports and
//! types, and what files hold, no XSD can say.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use weevil_model::{DataType, JobType, MAX_MODULE_NAME_CHARS, Within};

use crate::check::{KINDS, Kind};
use crate::limits::{
    MAX_ID_CHARS, MAX_LINK_CHARS, MAX_PROJECT_CHARS, MAX_QUESTION_CHARS, PRIORITY, RETRIES, TIMEOUT_SECONDS,
};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="workflow" type="workflow">
    <xs:unique name="ids">
      <xs:selector xpath="nodes/value|nodes/job|nodes/pool|nodes/pool/processor|nodes/pool/reducer"/>
      <xs:field xpath="@id"/>
    </xs:unique>
    <xs:unique name="edges">
      <xs:selector xpath="edges/edge"/>
      <xs:field xpath="@id"/>
    </xs:unique>
    <xs:key name="nodes">
      <xs:selector xpath="nodes/value|nodes/job|nodes/pool"/>
      <xs:field xpath="@id"/>
    </xs:key>
    <xs:key name="consumers">
      <xs:selector xpath="nodes/job|nodes/pool"/>
      <xs:field xpath="@id"/>
    </xs:key>
    <xs:keyref name="sources" refer="nodes">
      <xs:selector xpath="edges/edge"/>
      <xs:field xpath="@source"/>
    </xs:keyref>
    <xs:keyref name="dests" refer="consumers">
      <xs:selector xpath="edges/edge"/>
      <xs:field xpath="@dest"/>
    </xs:keyref>
    <xs:keyref name="final" refer="nodes">
      <xs:selector xpath="finalnode"/>
      <xs:field xpath="@id"/>
    </xs:keyref>
  </xs:element>
"#;

/// The schema, for files without a namespace.
pub fn xsd() -> String {
    let elements: String = KINDS.iter().map(element).collect();
    let types = enumeration("type", DataType::all().map(DataType::name));
    let job_types = enumeration("jobtype", JobType::ALL.iter().map(|job_type| job_type.as_str()));
    let flags = enumeration("flag", ["true", "false"].into_iter());
    let policies = restriction("trust", "xs:token", &[("pattern", POLICY.to_owned())]);
    let numbers: String = NUMBERS.iter().map(|(name, range)| number(name, range)).collect();
    let texts: String = TEXTS.iter().map(|(name, pattern, most)| text(name, pattern, *most)).collect();
    let blank = restriction("blank", "xs:token", &[("length", "0".to_owned())]);
    let agree = text("agree", &agree(), MAX_MODULE_NAME_CHARS);
    let within = enumeration("within", Within::ALL.iter().map(|within| within.as_str()));
    format!(
        "{HEAD}{elements}{blank}{texts}{types}{job_types}{flags}{policies}{agree}{within}{numbers}</xs:schema>\n"
    )
}

/// What each may be made of, and its characters at most.
const TEXTS: [(&str, &str, usize); 4] = [
    ("id", r"[^/\s]+", MAX_ID_CHARS),
    ("project", r"\P{Cc}+", MAX_PROJECT_CHARS),
    ("question", r"\P{Cc}+", MAX_QUESTION_CHARS),
    ("link", r"https?://[A-Za-z0-9.\-]+(:[0-9]{1,5})?([/?#][!-Z\[\]^_`a-~]*)?", MAX_LINK_CHARS),
];

/// As `weevil_model::trust::Policy` reads it.
const POLICY: &str =
    r"none|quorum\([2-7]\)|credible\(0\.(10{0,5}|0[1-9][0-9]{0,4}|00[1-9][0-9]{0,3}|000[1-9][0-9]{0,2})\)";

/// As `weevil_model::Agree` reads it.
fn agree() -> String {
    format!(r"exact|near\({SHARE}(, ?{SHARE})?\)|.+\.wasm")
}

/// A number from 0 to 1.
const SHARE: &str = r"(0(\.[0-9]+)?|1(\.0+)?|[0-9](\.[0-9]+)?[eE]-[1-9][0-9]{0,2})";

pub(crate) const NUMBERS: [(&str, RangeInclusive<i32>); 3] =
    [("priority", PRIORITY), ("timeout", TIMEOUT_SECONDS), ("retries", RETRIES)];

fn element(kind: &Kind) -> String {
    let documentation = documentation(element_help(kind.name), 4);
    let required = kind.required.iter().map(|name| attribute(kind.name, name, r#" use="required""#));
    let attributes: String =
        required.chain(kind.optional.iter().map(|name| attribute(kind.name, name, ""))).collect();
    let content = match (kind.many, kind.children().next()) {
        (_, None) => blank(&attributes),
        ([], _) => each_once(kind) + &attributes,
        _ => any_number(kind) + &attributes,
    };
    let name = kind.name;
    format!("  <xs:complexType name=\"{name}\">\n{documentation}{content}  </xs:complexType>\n")
}

/// No children. A type without content would forbid even a line end between the tags.
fn blank(attributes: &str) -> String {
    let extension = format!("<xs:extension base=\"blank\">\n{attributes}    </xs:extension>");
    format!("    <xs:simpleContent>{extension}</xs:simpleContent>\n")
}

/// Children in any order, each at most once.
fn each_once(kind: &Kind) -> String {
    let one = kind.one.iter().map(|name| child(name, ""));
    let rest = kind.at_most_one.iter().map(|name| child(name, r#" minOccurs="0""#));
    let children: String = one.chain(rest).collect();
    format!("    <xs:all>\n{children}    </xs:all>\n")
}

fn any_number(kind: &Kind) -> String {
    let children: String = kind.many.iter().map(|name| child(name, "")).collect();
    format!("    <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n{children}    </xs:choice>\n")
}

fn child(name: &str, occurs: &str) -> String {
    format!("      <xs:element name=\"{name}\" type=\"{name}\"{occurs}/>\n")
}

fn attribute(element: &str, name: &str, requirement: &str) -> String {
    let documentation = documentation(attribute_help(element, name), 6);
    let data_type = attribute_type(name);
    format!(
        "    <xs:attribute name=\"{name}\" type=\"{data_type}\"{requirement}>\n{documentation}    </xs:attribute>\n"
    )
}

fn attribute_type(name: &str) -> &str {
    match name {
        "id" | "source" | "dest" | "paramdest" => "id",
        "returntype" | "paramtype" => "type",
        "jobtype" | "priority" | "timeout" | "retries" | "project" | "question" | "link" | "trust"
        | "agree" | "within" => name,
        "deterministic" => "flag",
        "src" | "proof" => "xs:token",
        _ => "xs:string",
    }
}

fn documentation(help: &str, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    format!("{blanks}<xs:annotation><xs:documentation>{help}</xs:documentation></xs:annotation>\n")
}

fn text(name: &str, pattern: &str, most: usize) -> String {
    restriction(name, "xs:token", &[("pattern", pattern.to_owned()), ("maxLength", most.to_string())])
}

fn enumeration<'n>(name: &str, words: impl Iterator<Item = &'n str>) -> String {
    let facets: Vec<_> = words.map(|word| ("enumeration", word.to_owned())).collect();
    restriction(name, "xs:token", &facets)
}

fn number(name: &str, range: &RangeInclusive<i32>) -> String {
    let facets = [("minInclusive", range.start().to_string()), ("maxInclusive", range.end().to_string())];
    restriction(name, "xs:integer", &facets)
}

fn restriction(name: &str, base: &str, facets: &[(&str, String)]) -> String {
    let mut lines = String::new();
    for (facet, value) in facets {
        let _infallible = writeln!(lines, "      <xs:{facet} value=\"{value}\"/>");
    }
    format!(
        "  <xs:simpleType name=\"{name}\">\n    <xs:restriction base=\"{base}\">\n{lines}    </xs:restriction>\n  </xs:simpleType>\n"
    )
}

/// What an editor and docs/language.md show for an element. Stands in XML text as it is.
pub(crate) fn element_help(name: &str) -> &'static str {
    match name {
        "workflow" => "Nodes, the edges between them, and the node whose value is the result.",
        "nodes" => "The values, jobs and pools of the workflow.",
        "edges" => "Which result goes to which port.",
        "finalnode" => "The node whose value is the run's result.",
        "value" => "A value that is known from the start: a literal, or what a JSON file holds.",
        "job" => "A function that runs once, as soon as all its parameters have their values.",
        "pool" => {
            "Applies the processor to each element of an Array at once, and the reducer to all results."
        }
        "processor" => "What a pool does with one element. It has exactly one parameter.",
        "reducer" => "What a pool does with all results. It has exactly one parameter, an Array.",
        "parameters" => "The ports of a node, in the order of the function's parameters.",
        "parameter" => "A port: one parameter of the function, fed by exactly one edge.",
        "edge" => "Takes the result of a node to a port of another.",
        _ => "",
    }
}

/// The same for an attribute of an element.
pub(crate) fn attribute_help(element: &str, name: &str) -> &'static str {
    match (element, name) {
        ("finalnode", "id") => "The id of a value, job or pool.",
        ("parameter", "id") => "The parameter's name, unique in its node.",
        ("edge", "id") => "A name for the edge; no other edge has it.",
        (_, "id") => "The node's name, unique in the workflow: without blanks and slashes.",
        (_, "returntype") => "The type of the node's value.",
        (_, "paramtype") => "The type of the values that the port takes.",
        (_, "value") => "A literal of the type in returntype; JSON for Array, Object and typed arrays.",
        ("value", "src") => "A JSON file of the workflow; .json may be left out.",
        (_, "src") => "The file with the function weevil_main; its extension may be left out.",
        (_, "jobtype") => "What the code is made of: javascript, unless said otherwise.",
        (_, "priority") => "Higher goes first; 0, unless said otherwise.",
        (_, "timeout") => "Seconds that one attempt may take; 300, unless said otherwise.",
        (_, "retries") => "Attempts after the first one; 2, unless said otherwise.",
        (_, "deterministic") => "Whether the clock stands still for the job; false, unless said otherwise.",
        ("workflow", "trust") => {
            "From which answers on values are believed, where a node does not say: none, quorum(3) or credible(0.001)."
        }
        (_, "trust") => {
            "From which answers on its value is believed: none, quorum(3) or credible(0.001); as the workflow says, unless said otherwise."
        }
        (_, "agree") => {
            "When two answers are the same, where they are compared: exact, near(1e-9), near(1e-9, 1e-12), or a module of the workflow; exact, unless said otherwise."
        }
        (_, "within") => "engine: an answer is compared only with those of the same browser engine.",
        (_, "proof") => "A WebAssembly module that tells whether a result is right; .wasm may be left out.",
        (_, "source") => "The id of the value, job or pool whose result is taken.",
        (_, "project") => "Who asks for the computation, as volunteers are told.",
        (_, "question") => "What it is for, in one sentence that volunteers are told.",
        (_, "link") => "A page about it, with http or https, which volunteers may open.",
        (_, "dest") => "The id of the job or pool that gets it.",
        (_, "paramdest") => "The port there; may be left out where there is one.",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_explained() {
        for kind in KINDS {
            assert_ne!(element_help(kind.name), "", "{}", kind.name);
            for name in kind.required.iter().chain(kind.optional) {
                assert_ne!(attribute_help(kind.name, name), "", "{} {name}", kind.name);
            }
        }
    }
}
