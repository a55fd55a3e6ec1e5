//! What a run is for, told to the volunteers who compute it. Read and bounded by `check/aim.rs`; nothing follows from it.

/// As the document's root says it: each part may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aim {
    /// Who asks: one line.
    pub project: Option<String>,
    /// What the computation is for: one line, for strangers.
    pub question: Option<String>,
    /// Where there is more: `http` or `https`, the name of a host, no user name; visible ASCII.
    pub link: Option<String>,
}
