//! Accounts and what belongs to them. A part that the audit tells of takes the audit's end first: so no two of them happen
//! at once, whichever server they are on, and none needs another lock.

pub(crate) mod accounts;
pub(crate) mod admins;
pub(crate) mod audit;
pub(crate) mod audit_pages;
pub(crate) mod expired;
pub(crate) mod links;
pub(crate) mod members;
pub(crate) mod projects;
pub(crate) mod secrets;
pub(crate) mod sessions;
pub(crate) mod tokens;
