//! Cases of well-formedness and of the language's structure.

use super::Case;

pub(crate) const XML: &[Case] = &[
    ("W0101", &[("</job>", "§</jobs>§")], "`</jobs>` found, `</job>` expected"),
    ("W0101", &[("</job>", "</job>§</other>§")], "`</other>` found, but no `<other>` is open"),
    (
        "W0101",
        &[("    </job>", ""), ("</nodes>", "§</nodes>§")],
        "`</nodes>` found, `</job>` expected: `<job>` was opened in line 4",
    ),
    ("W0101", &[("</workflow>", "§<§/workflow")], "tag not closed"),
    ("W0101", &[("<workflow>", "<§workflow§>"), ("</workflow>", "")], "`<workflow>` is never closed"),
    ("W0101", &[("<finalnode ", "§<§!-- <finalnode ")], "comment not closed"),
    ("W0101", &[("<edges>", "<edges><!-- a §--§ b -->")], "`--` found inside a comment"),
    ("W0101", &[("id=\"v\" value", "id=\"v\"§v§alue")], "a blank is expected between attributes, found `v`"),
    ("W0101", &[("id=\"v\" value", "id=§v§ value")], "a quote is expected before the value of `id`"),
    ("W0101", &[("id=\"v\" value", "id=§\u{201C}§v\u{201D} value")], "straight quotes"),
    ("W0101", &[("id=\"v\" value=\"1", "id=\"v value=\"§1§")], "a blank is expected"),
    ("W0101", &[("id=\"j\"/>", "id=§\"§j/>\n<x y=\"\"/>")], "the value of `id` has no closing `\"`"),
    ("W0101", &[("<value id=\"v\"", "<value §\"§v\"")], "an attribute name is expected, found `\"`"),
    ("W0101", &[("id=\"v\" value", "id §v§alue")], "`=` is expected after the attribute name `id`"),
    ("W0101", &[("<value id", "<§1§value id")], "an element name is expected"),
    ("W0101", &[("</workflow>", "</workflow>\n<§workflow§/>")], "one root is expected"),
    ("W0101", &[("</workflow>", "</workflow>\n §x§")], "text found outside the root"),
    ("W0101", &[("<nodes>", "§<?xml version=\"1.0\"?>§<nodes>")], "very first thing"),
    ("W0101", &[("<nodes>", "<nodes><!-- §\u{1}§ -->")], "U+0001 is not allowed"),
    (
        "W0102",
        &[("<workflow>", "§<?xml version=\"1.0\" encoding=\"latin1\"?>§<workflow>")],
        "`latin1` is declared",
    ),
    (
        "W0103",
        &[("<workflow>", "§<!DOCTYPE§ workflow [<!ENTITY x \"y\">]><workflow>")],
        "delete the declaration",
    ),
    ("W0103", &[("<workflow>", "§<!DOCTYPE§ workflow SYSTEM \"file:///etc/passwd\"><workflow>")], "refused"),
    ("W0104", &[("id=\"e1\"", "id=\"§&nbsp;§\"")], "`&nbsp;` denotes nothing"),
    ("W0104", &[("id=\"e1\"", "id=\"§&§\"")], "write `&amp;`"),
    ("W0104", &[("id=\"e1\"", "id=\"a§&#x110000;§\"")], "denotes nothing"),
    ("W0105", &[("id=\"list\" ", "id=\"list\" §id§=\"w\" ")], "`id` is given twice"),
    ("W0107", &[("paramdest=\"a\"/>", "paramdest=\"a\" §/\n\t>§")], "write `/>` without a blank"),
];

const POOL_PARTS: &[(&str, &str)] = &[
    (
        "  <processor id=\"proc\" src=\"Add\" returntype=\"Number\">
        <parameters><parameter id=\"e\" paramtype=\"Number\"/></parameters>
      </processor>\n",
        "",
    ),
    ("<pool ", "<§pool§ "),
];

pub(crate) const STRUCTURE: &[Case] = &[
    ("W0110", &[("<edges>", "<edges><§egde§ id=\"q\"/>")], "did you mean `edge`?"),
    ("W0110", &[("<nodes>", "<nodes><§task§ id=\"q\"><x/></task>")], "unknown element `task` in `<nodes>`"),
    ("W0110", &[("<workflow>", "<§flow§>"), ("</workflow>", "</flow>")], "the root element is `flow`"),
    ("W0111", &[("<workflow>", "<§nodes§>"), ("</workflow>", "</nodes>")], "`<workflow>` is expected"),
    ("W0111", &[("<edges>", "<edges><§job§/>")], "it belongs into `<nodes>`"),
    ("W0111", &[("<edges>", "<edges><§processor§/>")], "it belongs into `<pool>`"),
    (
        "W0111",
        &[("  </edges>", ""), ("<finalnode id=\"j\"/>", "<§finalnode§ id=\"j\"/></edges>")],
        "it belongs into `<workflow>`",
    ),
    (
        "W0112",
        &[("</workflow>", "<§finalnode§ id=\"p\"/></workflow>")],
        "`<finalnode>` stands twice in `<workflow>`",
    ),
    (
        "W0113",
        &[("<finalnode id=\"j\"/>", ""), ("<workflow>", "<§workflow§>")],
        "`<workflow>` has no `<finalnode>`",
    ),
    ("W0113", POOL_PARTS, "`<pool>` has no `<processor>`"),
    ("W0114", &[("<pool id", "<pool §returntyp§=\"x\" id")], "unknown attribute `returntyp` on `<pool>`"),
    (
        "W0114",
        &[("value=\"1\" ", "§valeu§=\"1\" src=\"list\" "), ("src=\"list\" ", "value=\"1\" ")],
        "`valeu`",
    ),
    ("W0114", &[("dest=\"p\"", "§dst§=\"p\""), ("id=\"x\"", "id=\"x\"")], "did you mean `dest`?"),
    ("W0114", &[("<edges>", "<edges §id§=\"x\">")], "unknown attribute `id` on `<edges>`"),
    ("W0115", &[("<edge id=\"e3\" source=\"list\"", "<§edge§ id=\"e3\"")], "no attribute `source`"),
    ("W0116", &[("<edges>", "<edges>§é stray§")], "only elements can stand"),
    ("W0116", &[("<edges>", "<edges>§&amp;§")], "only elements can stand"),
    ("W0116", &[("<edges>", "<edges>§<![CDATA[x]]>§")], "only elements can stand"),
];
