//! The server's settings.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Answer to `GET /api/v1/settings`: what `weevil serve --print-config` prints, in its order, as it was at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingsView {
    pub settings: Vec<SettingView>,
}

/// A setting of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingView {
    /// Its key in a file of settings, and its flag behind `--`.
    pub key: String,
    /// Null where it is not set, and where it may hold a secret: that is told to nobody.
    pub value: Option<String>,
    /// `flag`, `environment` with the variable, a file with a line, or `default`; null where it is not set.
    pub origin: Option<String>,
}
