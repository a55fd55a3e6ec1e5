//! What an editor shows beside a document: its nodes with their places in the text, where each is named, and the picture of the graph.
//!
//! The picture is the layout of `weevil-workflow`, so it is the one that the server makes of the same document once it is sound.

use std::collections::HashMap;

use serde::Serialize;
use weevil_model::NodeKind;
use weevil_workflow::layout::{Graph, GraphNode, Item, Layout, PictureEdge};

use crate::scan::{Attribute, Tag};
use crate::symbols::{Node, Symbols};
use crate::units::Units;

/// Places are counted in UTF-16 units from the start of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outline {
    nodes: Vec<NodeView>,
    uses: Vec<Use>,
    edges: Vec<Edge>,
    graph: GraphView,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeView {
    #[serde(flatten)]
    part: PartView,
    /// Processor and reducer of a pool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartView>,
}

/// A node, a processor or a reducer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PartView {
    /// Empty where none is written.
    id: String,
    /// The name of its element.
    element: String,
    returns: String,
    /// What `src` says.
    source: String,
    /// What `value` says, of a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Where its id is written; the name of its element without one.
    at: Place,
    ports: Vec<PortView>,
}

#[derive(Debug, Serialize)]
struct PortView {
    id: String,
    takes: String,
    at: Place,
}

/// A place where a node is named.
#[derive(Debug, Serialize)]
struct Use {
    /// Position in the nodes.
    node: usize,
    at: Place,
}

/// An edge as it is written, whether or not its ends are there.
#[derive(Debug, Serialize)]
struct Edge {
    source: String,
    dest: String,
    /// Empty where none is written.
    port: String,
}

/// As the server's `GraphView`, which the views of graphs take.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GraphView {
    workflow: &'static str,
    nodes: u32,
    layers: usize,
    width: u32,
    height: u32,
    items: Vec<ItemView>,
    edges: Vec<EdgeView>,
    cut: Option<CutView>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemView {
    id: String,
    node: u32,
    count: u32,
    kind: NodeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reducer: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_final: bool,
    layer: u32,
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

#[derive(Debug, Serialize)]
struct EdgeView {
    from: usize,
    to: usize,
    count: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    via: Vec<(u32, u32)>,
}

#[derive(Debug, Serialize)]
struct CutView {
    items: u32,
    edges: u32,
    next: Option<String>,
}

/// The outline of a document, however broken it is.
pub(crate) fn outline(text: &str) -> Outline {
    let (symbols, units) = (Symbols::new(text), Units::new(text));
    let shown = Shown { symbols: &symbols, units: &units };
    let nodes = symbols.nodes.iter().map(|node| shown.node(node)).collect();
    let uses = symbols.uses().map(|(node, found)| Use { node, at: shown.word(found) }).collect();
    let edges = symbols.edges.iter().map(|edge| edge_of(&symbols.tags[*edge])).collect();
    Outline { nodes, uses, edges, graph: picture(&symbols) }
}

fn edge_of(tag: &Tag<'_>) -> Edge {
    let word = |name: &str| tag.word(name).to_owned();
    Edge { source: word("source"), dest: word("dest"), port: word("paramdest") }
}

struct Shown<'s, 't> {
    symbols: &'s Symbols<'t>,
    units: &'s Units,
}

impl Shown<'_, '_> {
    fn node(&self, node: &Node) -> NodeView {
        let parts = node.parts.iter().map(|part| self.part(part.tag, &part.ports)).collect();
        NodeView { part: self.part(node.tag, &node.ports), parts }
    }

    fn part(&self, tag: usize, ports: &[usize]) -> PartView {
        let tag = &self.symbols.tags[tag];
        PartView {
            id: tag.word("id").to_owned(),
            element: tag.name.to_owned(),
            returns: tag.word("returntype").to_owned(),
            source: tag.word("src").to_owned(),
            value: tag.attribute("value").map(|found| found.value.to_owned()),
            at: self.id(tag),
            ports: ports.iter().map(|port| self.port(&self.symbols.tags[*port])).collect(),
        }
    }

    fn port(&self, tag: &Tag<'_>) -> PortView {
        PortView { id: tag.word("id").to_owned(), takes: tag.word("paramtype").to_owned(), at: self.id(tag) }
    }

    fn id(&self, tag: &Tag<'_>) -> Place {
        let name = tag.at + "<".len();
        let name = self.place(name, name + tag.name.len());
        tag.attribute("id").filter(|found| !found.word().is_empty()).map_or(name, |found| self.word(found))
    }

    fn word(&self, attribute: &Attribute<'_>) -> Place {
        let at = attribute.word_at();
        self.place(at.start, at.end)
    }

    fn place(&self, from: usize, to: usize) -> Place {
        Place { from: self.units.at(from), to: self.units.at(to) }
    }
}

fn picture(symbols: &Symbols<'_>) -> GraphView {
    let last = symbols.last.and_then(|last| symbols.find(symbols.tags[last].word("id")));
    let layout = Layout::new(graph(symbols, last));
    // There is a picture of the whole, whatever the graph.
    let picture = layout.picture(None);
    let (width, height) = picture.as_ref().map_or((0, 0), |picture| (picture.width, picture.height));
    let cut = picture.as_ref().and_then(|picture| picture.cut).map(|cut| CutView {
        items: cut.items,
        edges: cut.edges,
        next: cut.next.map(|node| symbols.tag(&symbols.nodes[node as usize]).word("id").to_owned()),
    });
    let (items, edges) = picture.map(|picture| (picture.items, picture.edges)).unwrap_or_default();
    GraphView {
        workflow: "",
        nodes: layout.nodes(),
        layers: layout.counts().len(),
        width,
        height,
        items: items.iter().map(|item| item_view(symbols, *item, last)).collect(),
        edges: edges.into_iter().map(edge_view).collect(),
        cut,
    }
}

/// Nodes by number as they stand; an edge whose ends are not known is not drawn.
fn graph(symbols: &Symbols<'_>, last: Option<usize>) -> Graph {
    let mut codes = HashMap::new();
    let mut code = |node: &Node| {
        let next = u32::try_from(codes.len()).unwrap_or(u32::MAX);
        let source = symbols.tag(node).word("src").to_owned();
        (node.kind == NodeKind::Job && !source.is_empty()).then(|| *codes.entry(source).or_insert(next))
    };
    let nodes = symbols.nodes.iter().map(|node| GraphNode { kind: node.kind, code: code(node) }).collect();
    let edges = symbols.edges.iter().filter_map(|edge| {
        let (from, to) = symbols.ends(*edge);
        Some((from?, to?))
    });
    Graph::new(nodes, edges, last)
}

fn item_view(symbols: &Symbols<'_>, item: Item, last: Option<usize>) -> ItemView {
    let Item { node: number, count, kind, layer, x, y, width, height } = item;
    let node = &symbols.nodes[number as usize];
    let tag = symbols.tag(node);
    let part = |name: &str| {
        let found = node.parts.iter().map(|part| &symbols.tags[part.tag]).find(|tag| tag.name == name);
        found.map(|tag| tag.word("id").to_owned())
    };
    let is_final = last == Some(number as usize);
    let source = (kind == NodeKind::Job).then(|| tag.word("src").to_owned());
    let (processor, reducer) = (part("processor"), part("reducer"));
    let id = tag.word("id").to_owned();
    ItemView {
        id,
        node: number,
        count,
        kind,
        source,
        processor,
        reducer,
        is_final,
        layer,
        x,
        y,
        width,
        height,
    }
}

fn edge_view(edge: PictureEdge) -> EdgeView {
    let PictureEdge { from, to, count, via, .. } = edge;
    EdgeView { from, to, count, via }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes with ports, uses, and what is drawn, in lines.
    fn told(text: &str) -> Vec<String> {
        let Outline { nodes, uses, edges, graph } = outline(text);
        let wide: Vec<u16> = text.encode_utf16().collect();
        let at = |place: Place| String::from_utf16_lossy(&wide[place.from as usize..place.to as usize]);
        let part = |part: &PartView| {
            let ports: Vec<_> =
                part.ports.iter().map(|port| format!(" {}:{}", at(port.at), port.takes)).collect();
            format!("{} {} {}{}", part.element, at(part.at), part.returns, ports.concat())
        };
        let of_node = |node: &NodeView| {
            let parts: Vec<_> = node.parts.iter().map(|one| format!(" [{}]", part(one))).collect();
            part(&node.part) + &parts.concat()
        };
        let mut lines: Vec<_> = nodes.iter().map(of_node).collect();
        lines.extend(uses.iter().map(|one| format!("use of {} at {}", one.node, at(one.at))));
        lines.extend(edges.iter().map(|edge| format!("edge {} {} {}", edge.source, edge.dest, edge.port)));
        let item = |number: usize| &graph.items[number].id;
        lines.extend(graph.edges.iter().map(|edge| format!("{} -> {}", item(edge.from), item(edge.to))));
        lines
    }

    const HEAD: &str = "<!-- é😀 --><workflow><nodes><value id=\"v\" value=\"1\" returntype=\"Number\"/><job id=\"j\" src=\"Add\" returntype=\"Number\"><parameters><parameter id=\"a\" paramtype=\"Number\"/></parameters></job></nodes>";

    #[test]
    fn a_sound_document_is_outlined_whole() {
        let text =
            format!("{HEAD}<edges><edge source=\"v\" dest=\"j\"/></edges><finalnode id=\"j\"/></workflow>");
        let expected = [
            "value v Number",
            "job j Number a:Number",
            "use of 0 at v",
            "use of 1 at j",
            "use of 1 at j",
            "edge v j ",
            "v -> j",
        ];
        assert_eq!(told(&text), expected);
    }

    #[test]
    fn a_broken_document_is_outlined_as_far_as_it_goes() {
        let pool = "<pool id=\"p\"><processor id=\"q\"><parameters><parameter id=\"e\"/></parameters></processor></pool>";
        for (text, expected) in [
            ("", &[][..]),
            ("<job", &["job job "]),
            ("<job id=\"\"/><job id=\"j\"", &["job job ", "job j "]),
            (pool, &["pool p  [processor q  e:]"]),
            ("<value id=\"v\"/><edge source=\"v\" dest=\"w\"", &["value v ", "use of 0 at v", "edge v w "]),
            (
                "<value id=\"v\"/><job id=\"v\"/><finalnode id=\"v\"/>",
                &["value v ", "job v ", "use of 0 at v"],
            ),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn many_nodes_of_one_kind_are_one_item() {
        let values: Vec<_> = (0..30).map(|at| format!("<value id=\"v{at}\"/>")).collect();
        let text = format!("{}<job id=\"j\"/>{}", values.concat(), "<edge source=\"v1\" dest=\"j\"/>");
        let graph = outline(&text).graph;
        let counts: Vec<_> = graph.items.iter().map(|item| item.count).collect();
        assert_eq!((graph.nodes, counts.iter().sum::<u32>()), (31, 31));
        assert!(counts.contains(&29) || counts.contains(&30), "{counts:?}");
    }
}
