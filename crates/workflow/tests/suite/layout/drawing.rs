//! A picture as text: a box for each item where it stands, `*` for points, and a line for each edge. A letter is 16 pixels wide, a
//! line 32 high.

use weevil_model::NodeKind;
use weevil_workflow::layout::{Item, Picture};

const LETTER: u32 = 16;
const LINE: u32 = 32;

/// `name`: what a node is called.
pub(super) fn drawn(picture: &Picture, name: impl Fn(u32) -> String) -> String {
    let mut paper = Paper::default();
    for item in &picture.items {
        paper.write(item.x, item.y + item.height / 2, &boxed(item, &name(item.node)));
    }
    for (x, y) in picture.edges.iter().flat_map(|edge| &edge.via) {
        paper.write(*x, *y, "*");
    }
    let edges = picture.edges.iter().map(|edge| {
        let [from, to] = [edge.from, edge.to].map(|item| name(picture.items[item].node));
        let arrow = if edge.back { "=> back to" } else { "->" };
        let count = if edge.count > 1 { format!(" x{}", edge.count) } else { String::new() };
        format!("\n{from} {arrow} {to}{count}")
    });
    let (width, height) = (picture.width, picture.height);
    format!("{width} x {height}\n\n{}{}", paper.text(), edges.collect::<String>())
}

fn boxed(item: &Item, name: &str) -> String {
    match item.kind {
        NodeKind::Pool => format!("[[{name}]]"),
        NodeKind::Value => format!("({name})"),
        _ if item.count > 1 => format!("[{name}.. {}]", item.count),
        _ => format!("[{name}]"),
    }
}

#[derive(Default)]
struct Paper(Vec<Vec<char>>);

impl Paper {
    fn write(&mut self, x: u32, y: u32, text: &str) {
        let (line, column) = ((y / LINE) as usize, (x / LETTER) as usize);
        if self.0.len() <= line {
            self.0.resize(line + 1, Vec::new());
        }
        let line = &mut self.0[line];
        let end = column + text.chars().count();
        if line.len() < end {
            line.resize(end, ' ');
        }
        line.splice(column..end, text.chars());
    }

    fn text(&self) -> String {
        let lines = self.0.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned() + "\n");
        lines.collect()
    }
}
