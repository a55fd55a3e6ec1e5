//! What `weevil explain` says of the answers of a judged job.
//!
//! Only words: what became of an answer the server tells.

use weevil_api::{AnswerView, JobView, LotView};

use crate::whom::browser;

/// Digits of a digest that are enough to tell answers apart.
const DIGEST_DIGITS: usize = 12;

/// What the value of a judged job is believed on.
pub(crate) fn believed(job: &JobView) -> Option<String> {
    told(job.basis.as_deref(), job.answered.unwrap_or_default())
}

fn told(basis: Option<&str>, answers: u32) -> Option<String> {
    let on = match basis? {
        "trusted" => "the word of a trusted device",
        "referee" => "the word of the server",
        "proved" => "the proof of its workflow",
        "agreed" => "devices that agree",
        "lot" => "its lot",
        _ => return None,
    };
    Some(format!("answers: {answers}, believed on {on}"))
}

/// Whose an answer is, what it says, and what became of it.
pub(crate) fn answer_words(answer: &AnswerView, error: Option<&str>) -> String {
    let AnswerView { digest, device, engine, rank, role, lot, proof, fate } = answer;
    let whose = match device {
        Some(device) => format!("{} device {device}", rank.as_str()),
        None if engine == "server" => "the server itself".to_owned(),
        None => "a worker without a device key".to_owned(),
    };
    let what = match digest {
        Some(digest) => format!("value {}", digest.get(..DIGEST_DIGITS).unwrap_or(digest)),
        None => format!("error {}", error.unwrap_or_default()),
    };
    let fate = fate.as_deref().unwrap_or("not decided");
    let proof = proof.as_deref().map_or_else(String::new, |proof| format!("; by its proof it is {proof}"));
    let lot = lot.map_or_else(String::new, |lot| format!("; {}", lot_words(lot)));
    let (browser, role) = (browser(engine), role.as_str());
    format!("answered by {whose} ({browser}, {role}): {what}, {fate}{proof}{lot}")
}

/// How the lot stands that an answer is in.
fn lot_words(LotView { answers, checks, passed, .. }: LotView) -> String {
    format!("its lot has {answers} answers, {passed} of {checks} checks have passed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lot_is_told_beside_its_answer_and_what_a_value_is_believed_on() {
        let lot = LotView { answers: 61, closed: true, checks: 20, passed: 7 };
        assert_eq!(lot_words(lot), "its lot has 61 answers, 7 of 20 checks have passed");
        for (basis, words) in [
            (None, None),
            (Some("reused"), None),
            (Some("trusted"), Some("answers: 1, believed on the word of a trusted device")),
            (Some("referee"), Some("answers: 1, believed on the word of the server")),
            (Some("proved"), Some("answers: 1, believed on the proof of its workflow")),
            (Some("agreed"), Some("answers: 1, believed on devices that agree")),
            (Some("lot"), Some("answers: 1, believed on its lot")),
        ] {
            assert_eq!(told(basis, 1).as_deref(), words, "{basis:?}");
        }
    }
}
