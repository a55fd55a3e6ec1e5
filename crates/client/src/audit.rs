//! Reading the audit: page by page, or all of it line by line.

use std::fmt::Display;
use std::io::{BufRead, BufReader};

use weevil_api::routes::{Operation, search};
use weevil_api::{AuditPage, AuditRowView};
use weevil_model::limits::MAX_PAGE;

use crate::Server;

/// Which rows: those that fit all that is named.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// The id of an account or of a token, `local`, `system` or `nobody`.
    pub actor: Option<String>,
    /// As `token.created`.
    pub action: Option<String>,
    /// The project's id.
    pub project: Option<String>,
    /// The first moment, in milliseconds since 1970.
    pub from: Option<i64>,
    /// The first moment no more.
    pub to: Option<i64>,
}

impl AuditFilter {
    fn search(&self, more: &[(&str, Option<&dyn Display>)]) -> String {
        fn shown<T: Display>(value: Option<&T>) -> Option<&dyn Display> {
            value.map(|value| value as _)
        }
        let Self { actor, action, project, from, to } = self;
        let own = [
            ("actor", shown(actor.as_ref())),
            ("action", shown(action.as_ref())),
            ("project", shown(project.as_ref())),
            ("from", shown(from.as_ref())),
            ("to", shown(to.as_ref())),
        ];
        search(&[&own[..], more].concat())
    }
}

impl Server {
    /// A page of the audit, the newest row first, behind what `after` names.
    ///
    /// # Errors
    /// In words for people.
    pub fn audit(&self, filter: &AuditFilter, after: Option<&str>) -> Result<AuditPage, String> {
        let (after, most) = (after.as_ref().map(|after| after as _), MAX_PAGE);
        let query = filter.search(&[("after", after), ("limit", Some(&most))]);
        self.get(&(Operation::ListAudit.path(&[]) + &query))
    }

    /// All of it, the newest row first: `tell` hears of each.
    ///
    /// # Errors
    /// In words for people. What was told before an error is not all.
    pub fn export_audit(
        &self,
        filter: &AuditFilter,
        mut tell: impl FnMut(&AuditRowView),
    ) -> Result<(), String> {
        let answer = self.open(&(Operation::ExportAudit.path(&[]) + &filter.search(&[])))?;
        for read in BufReader::new(answer.into_body().into_reader()).lines() {
            let line = read.map_err(|error| format!("the export broke off, and is not all: {error}"))?;
            tell(&serde_json::from_str(&line).map_err(|error| format!("the export is not read: {error}"))?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_is_left_out() {
        let filter =
            AuditFilter { action: Some("token.created".into()), from: Some(-7), ..Default::default() };
        assert_eq!(filter.search(&[("limit", Some(&9))]), "?action=token.created&from=-7&limit=9");
        assert_eq!(AuditFilter::default().search(&[]), "");
    }
}
