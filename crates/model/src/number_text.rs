//! A number as JavaScript writes it (ECMA-262, `Number::toString`), but for -0, which keeps its sign.
//!
//! Never rounds: the digits are the shortest that are read back as the same number.

use std::io::Write as _;

/// Whole numbers below ten to this are written without an exponent.
const MOST_DIGITS: i32 = 21;
/// So many zeros behind the point are written at most.
const MOST_ZEROS: i32 = 6;

pub(crate) fn write_number_text(number: f64, to: &mut Vec<u8>) {
    if number.is_nan() {
        return to.extend_from_slice(b"NaN");
    }
    if number.is_sign_negative() {
        to.push(b'-');
    }
    if number.is_infinite() {
        return to.extend_from_slice(b"Infinity");
    }
    // One digit, a point, the others, and the exponent of ten.
    let scientific = format!("{:e}", number.abs());
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = digits.replace('.', "");
    place(digits.as_bytes(), exponent.parse::<i32>().unwrap_or_default() + 1, to);
}

/// Puts the point behind as many digits.
fn place(digits: &[u8], point: i32, to: &mut Vec<u8>) {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match usize::try_from(point) {
        Ok(whole) if count <= point && point <= MOST_DIGITS => {
            to.extend_from_slice(digits);
            to.extend(std::iter::repeat_n(b'0', whole - digits.len()));
        }
        Ok(whole) if (1..=MOST_DIGITS).contains(&point) => {
            to.extend_from_slice(&digits[..whole]);
            to.push(b'.');
            to.extend_from_slice(&digits[whole..]);
        }
        _ if -MOST_ZEROS < point && point <= 0 => {
            to.extend_from_slice(b"0.");
            to.extend(std::iter::repeat_n(b'0', usize::try_from(-point).unwrap_or_default()));
            to.extend_from_slice(digits);
        }
        _ => with_exponent(digits, point - 1, to),
    }
}

fn with_exponent(digits: &[u8], exponent: i32, to: &mut Vec<u8>) {
    let (first, others) = digits.split_at(1);
    to.extend_from_slice(first);
    if !others.is_empty() {
        to.push(b'.');
        to.extend_from_slice(others);
    }
    // A Vec never refuses bytes.
    let _infallible = write!(to, "e{exponent:+}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a browser's console says.
    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (157.0, "157"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-6, "0.000001"),
            (1.5e-6, "0.0000015"),
            (1e-7, "1e-7"),
            (-1.25e-7, "-1.25e-7"),
            (5e-324, "5e-324"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (f64::from(1.1_f32), "1.100000023841858"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            let mut written = Vec::new();
            write_number_text(number, &mut written);
            assert_eq!(String::from_utf8(written).unwrap(), text);
        }
    }
}
