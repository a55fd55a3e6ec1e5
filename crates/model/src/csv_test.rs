//! Which values become tables, what stands in those, and what is refused.

use serde_json::json;

use super::*;
use crate::Value;

fn encoded(view: serde_json::Value) -> Encoded {
    Encoded::of(&Value::from_view(view).unwrap()).unwrap()
}

fn text(pieces: CsvPieces) -> String {
    String::from_utf8(pieces.flatten().collect()).unwrap()
}

#[test]
fn values_become_tables() {
    for (view, lines) in [
        (json!(157), &["value", "157"][..]),
        (json!({ "$number": "-0" }), &["value", "-0"]),
        (json!({ "$undefined": true }), &["value", "undefined"]),
        (json!("a \"b\"\r\nc,"), &["value", "\"a \"\"b\"\"\r\nc,\""]),
        (json!([]), &["value"]),
        (
            json!([1, { "$number": "NaN" }, "NaN", null, true, "=1+1", "+1", "-1", "@a", "a=b"]),
            &[
                "value",
                "1",
                "NaN",
                "\"NaN\"",
                "null",
                "true",
                "\"'=1+1\"",
                "\"'+1\"",
                "\"'-1\"",
                "\"'@a\"",
                "\"a=b\"",
            ],
        ),
        (json!({ "$typed": "Int16Array", "values": [-1, 2] }), &["value", "-1", "2"]),
        (
            json!({ "$typed": "BigUint64Array", "values": ["18446744073709551615"] }),
            &["value", "18446744073709551615"],
        ),
        (
            json!({ "$typed": "BigInt64Array", "values": ["-9223372036854775808"] }),
            &["value", "-9223372036854775808"],
        ),
        (json!({ "$typed": "Float32Array", "values": [0.5, { "$number": "-0" }] }), &["value", "0.5", "-0"]),
        (json!([[1, 2.5], ["a", null]]), &["0,1", "1,2.5", "\"a\",null"]),
        (json!([{ "$typed": "Uint8Array", "values": [1, 2] }, [3, 4]]), &["0,1", "1,2", "3,4"]),
        (json!([[], []]), &["", "", ""]),
        (
            json!([{ "x": 1, "=y": "a" }, { "z": { "$undefined": true }, "x": 2 }]),
            &["\"x\",\"'=y\",\"z\"", "1,\"a\",", "2,,undefined"],
        ),
    ] {
        let pieces = CsvPieces::of(&encoded(view.clone())).unwrap();
        let expected: String = lines.iter().flat_map(|line| [line, "\r\n"]).collect();
        assert_eq!(pieces.bytes(), expected.len() as u64, "{view}");
        assert_eq!(text(pieces), expected, "{view}");
    }
}

#[test]
fn what_is_no_table_says_why() {
    let wide = vec![1; MAX_COLUMNS + 1];
    let empty: Vec<_> =
        std::iter::once(json!({ "a": 1, "b": 2, "c": 3 })).chain(vec![json!({}); 9]).collect();
    for (view, why) in [
        (json!({ "a": 1 }), NoTable::Object),
        (json!([1, [2]]), NoTable::Nested),
        (json!([[1], [[2]]]), NoTable::Nested),
        (json!([{ "a": {} }]), NoTable::Nested),
        (json!([[1, 2], [3]]), NoTable::Uneven),
        (json!([[1], 2]), NoTable::Uneven),
        (json!([{ "a": 1 }, 2]), NoTable::Unlike),
        (json!([{}]), NoTable::Unlike),
        (json!(empty), NoTable::Unlike),
        (json!([wide]), NoTable::Wide),
    ] {
        assert_eq!(CsvPieces::of(&encoded(view.clone())).err(), Some(why), "{view}");
    }
}

#[test]
fn a_long_table_comes_in_pieces_of_whole_rows() {
    let rows: Vec<_> = (0..20_000).map(|at| json!([at, "x\r\n"])).collect();
    let pieces = CsvPieces::of(&encoded(json!(rows))).unwrap();
    let told: Vec<Vec<u8>> = pieces.clone().collect();
    assert!(
        told.len() > 3
            && told.iter().all(|piece| piece.len() < PIECE_BYTES + 100 && piece.ends_with(LINE_END))
    );
    assert_eq!(pieces.bytes(), told.concat().len() as u64);
}

#[test]
fn a_table_ends_with_the_last_row_that_fits() {
    let pieces = CsvPieces::of(&encoded(json!([10, 20, 30]))).unwrap();
    for (room, expected) in [
        (0, ""),
        (6, ""),
        (7, "value\r\n"),
        (14, "value\r\n10\r\n"),
        (15, "value\r\n10\r\n20\r\n"),
        (19, "value\r\n10\r\n20\r\n30\r\n"),
        (u64::MAX, "value\r\n10\r\n20\r\n30\r\n"),
    ] {
        assert_eq!(text(pieces.clone().within(room)), expected, "{room}");
    }
}
