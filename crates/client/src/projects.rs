//! A function for each operation about projects and their members.
//!
//! Spells no path: the table of `weevil-api` does.

use weevil_api::routes::{Operation, search};
use weevil_api::{
    LinkMade, MemberAsked, MemberPage, ProjectAsked, ProjectInvite, ProjectPage, ProjectView, QuotasAsked,
    UsageView,
};
use weevil_model::limits::MAX_PAGE;

use crate::Server;

/// Projects; each function answers in words for people where it is refused.
impl Server {
    /// A page of those that who asks may see, those behind what `after` names.
    ///
    /// # Errors
    /// In words for people.
    pub fn projects(&self, after: Option<&str>) -> Result<ProjectPage, String> {
        self.get(&(Operation::ListProjects.path(&[]) + &page(after)))
    }

    /// # Errors
    /// In words for people: who asks may not, the name is taken, or there are as many as there may be.
    pub fn make_project(&self, asked: &ProjectAsked) -> Result<ProjectView, String> {
        self.post_json(&Operation::MakeProject.path(&[]), asked)
    }

    /// # Errors
    /// In words for people: there is no such project for who asks.
    pub fn project(&self, slug: &str) -> Result<ProjectView, String> {
        self.get(&Operation::ShowProject.path(&[&slug]))
    }

    /// # Errors
    /// As those of `project`.
    pub fn usage(&self, slug: &str) -> Result<UsageView, String> {
        self.get(&Operation::ShowUsage.path(&[&slug]))
    }

    /// # Errors
    /// As those of `project`; or who asks may not.
    pub fn set_quotas(&self, slug: &str, quotas: &QuotasAsked) -> Result<ProjectView, String> {
        self.put_json(&Operation::SetQuotas.path(&[&slug]), quotas)
    }

    /// From now on it takes nothing new, or does again.
    ///
    /// # Errors
    /// As those of `set_quotas`.
    pub fn archive_project(&self, slug: &str, archived: bool) -> Result<ProjectView, String> {
        let operation = if archived { Operation::ArchiveProject } else { Operation::RestoreProject };
        self.post_nothing(&operation.path(&[&slug]))
    }

    /// A page of its members, those behind what `after` names.
    ///
    /// # Errors
    /// As those of `project`.
    pub fn members(&self, slug: &str, after: Option<&str>) -> Result<MemberPage, String> {
        self.get(&(Operation::ListMembers.path(&[&slug]) + &page(after)))
    }

    /// Makes somebody a member, or gives a member another role.
    ///
    /// # Errors
    /// As those of `set_quotas`; there is no such account, or no such role.
    pub fn set_member(&self, slug: &str, account: &str, role: &str) -> Result<(), String> {
        let path = Operation::SetMember.path(&[&slug, &account]);
        self.put_json(&path, &MemberAsked { role: role.to_owned() })
    }

    /// # Errors
    /// As those of `set_quotas`; the account is no member.
    pub fn remove_member(&self, slug: &str, account: &str) -> Result<(), String> {
        let path = Operation::RemoveMember.path(&[&slug, &account]);
        self.delete(&path).map_err(|refused| refused.message)
    }

    /// # Errors
    /// As those of `set_quotas`; there is no such role, or no such number of hours.
    pub fn invite_to(&self, slug: &str, asked: &ProjectInvite) -> Result<LinkMade, String> {
        self.post_json(&Operation::InviteToProject.path(&[&slug]), asked)
    }
}

fn page(after: Option<&str>) -> String {
    let (after, most) = (after.as_ref().map(|after| after as _), MAX_PAGE);
    search(&[("after", after), ("limit", Some(&most))])
}
