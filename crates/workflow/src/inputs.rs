//! Values for one run in the place of those that the document gives: several runs of one workflow with different data
//! (thesis 3.4.2). Only value nodes can be set, and only to a value of their type. Never changes the stored workflow.

use petgraph::graph::NodeIndex;
use weevil_model::{DataType, Encoded, EncodedError, NodeKind, Value};

use crate::check::{self, Unfit};
use crate::findings::quoted;
use crate::parse::decode;
use crate::places::{Place, Places};
use crate::plan::Plan;
use crate::spec::NodeBody;
use crate::suggest;

/// Why a value cannot be that of a node. The node is named by its id, in quotes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    #[error("no node has the id {id}; {cure}")]
    UnknownNode { id: String, cure: String },
    #[error("{id} is a {kind}, which computes its value; only a value node can be set")]
    NotAValue { id: String, kind: NodeKind },
    #[error("{id} is of type {expected}: {found}{}", cure(.help.as_deref()))]
    BadLiteral { id: String, expected: DataType, found: String, help: Option<String> },
    /// Line and column from 1, the column in characters.
    #[error("the file for {id} cannot be read: {problem} (line {line}, column {column}); mend the file")]
    Unreadable { id: String, line: u32, column: u32, problem: String },
    #[error("{id} is of type {expected}: {found}; give a value of that type")]
    OtherType { id: String, expected: DataType, found: String },
    #[error("{id} cannot be set: {problem}")]
    Unfit { id: String, problem: EncodedError },
}

fn cure(help: Option<&str>) -> String {
    help.map(|help| format!("; {help}")).unwrap_or_default()
}

/// Values for one run. Looking a node up costs the logarithm of the plan's size.
impl Plan {
    /// Reads `text` as the attribute `value` of this node is read.
    pub fn read_literal(&self, id: &str, text: &str) -> Result<Encoded, InputError> {
        let expected = self.node(self.value_node(id)?).return_type;
        let value = check::read_literal(text, expected).map_err(|problem| InputError::BadLiteral {
            id: quoted(id),
            expected,
            found: problem.message,
            help: problem.help,
        })?;
        encode(id, &value)
    }

    /// Reads a file's bytes as the file that this node's attribute `src` names is read.
    pub fn read_file(&self, id: &str, bytes: &[u8]) -> Result<Encoded, InputError> {
        let expected = self.node(self.value_node(id)?).return_type;
        let value = check::read_file(bytes, expected).map_err(|unfit| {
            let id = quoted(id);
            match unfit {
                Unfit::Holds(found) => InputError::OtherType { id, expected, found },
                Unfit::NotUtf8(at, problem) | Unfit::NotJson(at, problem) => {
                    let Place { line, column } = Places::new(decode(bytes).0).place(at);
                    InputError::Unreadable { id, line, column, problem }
                }
            }
        })?;
        encode(id, &value)
    }

    /// Gives the node this value for a run. It must be of the node's type.
    pub fn replace_value(&mut self, id: &str, value: Encoded) -> Result<(), InputError> {
        let index = self.value_node(id)?;
        let expected = self.node(index).return_type;
        let found = value.data_type().map_err(|problem| InputError::Unfit { id: quoted(id), problem })?;
        if found != expected {
            return Err(InputError::OtherType { id: quoted(id), expected, found: format!("found {found}") });
        }
        self.set_body(index, NodeBody::Value(value));
        Ok(())
    }

    fn value_node(&self, id: &str) -> Result<NodeIndex, InputError> {
        let known = self.find(id);
        let kind = known.map(|index| self.node(index).kind()).or_else(|| self.part(id));
        match (known, kind) {
            (Some(index), Some(NodeKind::Value)) => Ok(index),
            (_, Some(kind)) => Err(InputError::NotAValue { id: quoted(id), kind }),
            (_, None) => Err(self.unknown(id)),
        }
    }

    /// What the part of a pool with this id is.
    fn part(&self, id: &str) -> Option<NodeKind> {
        self.nodes().iter().find_map(|node| match &node.body {
            NodeBody::Pool { processor, .. } if &*processor.id == id => Some(NodeKind::Processor),
            NodeBody::Pool { reducer, .. } if &*reducer.id == id => Some(NodeKind::Reducer),
            _ => None,
        })
    }

    fn unknown(&self, id: &str) -> InputError {
        let values = self.nodes().iter().filter(|node| node.kind() == NodeKind::Value);
        let nearest = suggest::nearest(id, values.map(|node| &*node.id));
        let cure = nearest.map_or_else(
            || "name a value node of the workflow".to_owned(),
            |nearest| format!("did you mean `{nearest}`?"),
        );
        InputError::UnknownNode { id: quoted(id), cure }
    }
}

fn encode(id: &str, value: &Value) -> Result<Encoded, InputError> {
    Encoded::of(value).map_err(|problem| InputError::Unfit { id: quoted(id), problem })
}
