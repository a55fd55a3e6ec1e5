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

const VALUE: &str = "<value id=\"v\" value=\"1\" returntype=\"Number\"/>";

const MISPLACED_NODE: &[(&str, &str)] =
    &[(VALUE, ""), ("<edges>", "<edges><§value§ id=\"v\" value=\"1\" returntype=\"Number\"/>")];

const MISPLACED_EDGE: &[(&str, &str)] = &[
    ("<edge id=\"e3\" source=\"list\" dest=\"p\"/>", ""),
    (VALUE, "<value id=\"v\" value=\"1\" returntype=\"Number\"/><§edge§ source=\"list\" dest=\"p\"/>"),
];

pub(crate) const STRUCTURE: &[Case] = &[
    ("W0110", &[("<edge id=\"e1\"", "<§egde§ id=\"e1\"")], "did you mean `edge`?"),
    ("W0110", &[("<value id=\"v\"", "<§vale§ id=\"v\"")], "did you mean `value`?"),
    ("W0110", &[("<value id=\"v\"", "<§Value§ id=\"v\"")], "did you mean `value`?"),
    ("W0110", &[("<job id=\"j\"", "<§jobb§ id=\"j\""), ("</job>", "</jobb>")], "did you mean `job`?"),
    ("W0110", &[("<value id=\"v\"", "<§constant§ id=\"v\"")], "`<nodes>` holds `<value>`, `<job>`, `<pool>`"),
    ("W0110", &[("<finalnode", "<§finalNode§")], "did you mean `finalnode`?"),
    ("W0110", &[("<parameter id=\"a\"", "<§paramter§ id=\"a\"")], "did you mean `parameter`?"),
    ("W0110", &[("<nodes>", "<§node§>"), ("</nodes>", "</node>")], "did you mean `nodes`?"),
    (
        "W0110",
        &[("<processor ", "<§proccessor§ "), ("</processor>", "</proccessor>")],
        "did you mean `processor`?",
    ),
    (
        "W0110",
        &[("<finalnode", "<§x§/><finalnode")],
        "`<workflow>` holds `<nodes>`, `<finalnode>`, `<edges>`",
    ),
    (
        "W0110",
        &[("<finalnode id=\"j\"/>", "<finalnode id=\"j\"><§x§/></finalnode>")],
        "`<finalnode>` holds no elements",
    ),
    ("W0110", &[("<workflow>", "<§Workflow§>"), ("</workflow>", "</Workflow>")], "did you mean `workflow`?"),
    ("W0110", &[("<nodes>", "<nodes><§task§ id=\"q\"><x/></task>")], "unknown element `task` in `<nodes>`"),
    ("W0110", &[("<workflow>", "<§flow§>"), ("</workflow>", "</flow>")], "the root element is `flow`"),
    ("W0111", &[("<workflow>", "<§nodes§>"), ("</workflow>", "</nodes>")], "`<workflow>` is expected"),
    ("W0111", MISPLACED_NODE, "it belongs into `<nodes>`"),
    (
        "W0111",
        &[(VALUE, ""), ("<processor ", "<§value§ id=\"v\" value=\"1\" returntype=\"Number\"/><processor ")],
        "it belongs into `<nodes>`",
    ),
    ("W0111", MISPLACED_EDGE, "it belongs into `<edges>`"),
    (
        "W0111",
        &[
            ("<nodes>\n", "<nodes>\n<§edges§><edge source=\"list\" dest=\"p\"/></edges>"),
            ("<edge id=\"e3\" source=\"list\" dest=\"p\"/>", ""),
        ],
        "it belongs into `<workflow>`",
    ),
    (
        "W0111",
        &[(
            "<parameters><parameter id=\"e\" paramtype=\"Number\"/></parameters>",
            "<§parameter§ id=\"e\" paramtype=\"Number\"/>",
        )],
        "it belongs into `<parameters>`",
    ),
    (
        "W0111",
        &[("<nodes>", "<nodes><§processor§ id=\"q\" src=\"Add\" returntype=\"Number\"/>")],
        "it belongs into `<pool>`",
    ),
    ("W0111", &[("<nodes>", "<nodes><§workflow§/>")], "a document has one `<workflow>`"),
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
    ("W0112", &[("<value id=\"list\"", "</nodes><§nodes§><value id=\"list\"")], "put all into one"),
    (
        "W0113",
        &[("<finalnode id=\"j\"/>", ""), ("<workflow>", "<§workflow§>")],
        "`<workflow>` has no `<finalnode>`",
    ),
    (
        "W0113",
        &[("<finalnode id=\"j\"/>", ""), ("<workflow>", "<§workflow§>")],
        "add `<finalnode id=\"..\" />`",
    ),
    ("W0113", POOL_PARTS, "`<pool>` has no `<processor>`"),
    ("W0114", &[("<pool id", "<pool §returntyp§=\"x\" id")], "unknown attribute `returntyp` on `<pool>`"),
    (
        "W0114",
        &[("value=\"1\" ", "§valeu§=\"1\" src=\"list\" "), ("src=\"list\" ", "value=\"1\" ")],
        "`valeu`",
    ),
    ("W0114", &[("dest=\"p\"", "§dst§=\"p\""), ("id=\"x\"", "id=\"x\"")], "did you mean `dest`?"),
    ("W0114", &[("returntype=\"Number\"", "§type§=\"Number\"")], "did you mean `returntype`?"),
    ("W0114", &[("returntype=\"Number\"", "§Returntype§=\"Number\"")], "did you mean `returntype`?"),
    ("W0114", &[("src=\"Add\" returntype", "src=\"Add\" §type§")], "did you mean `returntype`?"),
    ("W0114", &[("<job ", "<job §type§=\"javascript\" ")], "did you mean `jobtype`?"),
    ("W0114", &[("paramtype", "§type§")], "did you mean `paramtype`?"),
    ("W0114", &[("source=\"v\"", "§from§=\"v\"")], "did you mean `source`?"),
    ("W0114", &[("dest=\"j\"", "§to§=\"j\"")], "did you mean `dest`?"),
    ("W0114", &[("paramdest=\"a\"", "§port§=\"a\"")], "did you mean `paramdest`?"),
    ("W0114", &[("<value id=\"v\"", "<value §name§=\"v\"")], "did you mean `id`?"),
    ("W0114", &[("<parameter id=\"a\"", "<parameter §NAME§=\"a\"")], "did you mean `id`?"),
    ("W0114", &[("src=\"Add\"", "§file§=\"Add\"")], "did you mean `src`?"),
    ("W0114", &[("value=\"1\"", "§val§=\"1\"")], "did you mean `value`?"),
    (
        "W0114",
        &[("<value id=\"v\"", "<value §name§=\"x\" id=\"v\"")],
        "its attributes are `id`, `returntype`, `value`, `src`",
    ),
    ("W0114", &[("<edges>", "<edges §id§=\"x\">")], "unknown attribute `id` on `<edges>`"),
    ("W0114", &[("<edges>", "<edges §id§=\"x\">")], "`<edges>` has no attributes"),
    ("W0115", &[("<edge id=\"e3\" source=\"list\"", "<§edge§ id=\"e3\"")], "no attribute `source`"),
    ("W0115", &[("<job id=\"j\"", "<§job§")], "add `id=\"..\"`"),
    ("W0115", &[("<parameter id=\"a\"", "<§parameter§")], "no attribute `id`"),
    ("W0116", &[("<edges>", "<edges>§é stray§")], "only elements can stand"),
    ("W0116", &[("<edges>", "<edges>§&amp;§")], "only elements can stand"),
    ("W0116", &[("<edges>", "<edges>§<![CDATA[x]]>§")], "only elements can stand"),
];
