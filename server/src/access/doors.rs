//! All that can open a server. Never opens anything by itself.

use std::sync::Arc;

use weevil_store::Stores;

use crate::config::NewProjectQuotas;

use super::{Local, Logins, People, Rates, Rooms, Sums};

/// What can open a server that is not everybody's.
pub(crate) struct Access {
    /// The owner of this process; `None` where that is switched off or cannot be proved here.
    pub local: Option<Local>,
    pub people: People,
    /// Programs that wait to be let in.
    pub logins: Logins,
    /// The metrics are everybody's.
    pub open_metrics: bool,
    /// What a project may use that is made here, where nobody says otherwise.
    pub new_projects: NewProjectQuotas,
    /// People and what they have done; also the work that the audit tells of.
    pub store: Arc<dyn Stores>,
    pub rates: Rates,
    /// What projects may still have.
    pub rooms: Rooms,
    /// What the audit tells once a minute.
    pub sums: Sums,
}
