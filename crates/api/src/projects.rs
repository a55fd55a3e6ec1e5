//! Projects and their members, as those who belong to them see them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
