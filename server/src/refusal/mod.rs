//! Refusals: the table of them, their pages, and how one looks to a client that speaks XML.

mod in_xml;
#[cfg(test)]
mod pages_test;
mod seats;
mod table;

pub(crate) use in_xml::InXml;
pub(crate) use table::{Refusal, without_cause};
