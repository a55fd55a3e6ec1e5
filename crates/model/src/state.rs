//! The states of thesis 3.6.4, plus ANSWERED, FAILED and CANCELLED, and the kinds of nodes.
//!
//! Only the words: transitions live in `weevil-dataflow`.

use std::fmt;

use minicbor::decode::Error as DecodeError;
use minicbor::encode::{Error as EncodeError, Write};
use minicbor::{Decode, Decoder, Encode, Encoder};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

macro_rules! word_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
        pub enum $name { $(#[serde(rename = $text)] $variant),+ }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable text form, on the wire and in the store.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The variant with this text form.
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.as_str()) }
        }

        /// As the text form.
        impl<C> Encode<C> for $name {
            fn encode<W: Write>(&self, to: &mut Encoder<W>, _: &mut C) -> Result<(), EncodeError<W::Error>> {
                to.str(self.as_str())?.ok()
            }
        }

        impl<'b, C> Decode<'b, C> for $name {
            fn decode(from: &mut Decoder<'b>, _: &mut C) -> Result<Self, DecodeError> {
                Self::parse(from.str()?).ok_or_else(|| DecodeError::message("an unknown word"))
            }
        }
    };
}

word_enum! {
    /// The life of a run.
    RunState { Started = "STARTED", Finished = "FINISHED", Failed = "FAILED", Cancelled = "CANCELLED" }
}

word_enum! {
    /// The life of a node's executor. ANSWERED: an answer is there and waits to be believed.
    NodeState {
        Started = "STARTED",
        ParamNotFulfilled = "PARAM_NOT_FULFILLED",
        ParamFulfilled = "PARAM_FULFILLED",
        Enqueued = "ENQUEUED",
        Running = "RUNNING",
        Answered = "ANSWERED",
        Finished = "FINISHED",
        Failed = "FAILED",
        Cancelled = "CANCELLED",
    }
}

word_enum! {
    /// What a node is.
    NodeKind { Value = "value", Job = "job", Pool = "pool", Processor = "processor", Reducer = "reducer" }
}

word_enum! {
    /// What a job's code is made of.
    JobType { JavaScript = "javascript", WebCl = "webcl", Wasm = "wasm" }
}

impl RunState {
    pub const fn is_terminal(self) -> bool {
        !matches!(self, Self::Started)
    }
}

impl NodeState {
    pub const fn is_terminal(self) -> bool {
        matches!(self, Self::Finished | Self::Failed | Self::Cancelled)
    }

    /// Its place among [`Self::ALL`], where a byte stands for it: in a column, and in what tells the states of all nodes.
    pub const fn code(self) -> u8 {
        self as u8
    }

    pub fn of_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_parses_back() {
        for state in NodeState::ALL {
            assert_eq!(NodeState::parse(state.as_str()), Some(*state));
        }
        assert_eq!(NodeState::parse("SLEEPING"), None);
    }

    /// The codes are stored and on the wire: a new state goes to the end.
    #[test]
    fn every_code_leads_back_and_stays_what_it_was() {
        for state in NodeState::ALL {
            assert_eq!(NodeState::of_code(state.code()), Some(*state));
        }
        let codes = [NodeState::Started, NodeState::Running, NodeState::Cancelled].map(NodeState::code);
        assert_eq!((codes, NodeState::of_code(9)), ([0, 4, 8], None));
    }
}
