//! Which methods a path takes, as the rows of the API have them: what a 405 has to name.

use std::fmt;
use std::sync::LazyLock;

use actix_web::dev::ResourceDef;
use weevil_api::routes::{Operation, Row};
use weevil_model::Face;

/// The pattern of each row, and the row.
static ROWS: LazyLock<Vec<(ResourceDef, &'static Row)>> = LazyLock::new(|| {
    let rows = Operation::ALL.into_iter().map(Operation::row);
    rows.map(|row| (ResourceDef::new(row.path), row)).collect()
});

/// Names of methods, for an `Allow` (RFC 9110, section 10.2.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Methods(Vec<&'static str>);

impl Methods {
    /// Those of pages and their assets.
    pub(super) fn of_pages() -> Self {
        Self(vec!["GET", "HEAD"])
    }

    /// Those of the rows with this path that answer on this face; `None` where no row does.
    pub(super) fn of_rows(path: &str, face: Face) -> Option<Self> {
        let rows = ROWS.iter().filter(|(pattern, row)| face.shows(row.face) && pattern.is_match(path));
        let methods: Vec<&'static str> = rows.map(|(_, row)| row.method.as_str()).collect();
        (!methods.is_empty()).then_some(Self(methods))
    }
}

impl fmt::Display for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_takes_the_methods_of_its_rows() {
        let (runs, run) = (Operation::ListRuns.path(&[]), Operation::ShowRun.path(&[&"run_1"]));
        let (cancel, join) = (Operation::CancelRun.path(&[&"run_1"]), Operation::PlainJoin.path(&[]));
        for (path, face, methods) in [
            (&*runs, Face::Private, Some("POST, GET")),
            (&runs, Face::Public, None),
            (&run, Face::Private, Some("GET")),
            (&cancel, Face::Private, Some("POST")),
            (&join, Face::Private, Some("POST")),
            (&join, Face::Public, Some("POST")),
            (&format!("{runs}/"), Face::Private, None),
            ("/nothing", Face::Private, None),
        ] {
            let found = Methods::of_rows(path, face).map(|known| known.to_string());
            assert_eq!(found.as_deref(), methods, "{path}");
        }
    }
}
