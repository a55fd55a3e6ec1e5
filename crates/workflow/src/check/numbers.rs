//! Numbers as JavaScript's `Number()` reads them (ECMA-262, `StringToNumber`), except that nonsense is a problem
//! and not `NaN`, and that an empty text is not 0.

/// The number that `text` denotes.
pub(super) fn parse(text: &str) -> Option<f64> {
    let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if text.get(..2).is_some_and(|head| head.eq_ignore_ascii_case(prefix)) {
            return whole(&text[2..], radix);
        }
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let negative = text.starts_with('-');
    match unsigned {
        "Infinity" if negative => Some(f64::NEG_INFINITY),
        "Infinity" => Some(f64::INFINITY),
        "NaN" if text == "NaN" => Some(f64::NAN),
        _ => is_decimal(unsigned).then(|| text.parse().ok()).flatten(),
    }
}

/// Up to 128 bits, which are rounded as JavaScript rounds them.
fn whole(digits: &str, radix: u32) -> Option<f64> {
    let plain = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    plain.then(|| u128::from_str_radix(digits, radix).ok()).flatten().map(|number| number as f64)
}

/// `StrUnsignedDecimalLiteral` without `Infinity`: Rust's own reader takes words that JavaScript's does not.
fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e)));
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_is_sound = exponent.is_none_or(|exponent| {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !unsigned.is_empty() && digits(unsigned)
    });
    digits(before) && digits(after) && !(before.is_empty() && after.is_empty()) && exponent_is_sound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_javascript_reads_them() {
        for (text, expected) in [
            ("44", 44.0),
            (" \t44\n", 44.0),
            ("+5", 5.0),
            ("-0.5", -0.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
            ("1E-2", 0.01),
            ("0.1", 0.1),
            ("1e400", f64::INFINITY),
            ("Infinity", f64::INFINITY),
            ("+Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("0xFf", 255.0),
            ("0b101", 5.0),
            ("0O17", 15.0),
            ("0xffffffffffffffffff", 4_722_366_482_869_645_213_695.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
        ] {
            assert_eq!(parse(text), Some(expected), "{text:?}");
        }
        assert!(parse("NaN").is_some_and(f64::is_nan));
        assert!(parse("-0").is_some_and(|zero| zero == 0.0 && zero.is_sign_negative()));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in [
            "", " ", "abc", "4 4", "1_000", "0x", "-0x1", "+NaN", "inf", "infinity", "nan", ".", "e5", "1e",
            "1e+", "1.2.3", "٣", "0b2", "1n", "é",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
