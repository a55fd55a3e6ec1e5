//! Projects and their members, as those who belong to them see them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::TokenView;

/// A room with walls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ProjectView {
    pub id: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub name: String,
    /// 0 for the first one, which every database has.
    #[ts(type = "number")]
    pub created_at: i64,
    /// Since when it takes nothing new.
    #[ts(type = "number | null")]
    pub archived_at: Option<i64>,
    pub quotas: QuotasView,
}

/// What a project may use; 0 is no bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct QuotasView {
    #[ts(type = "number")]
    pub open_jobs: u64,
    #[ts(type = "number")]
    pub open_runs: u64,
    #[ts(type = "number")]
    pub stored_bytes: u64,
    #[ts(type = "number")]
    pub jobs_a_minute: u64,
}

/// What a project uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UsageView {
    /// Jobs that have not ended, those of runs included.
    #[ts(type = "number")]
    pub open_jobs: u64,
    /// Runs that have not ended.
    #[ts(type = "number")]
    pub open_runs: u64,
    /// Bytes that are kept: inputs and results, files and code.
    #[ts(type = "number")]
    pub stored_bytes: u64,
}

/// Asks for a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ProjectAsked {
    /// Its name in addresses: 2 to 40 of `a-z 0-9 -`. It stays.
    pub slug: String,
    /// Its name for people: 1 to 100 characters.
    pub name: String,
    /// What it may use; what the server's settings say unless it is given.
    #[serde(default)]
    #[ts(optional)]
    pub quotas: Option<QuotasAsked>,
}

/// What a project is to be called from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ProjectChange {
    /// Its name for people: 1 to 100 characters.
    pub name: String,
}

/// What a project may use from now on; 0 is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuotasAsked {
    #[ts(type = "number")]
    pub open_jobs: u64,
    #[ts(type = "number")]
    pub open_runs: u64,
    #[ts(type = "number")]
    pub stored_bytes: u64,
    #[ts(type = "number")]
    pub jobs_a_minute: u64,
}

/// Asks for an invitation into a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ProjectInvite {
    /// What who accepts it is to be there: `viewer`, `researcher` or `admin`.
    pub role: String,
    /// How long it is good: 1 to 720; a week unless it is given.
    #[serde(default)]
    #[ts(optional)]
    pub hours: Option<u32>,
}

/// A token that is for one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProjectToken {
    pub token: TokenView,
    /// The id of the account whose it is.
    pub account: String,
    /// Its owner's name.
    pub owner: String,
}

/// A page of the tokens that are for a project, the oldest first, also of those that are over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProjectTokenPage {
    pub tokens: Vec<ProjectToken>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}

/// A page of projects, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProjectPage {
    pub projects: Vec<ProjectView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}

/// Somebody who belongs to a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemberView {
    /// The account's id.
    pub account: String,
    pub name: String,
    /// Its name for people.
    pub display: String,
    /// `viewer`, `researcher` or `admin`.
    pub role: String,
    #[ts(type = "number")]
    pub since: i64,
}

/// A page of a project's members, the oldest account first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MemberPage {
    pub members: Vec<MemberView>,
    /// The `after` of the next page; null at the end.
    pub next: Option<String>,
}

/// What somebody is to be in a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct MemberAsked {
    /// `viewer`, `researcher` or `admin`.
    pub role: String,
}
