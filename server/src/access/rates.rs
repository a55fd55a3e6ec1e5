//! Rates of the API: what is left to whoever asks, by token, else account, else place; and the headers that tell it.
//!
//! In memory alone, so they begin anew with the server. Never reads a clock. The caller `local` and this machine itself have no
//! limits: they are not asked about here.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::http::header::{HeaderName, HeaderValue};
use weevil_access::limits::{MAX_STREAMS, READS_A_MINUTE, SUBMITS_A_MINUTE, WRITES_A_MINUTE};
use weevil_access::{Buckets, Level, OpenStreams};
use weevil_api::routes::Rate;
use weevil_engine::budget::Peer;
use weevil_model::{AccountId, Timestamp, TokenId};

/// As the IETF's draft-ietf-httpapi-ratelimit-headers-10 has them.
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Whose requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Token(TokenId),
    Account(AccountId),
    Place(Peer),
}

/// One request of a rate, as it was counted.
#[derive(Debug)]
pub(crate) struct Charge {
    rate: Rate,
    remaining: u64,
    /// Seconds until all of it is there again; streams have no such moment.
    full_in: Option<u64>,
    /// Open for as long as it is kept.
    stream: Option<OpenStream>,
}

/// There is nothing left of a rate.
#[derive(Debug)]
pub(crate) struct Exhausted {
    pub charge: Charge,
    /// Seconds after which one more is answered.
    pub retry_in: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Rates {
    read: Mutex<Buckets<Subject>>,
    write: Mutex<Buckets<Subject>>,
    submit: Mutex<Buckets<Subject>>,
    streams: Arc<Mutex<OpenStreams<Subject>>>,
}

/// A stream that is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct OpenStream {
    streams: Arc<Mutex<OpenStreams<Subject>>>,
    subject: Subject,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        held(&self.streams).close(self.subject);
    }
}

impl Rates {
    /// Counts one request; `None` for what has no rate.
    pub(crate) fn charge(
        &self,
        rate: Rate,
        subject: Subject,
        now: Timestamp,
    ) -> Result<Option<Charge>, Exhausted> {
        let (buckets, a_minute) = match rate {
            Rate::None => return Ok(None),
            Rate::Stream => return self.open(subject).map(Some),
            Rate::Read => (&self.read, READS_A_MINUTE),
            Rate::Write => (&self.write, WRITES_A_MINUTE),
            Rate::Submit => (&self.submit, SUBMITS_A_MINUTE),
        };
        let charge = |level: Level| Charge {
            rate,
            remaining: level.remaining,
            full_in: Some(level.full_in_ms.div_ceil(1000)),
            stream: None,
        };
        match held(buckets).take(subject, a_minute, 1, now) {
            Ok(level) => Ok(Some(charge(level))),
            Err(empty) => {
                Err(Exhausted { charge: charge(empty.level), retry_in: empty.retry_in_ms.div_ceil(1000) })
            }
        }
    }

    fn open(&self, subject: Subject) -> Result<Charge, Exhausted> {
        let charge = |remaining, stream| Charge { rate: Rate::Stream, remaining, full_in: None, stream };
        let Some(left) = held(&self.streams).open(subject) else {
            return Err(Exhausted { charge: charge(0, None), retry_in: 1 });
        };
        let stream = OpenStream { streams: self.streams.clone(), subject };
        Ok(charge(left as u64, Some(stream)))
    }
}

impl Charge {
    /// The rate's own name.
    pub(crate) const fn name(&self) -> &'static str {
        self.rate.as_str()
    }

    /// Who answers with a stream keeps it for as long as that is open.
    pub(crate) fn take_stream(&mut self) -> Option<OpenStream> {
        self.stream.take()
    }

    /// What an answer tells of it.
    pub(crate) fn headers(&self) -> Option<[(HeaderName, HeaderValue); 2]> {
        let (name, remaining) = (self.rate.as_str(), self.remaining);
        let quota = match self.rate {
            Rate::None => return None,
            Rate::Stream => MAX_STREAMS.to_string(),
            Rate::Read => format!("{READS_A_MINUTE};w=60"),
            Rate::Write => format!("{WRITES_A_MINUTE};w=60"),
            Rate::Submit => format!("{SUBMITS_A_MINUTE};w=60"),
        };
        let full_in = self.full_in.map(|seconds| format!(";t={seconds}")).unwrap_or_default();
        let policy = HeaderValue::try_from(format!(r#""{name}";q={quota}"#)).ok()?;
        let limit = HeaderValue::try_from(format!(r#""{name}";r={remaining}{full_in}"#)).ok()?;
        Some([(POLICY, policy), (LIMIT, limit)])
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ada() -> Subject {
        Subject::Account(AccountId::from_number(1).unwrap())
    }

    fn told(charge: &Charge) -> [String; 2] {
        charge.headers().unwrap().map(|(_, value)| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn each_rate_has_its_own_bucket_and_says_what_is_left() {
        let (rates, now) = (Rates::default(), Timestamp(5));
        for (rate, most, first) in [
            (Rate::Read, 1200, [r#""read";q=1200;w=60"#, r#""read";r=1199;t=1"#]),
            (Rate::Write, 300, [r#""write";q=300;w=60"#, r#""write";r=299;t=1"#]),
            (Rate::Submit, 600, [r#""submit";q=600;w=60"#, r#""submit";r=599;t=1"#]),
        ] {
            assert_eq!(told(&rates.charge(rate, ada(), now).unwrap().unwrap()), first);
            assert!((1..most).all(|_| rates.charge(rate, ada(), now).is_ok()), "{rate:?}");
            let Exhausted { charge, retry_in } = rates.charge(rate, ada(), now).unwrap_err();
            assert_eq!((retry_in, charge.remaining, charge.full_in), (1, 0, Some(60)), "{rate:?}");
            assert!(rates.charge(rate, ada(), now.plus_ms(1000)).is_ok(), "{rate:?}: time brings some back");
        }
        assert!(matches!(rates.charge(Rate::None, ada(), now), Ok(None)));
    }

    #[test]
    fn streams_are_counted_while_they_are_open() {
        let (rates, now) = (Rates::default(), Timestamp(5));
        let mut open: Vec<Charge> =
            (0..32).map(|_| rates.charge(Rate::Stream, ada(), now).unwrap().unwrap()).collect();
        assert_eq!(told(&open[0]), [r#""stream";q=32"#, r#""stream";r=31"#]);
        assert!(rates.charge(Rate::Stream, ada(), now).is_err());
        let stream = open[7].take_stream();
        open.remove(7);
        assert!(rates.charge(Rate::Stream, ada(), now).is_err(), "its answer goes on");
        drop(stream);
        assert!(rates.charge(Rate::Stream, ada(), now).is_ok());
    }
}
