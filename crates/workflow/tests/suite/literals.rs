//! Literals and value files become the JavaScript values they denote.

use crate::common::{bundle, plan, problems};
use serde_json::json;
use weevil_workflow::NodeBody;

fn value_document(attributes: &str) -> String {
    format!(r#"<workflow><nodes><value id="v" {attributes}/></nodes><finalnode id="v"/></workflow>"#)
}

fn view(attributes: &str, file: &str) -> serde_json::Value {
    let document = value_document(attributes);
    let plan = plan(&bundle(&[("w.xml", document.as_bytes()), ("f.json", file.as_bytes())]));
    let NodeBody::Value(encoded) = &plan.nodes()[0].body else { panic!("a value is expected") };
    assert_eq!(encoded.data_type(), Ok(plan.nodes()[0].return_type));
    encoded.value().unwrap().to_json()
}

#[test]
fn literals_are_read_by_their_type() {
    for (attributes, expected) in [
        (r#"value="44" returntype="Number""#, json!(44)),
        (r#"value=" 0x10 " returntype="Number""#, json!(16)),
        (r#"value="-0" returntype="Number""#, json!({ "$number": "-0" })),
        (r#"value="-Infinity" returntype="Number""#, json!({ "$number": "-Infinity" })),
        (r#"value="NaN" returntype="Number""#, json!({ "$number": "NaN" })),
        (r#"value="44" returntype="String""#, json!("44")),
        (r#"value="" returntype="String""#, json!("")),
        (r#"value=" a&lt;&#x1F41B;&#10;b " returntype="String""#, json!(" a<🐛\nb ")),
        ("value=\"a\r\nb\tc\" returntype=\"String\"", json!("a b c")),
        (r#"value=" true " returntype="Boolean""#, json!(true)),
        (r#"value="false" returntype="Boolean""#, json!(false)),
        (r#"value="null" returntype="null""#, json!(null)),
        (r#"value="undefined" returntype="undefined""#, json!({ "$undefined": true })),
        (r#"value='[1, "x", [null]]' returntype="Array""#, json!([1, "x", [null]])),
        (r#"value="{&quot;a&quot;: 0.1}" returntype="Object""#, json!({ "a": 0.1 })),
        (
            r#"value="[1, 255]" returntype="Uint8Array""#,
            json!({ "$typed": "Uint8Array", "values": [1, 255] }),
        ),
    ] {
        assert_eq!(view(attributes, ""), expected, "{attributes}");
    }
}

#[test]
fn files_hold_values_of_the_type() {
    for (returntype, file, expected) in [
        ("Array", "\u{FEFF}[1,\r\n 2]", json!([1, 2])),
        ("Number", " 1e3 ", json!(1000)),
        ("String", r#""x""#, json!("x")),
        ("Boolean", "true", json!(true)),
        ("null", "null", json!(null)),
        ("Object", "{}", json!({})),
        ("Float64Array", "[0.1]", json!({ "$typed": "Float64Array", "values": [0.1] })),
    ] {
        assert_eq!(view(&format!(r#"src="f" returntype="{returntype}""#), file), expected, "{returntype}");
    }
}

#[test]
fn literals_of_another_type_are_refused_where_they_go_wrong() {
    for (value, returntype, column) in [
        ("abc", "Number", 39),
        ("", "Number", 39),
        ("yes", "Boolean", 39),
        ("", "null", 39),
        ("null", "undefined", 39),
        ("{}", "Array", 39),
        ("[]", "Object", 39),
        ("[1, 2,]", "Array", 45),
        ("[1, é]", "Array", 43),
        ("[1, &amp;]", "Array", 39),
        ("[256]", "Uint8Array", 39),
        ("[[[", "Array", 41),
    ] {
        let document = value_document(&format!(r#"value="{value}" returntype="{returntype}""#));
        let found = problems(&bundle(&[("w.xml", document.as_bytes())]));
        let [problem] = found.as_slice() else { panic!("{value} {found:?}") };
        assert_eq!((problem.code, problem.line, problem.column), ("W0132", 1, column), "{value} {problem}");
    }
}
