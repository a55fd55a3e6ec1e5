//! Values that one run puts in the place of the document's: read, checked, refused in words.

use serde_json::json;
use weevil_model::limits::{MAX_NODES, MAX_VALUE_BYTES};
use weevil_model::{DataType, Encoded, NodeKind, Value};
use weevil_workflow::{InputError, NodeBody, Plan};

use crate::common::{JOB, bundle, joined, plan, soon};

const DOCUMENT: &str = r#"<workflow>
  <nodes>
    <value id="count" value="1" returntype="Number"/>
    <value id="word" value="a" returntype="String"/>
    <value id="data" src="list" returntype="Array"/>
    <value id="bytes" value="[1]" returntype="Uint8Array"/>
    <value id="flag" value="true" returntype="Boolean"/>
    <job id="join" src="Add" returntype="Number"><parameters>
      <parameter id="a" paramtype="Number"/><parameter id="b" paramtype="String"/>
      <parameter id="c" paramtype="Uint8Array"/><parameter id="d" paramtype="Boolean"/>
      <parameter id="e" paramtype="Number"/>
    </parameters></job>
    <pool id="pool" returntype="Number">
      <parameters><parameter id="x" paramtype="Array"/></parameters>
      <processor id="each" src="Add" returntype="Number">
        <parameters><parameter id="e" paramtype="Number"/></parameters>
      </processor>
      <reducer id="all" src="Add" returntype="Number">
        <parameters><parameter id="r" paramtype="Array"/></parameters>
      </reducer>
    </pool>
  </nodes>
  <edges>
    <edge source="count" dest="join" paramdest="a"/>
    <edge source="word" dest="join" paramdest="b"/>
    <edge source="bytes" dest="join" paramdest="c"/>
    <edge source="flag" dest="join" paramdest="d"/>
    <edge source="pool" dest="join" paramdest="e"/>
    <edge source="data" dest="pool"/>
  </edges>
  <finalnode id="join"/>
</workflow>"#;

fn workflow() -> Plan {
    plan(&bundle(&[("w.xml", DOCUMENT.as_bytes()), ("Add.js", JOB), ("list.json", b"[1]")]))
}

fn view(plan: &Plan, id: &str) -> serde_json::Value {
    let NodeBody::Value(encoded) = &plan.node(plan.find(id).unwrap()).body else {
        panic!("{id} is no value")
    };
    encoded.value().unwrap().to_json()
}

#[test]
fn a_value_is_replaced_and_nothing_else() {
    let original = workflow();
    let mut plan = original.clone();
    let file = b"\xEF\xBB\xBF[2, [3]]\n";
    for (id, value, expected) in [
        ("count", plan.read_literal("count", " 0x10 "), json!(16)),
        ("word", plan.read_literal("word", " b "), json!(" b ")),
        ("flag", plan.read_literal("flag", "false"), json!(false)),
        ("data", plan.read_literal("data", "[]"), json!([])),
        ("data", plan.read_file("data", file), json!([2, [3]])),
        ("bytes", plan.read_file("bytes", b"[255]"), json!({ "$typed": "Uint8Array", "values": [255] })),
        ("word", plan.read_file("word", br#""c""#), json!("c")),
        ("count", Ok(Encoded::of(&Value::Number(0.5)).unwrap()), json!(0.5)),
    ] {
        plan.replace_value(id, value.unwrap()).unwrap();
        assert_eq!(view(&plan, id), expected, "{id}");
    }
    assert_eq!(view(&original, "count"), json!(1), "the plan that was copied is as it was");
    let shapes = [&original, &plan].map(|plan| {
        let nodes = plan.nodes().iter();
        nodes.map(|node| (node.path.clone(), node.outgoing.clone(), node.return_type)).collect::<Vec<_>>()
    });
    assert_eq!(shapes[0], shapes[1]);
}

#[test]
fn a_node_that_cannot_be_set_is_named() {
    let mut plan = workflow();
    for (id, expected) in [
        ("cuont", "no node has the id `cuont`; did you mean `count`?"),
        ("elsewhere", "no node has the id `elsewhere`; name a value node of the workflow"),
        ("", "no node has the id ``; name a value node of the workflow"),
        ("join", "`join` is a job, which computes its value; only a value node can be set"),
        ("pool", "`pool` is a pool, which computes its value; only a value node can be set"),
        ("each", "`each` is a processor, which computes its value; only a value node can be set"),
        ("all", "`all` is a reducer, which computes its value; only a value node can be set"),
    ] {
        let one = Encoded::of(&Value::Number(1.0)).unwrap();
        let refused = [
            plan.read_literal(id, "1").err(),
            plan.read_file(id, b"1").err(),
            plan.replace_value(id, one).err(),
        ];
        for refused in refused {
            assert_eq!(refused.map(|refused| refused.to_string()).as_deref(), Some(expected));
        }
    }
    let kind = NodeKind::Job;
    assert_eq!(plan.read_literal("join", "1"), Err(InputError::NotAValue { id: "`join`".into(), kind }));
}

#[test]
fn literals_of_another_type_are_refused_with_both_named() {
    let plan = workflow();
    for (id, text, expected) in [
        ("count", "twelve", "`count` is of type Number: found `twelve`; write a number as in JavaScript"),
        ("count", "", "`count` is of type Number: found ``; write a number"),
        ("flag", "yes", "`flag` is of type Boolean: found `yes`; write `true` or `false`"),
        ("data", "{}", "`data` is of type Array: found Object; write it as JSON"),
        ("data", "[1,]", "`data` is of type Array: trailing comma; write it as JSON"),
        ("bytes", "[256]", "`bytes` is of type Uint8Array: element 0 does not fit into Uint8Array"),
    ] {
        let refused = plan.read_literal(id, text).unwrap_err();
        assert!(refused.to_string().starts_with(expected), "{refused}");
        assert!(matches!(refused, InputError::BadLiteral { .. }), "{refused:?}");
    }
}

#[test]
fn files_that_give_no_value_are_refused_with_the_place() {
    let plan = workflow();
    for (id, file, expected) in [
        (
            "data",
            &b"[1,\n 2,]"[..],
            "the file for `data` cannot be read: not JSON: trailing comma (line 2, column 4); mend the file",
        ),
        (
            "data",
            b"",
            "the file for `data` cannot be read: not JSON: EOF while parsing a value (line 1, column 1); mend the file",
        ),
        (
            "data",
            b"[\r\n\xFF]",
            "the file for `data` cannot be read: the byte 0xff is not UTF-8, which is expected (line 2, column 1); mend the file",
        ),
        ("data", b"{}", "`data` is of type Array: found Object; give a value of that type"),
        (
            "bytes",
            b"[1.5]",
            "`bytes` is of type Uint8Array: element 0 does not fit into Uint8Array; give a value of that type",
        ),
    ] {
        assert_eq!(plan.read_file(id, file).unwrap_err().to_string(), expected);
    }
}

#[test]
fn values_are_checked_against_the_type_and_the_limit() {
    let mut plan = workflow();
    let text = Encoded::of(&Value::String("1".into())).unwrap();
    let (expected, found) = (DataType::Number, "found String".to_owned());
    let refused = InputError::OtherType { id: "`count`".into(), expected, found };
    assert_eq!(plan.replace_value("count", text), Err(refused));
    assert_eq!(view(&plan, "count"), json!(1));
    let large = plan.read_literal("word", &"x".repeat(MAX_VALUE_BYTES)).unwrap_err();
    let bytes = MAX_VALUE_BYTES + 5;
    let message =
        format!("`word` cannot be set: the value has {bytes} bytes; at most {MAX_VALUE_BYTES} are allowed");
    assert_eq!(large.to_string(), message);
}

/// Each look-up of the thousand would take as long as one over all nodes if it were a search.
#[test]
fn a_thousand_inputs_of_the_largest_workflow_are_soon_found() {
    let value = |n| format!(r#"<value id="v{n}" value="1" returntype="Number"/>"#);
    let nodes = joined(0..MAX_NODES, value);
    let document = format!("<workflow><nodes>{nodes}</nodes><finalnode id=\"v0\"/></workflow>");
    let loaded = weevil_workflow::load(&bundle(&[("w.xml", document.as_bytes())])).unwrap();
    let mut plan = loaded.plan;
    soon("a thousand look-ups", || {
        for n in (0..MAX_NODES).step_by(MAX_NODES / 1000) {
            let id = format!("v{n}");
            let value = plan.read_literal(&id, &n.to_string()).unwrap();
            plan.replace_value(&id, value).unwrap();
        }
    });
    assert_eq!(view(&plan, "v99900"), json!(99_900));
}
