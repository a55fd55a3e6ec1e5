//! A model as a document, in any layout: order of elements and attributes, white space, quotes, comments.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use weevil_model::{DataType, NodeKind};

use super::model::{Edge, Model, Node};

const BLANKS: [&str; 6] = [" ", "  ", "\n", "\r\n\t", "\t", "\r"];
const BETWEEN: [&str; 6] = ["", "\n", "  ", "<!-- <é> & -->", "\r\n", "<?x y?>"];

/// A stream of choices, which begins again at its end.
#[derive(Debug, Clone)]
pub(crate) struct Style {
    choices: Vec<u8>,
    next: Cell<usize>,
}

impl Style {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        vec(any::<u8>(), 1..64).prop_map(|choices| Self { choices, next: Cell::new(0) })
    }

    fn choose(&self, among: usize) -> usize {
        let at = self.next.get();
        self.next.set(at + 1);
        usize::from(self.choices[at % self.choices.len()]) % among
    }

    fn of<'t>(&self, texts: &[&'t str]) -> &'t str {
        texts[self.choose(texts.len())]
    }

    fn shuffled<T>(&self, mut items: Vec<T>) -> Vec<T> {
        for end in (1..items.len()).rev() {
            items.swap(end, self.choose(end + 1));
        }
        items
    }

    fn element(&self, name: &str, attributes: &[(&str, &str)], children: &[String]) -> String {
        let attributes: String = self
            .shuffled(attributes.to_vec())
            .iter()
            .map(|(name, value)| self.attribute(name, value))
            .collect();
        let (before, blank) = (self.of(&BETWEEN), self.of(&["", " ", "\n"]));
        if children.is_empty() && self.choose(2) == 0 {
            return format!("{before}<{name}{attributes}{blank}/>");
        }
        let after = self.of(&BETWEEN);
        format!("{before}<{name}{attributes}{blank}>{}{after}</{name}{blank}>", children.concat())
    }

    fn attribute(&self, name: &str, value: &str) -> String {
        let (blank, equals, quote) = (self.of(&BLANKS), self.of(&["=", " =", "= \n"]), self.of(&["\"", "'"]));
        let value =
            value.replace('&', "&amp;").replace('<', "&#60;").replace('"', "&quot;").replace('\'', "&#x27;");
        format!("{blank}{name}{equals}{quote}{value}{quote}")
    }
}

pub(crate) fn text(model: &Model, edges: &[Edge], style: &Style) -> String {
    let nodes: Vec<_> = model.nodes.iter().map(|node| node_text(node, style)).collect();
    let edges: Vec<_> = edges.iter().map(|edge| edge_text(edge, model, style)).collect();
    let mut parts =
        vec![style.element("nodes", &[], &nodes), style.element("finalnode", &[("id", &model.last)], &[])];
    if !edges.is_empty() || style.choose(2) == 0 {
        parts.push(style.element("edges", &[], &edges));
    }
    let head =
        style.of(&["", "\u{FEFF}", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8'?>\n"]);
    let root = style.element("workflow", &[], &style.shuffled(parts));
    format!("{head}{root}{}", style.of(&["", "\n", "<!-- end -->"]))
}

fn edge_text(edge: &Edge, model: &Model, style: &Style) -> String {
    let port = format!("p{}", edge.port);
    let mut attributes = vec![("source", edge.source.as_str()), ("dest", &edge.dest)];
    let only = model.nodes.iter().any(|node| node.id == edge.dest && node.ports.len() == 1);
    if !only || style.choose(2) == 0 {
        attributes.push(("paramdest", &port));
    }
    style.element("edge", &attributes, &[])
}

fn node_text(node: &Node, style: &Style) -> String {
    let common = [("id", node.id.as_str()), ("returntype", node.returns.name())];
    match node.kind {
        NodeKind::Value if node.returns == DataType::Array && style.choose(2) == 0 => {
            style.element("value", &[&common[..], &[("src", "list")]].concat(), &[])
        }
        NodeKind::Value => {
            style.element("value", &[&common[..], &[("value", literal(node.returns))]].concat(), &[])
        }
        NodeKind::Pool => {
            let returns = node.returns.name();
            let part = |name, data_type| {
                let id = format!("{}.{name}", node.id);
                let port = vec![("e".to_owned(), data_type)];
                let attributes = [("id", id.as_str()), ("src", "Add.js"), ("returntype", returns)];
                style.element(name, &attributes, &ports_text(&port, style))
            };
            let parts = vec![part("processor", DataType::Number), part("reducer", DataType::Array)];
            let children = [parts, ports_text(&node.ports, style)].concat();
            style.element("pool", &common, &style.shuffled(children))
        }
        _ => {
            style.element("job", &[&common[..], &[("src", "Add")]].concat(), &ports_text(&node.ports, style))
        }
    }
}

/// The element `parameters`, which a node without ports may leave out.
fn ports_text(ports: &[(String, DataType)], style: &Style) -> Vec<String> {
    let parameters: Vec<_> = ports
        .iter()
        .map(|(id, data_type)| {
            style.element("parameter", &[("id", id), ("paramtype", data_type.name())], &[])
        })
        .collect();
    if parameters.is_empty() && style.choose(2) == 0 {
        return vec![];
    }
    vec![style.element("parameters", &[], &parameters)]
}

fn literal(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Number => "-0.5e3",
        DataType::String => "a <b> & \"c\" 'd'",
        DataType::Boolean => "true",
        DataType::Null => "null",
        DataType::Undefined => "undefined",
        DataType::Object => "{\"a\": [null, 1]}",
        DataType::Array => "[1, {\"b\": \"<\"}]",
        DataType::Typed(_) => "[0, 1, 127]",
    }
}
