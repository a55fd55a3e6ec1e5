//! Random layered workflows of any size, the same for the same seed: values on top, jobs below that each take one to
//! three results of the layer above, and one job that takes all of the last layer. Every node reaches it.

use std::fmt::Write;

use crate::api::Files;
use crate::workflows::files;

/// Names of the files and the ports of jobs, by their number of ports.
const JOBS: [(&str, &[&str]); 3] = [("One", &["a"]), ("Two", &["a", "b"]), ("Three", &["a", "b", "c"])];

/// `layers * width + 1` nodes.
pub fn layered(layers: usize, width: usize, seed: u64) -> Files {
    let mut draft = Draft { nodes: String::new(), edges: String::new(), random: seed };
    for layer in 0..layers {
        for column in 0..width {
            draft.node(layer, column, width);
        }
    }
    draft.last(layers - 1, width);
    let Draft { nodes, edges, .. } = draft;
    let document = format!(
        "<workflow><nodes>\n{nodes}</nodes><edges>\n{edges}</edges><finalnode id=\"last\"/></workflow>"
    );
    files(&[
        ("workflow.xml", &document),
        ("One.js", "function weevil_main(a) { return a }"),
        ("Two.js", "function weevil_main(a, b) { return a + b }"),
        ("Three.js", "function weevil_main(a, b, c) { return a + b + c }"),
        ("All.js", "function weevil_main(...all) { return all.length }"),
    ])
}

struct Draft {
    nodes: String,
    edges: String,
    random: u64,
}

impl Draft {
    fn node(&mut self, layer: usize, column: usize, width: usize) {
        if layer == 0 {
            // Writing to a String cannot fail; so below.
            let _ =
                writeln!(self.nodes, "<value id=\"n0_{column}\" value=\"{column}\" returntype=\"Number\"/>");
            return;
        }
        let (source, ports) = JOBS[self.below(JOBS.len())];
        let id = format!("n{layer}_{column}");
        self.job(&id, source, ports.iter().map(|port| (*port).to_owned()));
        for (at, port) in ports.iter().enumerate() {
            // The first parent is the one above, so that every node is used.
            let parent = if at == 0 { column } else { self.below(width) };
            self.edge(&format!("n{}_{parent}", layer - 1), &id, port);
        }
    }

    fn last(&mut self, layer: usize, width: usize) {
        self.job("last", "All", (0..width).map(|column| format!("p{column}")));
        for column in 0..width {
            self.edge(&format!("n{layer}_{column}"), "last", &format!("p{column}"));
        }
    }

    fn job(&mut self, id: &str, source: &str, ports: impl Iterator<Item = String>) {
        let _ = write!(self.nodes, "<job id=\"{id}\" src=\"{source}\" returntype=\"Number\"><parameters>");
        for port in ports {
            let _ = write!(self.nodes, "<parameter id=\"{port}\" paramtype=\"Number\"/>");
        }
        let _ = writeln!(self.nodes, "</parameters></job>");
    }

    fn edge(&mut self, source: &str, dest: &str, port: &str) {
        let _ = writeln!(self.edges, "<edge source=\"{source}\" dest=\"{dest}\" paramdest=\"{port}\"/>");
    }

    /// A number below `end` (`SplitMix64`; Steele, Lea, Flood 2014).
    fn below(&mut self, end: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap_or_default()
    }
}
