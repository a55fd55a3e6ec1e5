//! What every database shares: rows on their way out and in, and facts with a batch's own decisions on top. Pure: never
//! knows a driver.

pub(crate) mod cancel;
pub(crate) mod claim;
pub(crate) mod columns;
pub(crate) mod complete;
pub(crate) mod depth;
pub(crate) mod devices;
pub(crate) mod due;
pub(crate) mod enqueue;
pub(crate) mod facts;
pub(crate) mod history;
pub(crate) mod json;
pub(crate) mod parts;
pub(crate) mod paused;
pub(crate) mod release;
pub(crate) mod renew;
pub(crate) mod reopen;
pub(crate) mod runs;
pub(crate) mod workflows;
