//! Refusals: the table of them, their pages, and how one looks to a client that speaks XML.

pub(crate) mod error_pages;
mod in_xml;
#[cfg(test)]
mod pages_test;
mod table;

pub(crate) use in_xml::InXml;
pub(crate) use table::{Refusal, without_cause};
