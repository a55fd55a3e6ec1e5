//! Workflows by name, and their files.

use weevil_records::{NamedWorkflow, StoreError, WorkflowVersion};

use super::columns::Columns;

/// Rows of versions, the newest first, by name.
pub(crate) fn named<R: Columns>(rows: &[R]) -> Result<Vec<NamedWorkflow>, StoreError> {
    let mut named: Vec<NamedWorkflow> = Vec::new();
    for row in rows {
        let (name, version) = (row.text("name")?, version(row)?);
        match named.iter_mut().find(|known| known.name == name) {
            Some(known) => known.versions.push(version),
            None => named.push(NamedWorkflow { name, versions: vec![version] }),
        }
    }
    Ok(named)
}

fn version<R: Columns>(row: &R) -> Result<WorkflowVersion, StoreError> {
    Ok(WorkflowVersion {
        hash: row.hash("workflow")?,
        created_at: row.moment("created_at")?,
        files: row.small("files")?,
        bytes: row.unsigned("bytes")?,
    })
}

/// Path and bytes.
pub(crate) fn file<R: Columns>(row: &R) -> Result<(String, Vec<u8>), StoreError> {
    Ok((row.text("path")?, row.bytes("bytes")?))
}
