//! Cases of edges, cycles and the final node.

use super::Case;

pub(crate) const GRAPH: &[Case] = &[
    ("W0150", &[("source=\"list\"", "source=\"§lst§\"")], "did you mean `list`?"),
    ("W0150", &[("source=\"list\"", "source=\"§other§\"")], "no node has the id `other`"),
    ("W0151", &[("dest=\"p\"", "dest=\"§q§\"")], "no node has the id `q`"),
    (
        "W0151",
        &[("<edges>", "<edges><edge source=\"v\" dest=\"§elsewhere§\" paramdest=\"a\"/>")],
        "`elsewhere`",
    ),
    ("W0152", &[("paramdest=\"a\"", "paramdest=\"§port_a§\"")], "its ports are `a`, `b`"),
    ("W0152", &[("dest=\"p\"", "dest=\"p\" paramdest=\"§y§\"")], "did you mean `x`?"),
    (
        "W0152",
        &[
            ("<nodes>", "<nodes><job id=\"alone\" src=\"Add\" returntype=\"Number\"/>"),
            ("<edges>", "<edges><§edge§ source=\"v\" dest=\"alone\"/>"),
        ],
        "`alone` has no port that an edge could feed",
    ),
    (
        "W0153",
        &[("<edge id=\"e1\"", "<§edge§ id=\"e1\""), (" paramdest=\"a\"", "")],
        "add `paramdest=\"..\"`; its ports are `a`, `b`",
    ),
    ("W0154", &[("<edges>", "<edges><edge id=\"e0\" source=\"p\" dest=\"§v§\"/>")], "`v` is a value"),
    ("W0155", &[("source=\"p\"", "source=\"§red§\"")], "use the pool's id, `p`"),
    ("W0155", &[("dest=\"p\"", "dest=\"§proc§\"")], "use the pool's id, `p`"),
    (
        "W0156",
        &[("<edge id=\"e3\"", "<§edge§ id=\"e4\" source=\"v\" dest=\"j\" paramdest=\"b\"/><edge id=\"e3\"")],
        "the port `b` of `j`; the first stands in line 20",
    ),
    (
        "W0157",
        &[
            ("<parameter id=\"a\"", "<§parameter§ id=\"a\""),
            ("source=\"v\" dest=\"j\" paramdest=\"a\"", "source=\"list\" dest=\"p\""),
            ("<edge id=\"e3\" source=\"list\" dest=\"p\"/>", ""),
        ],
        "add `<edge id=\"..\" source=\"..\" dest=\"j\" paramdest=\"a\" />`",
    ),
    (
        "W0158",
        &[
            ("id=\"b\" paramtype=\"Number\"", "id=\"b\" paramtype=\"String\""),
            ("<edge id=\"e2\"", "<§edge§ id=\"e2\""),
        ],
        "`p` returns Number, but the port `b` of `j` takes String",
    ),
    ("W0159", &[("<edge id=\"e1\" source=\"v\"", "<§edge§ id=\"e1\" source=\"j\"")], ": j -> j"),
    (
        "W0159",
        &[
            (
                "<processor id=\"proc\" src=\"Add\" returntype=\"Number\">",
                "<processor id=\"proc\" src=\"Add\" returntype=\"Array\">",
            ),
            ("<pool id=\"p\" returntype=\"Number\"", "<pool id=\"p\" returntype=\"Array\""),
            (
                "<reducer id=\"red\" src=\"Add\" returntype=\"Number\"",
                "<reducer id=\"red\" src=\"Add\" returntype=\"Array\"",
            ),
            (
                "<job id=\"j\" src=\"Add\" returntype=\"Number\"",
                "<job id=\"j\" src=\"Add\" returntype=\"Array\"",
            ),
            ("id=\"b\" paramtype=\"Number\"", "id=\"b\" paramtype=\"Array\""),
            ("<edge id=\"e2\"", "<§edge§ id=\"e2\""),
            ("source=\"list\"", "source=\"j\""),
        ],
        "these nodes wait for each other: j -> p -> j",
    ),
    ("W0160", &[("<finalnode id=\"j\"", "<finalnode id=\"§nowhere§\"")], "the final node is `nowhere`"),
    ("W0160", &[("<finalnode id=\"j\"", "<finalnode id=\"§lists§\"")], "did you mean `list`?"),
    ("W0161", &[("<finalnode id=\"j\"", "<finalnode id=\"§red§\"")], "name the pool, `p`"),
    (
        "W0162",
        &[("</nodes>", "<§value§ id=\"late\" value=\"1\" returntype=\"Number\"/></nodes>")],
        "`late` does not lead to the final node `j`",
    ),
];
