//! How devices and networks are called in one certificate: nobody finds them again in another one.

use std::collections::HashMap;
use std::sync::Arc;

use weevil_trust::certificate::Number;

use super::Notary;

pub(super) struct Names {
    notary: Arc<dyn Notary>,
    /// The run or the job that is certified.
    of: String,
    /// In the order in which they were first named.
    networks: HashMap<i64, u32>,
}

impl Names {
    pub(super) fn new(notary: Arc<dyn Notary>, of: String) -> Self {
        Self { notary, of, networks: HashMap::new() }
    }

    pub(super) fn device(&self, device: i64) -> Number {
        Number::of(self.notary.pseudonym(&self.of, device))
    }

    pub(super) fn network(&mut self, network: i64) -> u32 {
        let next = u32::try_from(self.networks.len()).unwrap_or(u32::MAX).saturating_add(1);
        *self.networks.entry(network).or_insert(next)
    }
}
