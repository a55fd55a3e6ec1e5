//! The benchmarks that need a whole system. Figures and baselines of one run, for people and as JSON.

fn main() {}
