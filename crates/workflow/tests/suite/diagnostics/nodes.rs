//! Cases of ids, types, values, jobs and pools.

use super::Case;

pub(crate) const NODES: &[Case] = &[
    ("W0120", &[("id=\"proc\"", "id=\"§§\"")], "the id is empty"),
    ("W0120", &[("id=\"proc\"", "id=\"§a/b§\"")], "'/'"),
    ("W0120", &[("id=\"r\"", "id=\"§a b§\"")], "' '"),
    ("W0120", &[("id=\"v\"", "id=\"§the v§\""), ("source=\"v\"", "source=\"the v\"")], "' '"),
    (
        "W0120",
        &[
            ("id=\"j\"", "id=\"§a/j§\""),
            ("dest=\"j\"", "dest=\"a/j\""),
            ("dest=\"j\"", "dest=\"a/j\""),
            ("finalnode id=\"j\"", "finalnode id=\"a/j\""),
        ],
        "'/'",
    ),
    (
        "W0120",
        &[("id=\"b\"", "id=\"§b c§\""), ("paramdest=\"b\"", "paramdest=\"b c\"")],
        "use letters, digits",
    ),
    ("W0121", &[("id=\"proc\"", "id=\"§v§\"")], "`v` is used twice, first in line 3"),
    ("W0121", &[("id=\"e2\"", "id=\"§e1§\"")], "first in line 19"),
    ("W0121", &[("id=\"red\"", "id=\"§proc§\"")], "`proc` is used twice, first in line 10"),
    (
        "W0122",
        &[("id=\"e\" paramtype=\"Number\"", "id=\"e\" paramtype=\"§number§\"")],
        "did you mean `Number`?",
    ),
    (
        "W0122",
        &[("id=\"e\" paramtype=\"Number\"", "id=\"e\" paramtype=\"§Tensor§\"")],
        "the types are Number, String",
    ),
    ("W0123", &[("<job ", "<job jobtype=\"§javascrpt§\" ")], "did you mean `javascript`?"),
    ("W0123", &[("<job ", "<job jobtype=\"§python§\" ")], "the jobtypes are javascript, webcl, wasm"),
    ("W0125", &[("<job ", "<job priority=\"§50001§\" ")], "from -50000 to 50000"),
    ("W0126", &[("<job ", "<job deterministic=\"§yes§\" ")], "`deterministic` is `yes`"),
    ("W0125", &[("<job ", "<job timeout=\"§0§\" ")], "from 1 to 86400"),
    (
        "W0125",
        &[("<reducer ", "<reducer retries=\"§1.5§\" ")],
        "`retries` is `1.5`; a whole number from 0 to 20",
    ),
    ("W0130", &[("value=\"1\"", "value=\"1\" §src§=\"list\"")], "both `value` and `src`"),
    ("W0131", &[("<value id=\"v\" value=\"1\"", "<§value§ id=\"v\"")], "neither `value` nor `src`"),
    ("W0132", &[("value=\"1\"", "value=\"§one§\"")], "not of type Number: found `one`"),
    ("W0132", &[("value=\"[1]\"", "value='[\"é\", 1§}§'")], "not of type Array"),
    ("W0134", &[("value=\"1\"", "src=\"§list§\"")], "`list.json` is not of type Number: found Array"),
    ("W0136", &[("src=\"Add\"", "src=\"§Adds§\"")], "looked for `Adds`, `Adds.js`"),
    ("W0136", &[("src=\"Add\"", "src=\"§Adds§\"")], "did you mean `Add`?"),
    ("W0136", &[("value=\"1\"", "src=\"§lost§\"")], "looked for `lost`, `lost.json`"),
];

const PROCESSOR_PORT: &str = "<parameter id=\"e\" paramtype=\"Number\"/>";

pub(crate) const POOLS: &[Case] = &[
    (
        "W0140",
        &[(PROCESSOR_PORT, ""), ("<processor", "<§processor§")],
        "a processor has exactly one parameter; found 0",
    ),
    (
        "W0140",
        &[(
            "id=\"r\" paramtype=\"Array\"/>",
            "id=\"r\" paramtype=\"Array\"/><§parameter§ id=\"s\" paramtype=\"Array\"/>",
        )],
        "a reducer has exactly one parameter; found 2",
    ),
    (
        "W0141",
        &[("id=\"r\" paramtype=\"Array\"", "id=\"r\" paramtype=\"§Float64Array§\"")],
        "Array is expected",
    ),
    (
        "W0142",
        &[
            ("id=\"x\" paramtype=\"Array\"", "id=\"x\" paramtype=\"§Object§\""),
            ("value=\"[1]\" returntype=\"Array\"", "value=\"{}\" returntype=\"Object\""),
        ],
        "found a port of type Object",
    ),
    (
        "W0142",
        &[
            (
                "id=\"x\" paramtype=\"Array\"/>",
                "id=\"x\" paramtype=\"Array\"/><§parameter§ id=\"y\" paramtype=\"Array\"/>",
            ),
            ("dest=\"p\"", "dest=\"p\" paramdest=\"x\"/><edge source=\"list\" dest=\"p\" paramdest=\"y\""),
        ],
        "found 2 ports",
    ),
    (
        "W0142",
        &[
            ("<pool", "<§pool§"),
            ("<parameters><parameter id=\"x\" paramtype=\"Array\"/></parameters>", ""),
            ("<edge id=\"e3\" source=\"list\" dest=\"p\"/>", ""),
        ],
        "found no port",
    ),
    (
        "W0143",
        &[
            ("<pool id=\"p\" returntype=\"Number\"", "<pool id=\"p\" returntype=\"§String§\""),
            ("id=\"b\" paramtype=\"Number\"", "id=\"b\" paramtype=\"String\""),
        ],
        "the pool returns String, but its reducer returns Number",
    ),
];
