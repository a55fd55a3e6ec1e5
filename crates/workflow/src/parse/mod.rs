//! XML to document. Tolerant: goes on after a problem where that makes sense, so that one pass finds them all.
//!
//! quick-xml cuts the text into markup; names, attributes and nesting are judged here, because every problem needs its
//! exact place. Never resolves entities beyond XML's five, never reads a DTD.

mod attributes;
mod nesting;
mod references;
mod xml;

pub(crate) use xml::{decode, parse};
use xml::{found, is_name, is_xml_character};
