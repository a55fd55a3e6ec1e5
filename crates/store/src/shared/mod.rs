//! What every database shares: facts with a batch's own decisions on top, and rows on their way into a statement. Pure:
//! never knows SQL or a driver.

pub(crate) mod complete;
pub(crate) mod enqueue;
pub(crate) mod facts;
pub(crate) mod json;
pub(crate) mod release;
