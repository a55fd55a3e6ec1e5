//! What the volunteer wants and lends. Changed by commands of the page, and by a GPU that is lost twice; knows nothing of
//! jobs.

/// What the volunteer wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Nothing,
    Work,
    Pause,
    /// End what runs, then stop.
    Finish,
    Stop,
}

#[derive(Debug)]
pub(super) struct Wishes {
    pub wish: Wish,
    /// Where the server is: scheme and host.
    pub origin: String,
    /// What this browser calls itself.
    pub agent: String,
    /// For how much of the time jobs may use the GPU, percent; 0 where no GPU job is wanted.
    pub gpu: u32,
    /// What the page calls the GPU, lent or not; `None` where there is none that could be lent.
    pub adapter: Option<String>,
    /// When the GPU was lost last.
    pub gpu_lost_at: Option<f64>,
}

impl Wishes {
    pub(super) const fn new() -> Self {
        Self {
            wish: Wish::Nothing,
            origin: String::new(),
            agent: String::new(),
            gpu: 0,
            adapter: None,
            gpu_lost_at: None,
        }
    }
}
