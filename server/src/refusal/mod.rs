//! Refusals: the table of them, and how one looks to a client that speaks XML.

mod in_xml;
#[cfg(test)]
mod pages_test;
mod table;

pub(crate) use in_xml::InXml;
pub(crate) use table::Refusal;
