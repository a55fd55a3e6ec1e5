//! A setting of the server as it is told: its key, its value unless that may be a secret, and where it comes from.
//!
//! The one source of what `weevil serve --print-config` prints and of what the console shows. Never holds a secret.

use std::fmt;

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// As a file of settings names it.
    pub key: String,
    pub value: Told,
}

/// What is told of its value, and where that comes from: `flag`, `default`, a variable of the environment, a line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    NotSet,
    /// It may be a secret, which is not kept here.
    Secret {
        origin: String,
    },
    /// A number, or a switch.
    Bare {
        value: String,
        origin: String,
    },
    Text {
        value: String,
        origin: String,
    },
}

/// A line of a file of settings; a comment where there is no value to tell.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match &self.value {
            Told::NotSet => writeln!(f, "# {key} is not set"),
            Told::Secret { origin } => {
                writeln!(f, "# {key} is set and not shown: it may hold a secret # {origin}")
            }
            Told::Bare { value, origin } => writeln!(f, "{key} = {value} # {origin}"),
            // A string of JSON is one of TOML.
            Told::Text { value, origin } => {
                writeln!(f, "{key} = {} # {origin}", serde_json::Value::from(value.as_str()))
            }
        }
    }
}
