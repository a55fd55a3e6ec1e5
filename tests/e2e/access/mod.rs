//! Who gets in, and where: the two faces and the names they answer to.

mod faces;
mod hosts;
