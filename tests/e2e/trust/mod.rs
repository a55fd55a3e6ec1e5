//! Judged jobs end to end: which policy holds, who may answer, in which order, and what a gang does not get believed. Sees what
//! researchers and workers see, and looks into the database only for what is to stand nowhere.

mod believe;
mod browsers;
mod certificate;
mod comparable;
mod engines;
mod errors;
mod factors;
mod figures;
mod gang;
mod leaks;
mod lots;
mod modules;
mod order;
mod policies;
mod reading;
mod referee;
mod restart;
mod retrace;
mod same_words;
mod scene;
mod sines;
mod standing;
mod stopped;
mod tail;
mod trusted;
mod volunteers;
mod witnesses;
