//! What a check knows besides the files: who judges kernels, and what a run of them will be judged by.

use std::fmt;

use weevil_model::trust::Policy;

use crate::kernel::KernelCheck;

#[derive(Clone, Copy, Default)]
pub struct Circumstances<'c> {
    /// `None` where kernels were judged before.
    pub kernels: Option<KernelCheck<'c>>,
    /// The policy that a run is started with, which stands above what elements say.
    pub asked: Option<Policy>,
    /// That of the server, for jobs of which nobody says anything; `None` where no server is known.
    pub usual: Option<Policy>,
}

impl<'c> Circumstances<'c> {
    /// Without a run and without a server.
    pub const fn of_kernels(kernels: KernelCheck<'c>) -> Self {
        Self { kernels: Some(kernels), asked: None, usual: None }
    }

    /// What a job is judged by of which its workflow says this; `None` where nobody knows.
    pub(crate) fn policy(self, said: Option<Policy>) -> Option<Policy> {
        self.asked.or(said).or(self.usual)
    }
}

impl fmt::Debug for Circumstances<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Circumstances")
            .field("asked", &self.asked)
            .field("usual", &self.usual)
            .finish_non_exhaustive()
    }
}
