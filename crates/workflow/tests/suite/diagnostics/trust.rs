//! Cases of how far answers are believed.

use super::Case;

const FORMS: &str = "write `none`, `quorum(3)` (2 to 7 answers that agree) or `credible(0.001)` (at most this share of the \
                     accepted answers is wrong, 0.0001 to 0.1)";

pub(crate) const POLICIES: &[Case] = &[
    (
        "W0200",
        &[("<workflow>", "<workflow trust=\"§majority§\">")],
        "`trust` is `majority`, which is no policy",
    ),
    ("W0200", &[("<job ", "<job trust=\"§majority(3)§\" ")], FORMS),
    ("W0200", &[("<job ", "<job trust=\"§§\" ")], "`trust` is ``, which is no policy"),
    ("W0200", &[("<job ", "<job trust=\"§None§\" ")], "is no policy"),
    ("W0200", &[("<processor ", "<processor trust=\"§quorum(1)§\" ")], "one answer agrees with itself"),
    ("W0200", &[("<reducer ", "<reducer trust=\"§quorum(8)§\" ")], "asks for too many answers"),
    ("W0200", &[("<job ", "<job trust=\"§quorum(two)§\" ")], "does not say in plain digits how many"),
    (
        "W0200",
        &[("<job ", "<job trust=\"§credible(0)§\" ")],
        "no number of answers rules out that all of them lie",
    ),
    ("W0200", &[("<job ", "<job trust=\"§credible(0.5)§\" ")], "a share that is too small or too large"),
    ("W0200", &[("<job ", "<job trust=\"§credible(1e-3)§\" ")], "does not name a share as `0.001` does"),
    ("W0201", &[("<workflow>", "<workflow trust=\"§credible(0.001)§\">")], "does not judge by lots yet"),
    ("W0201", &[("<reducer ", "<reducer trust=\"§ credible(0.1)\n§\" ")], "`quorum(3)` is there"),
    ("W0114", &[("<pool ", "<pool §trust§=\"none\" ")], "its attributes are `id`, `returntype`"),
    ("W0114", &[("<job ", "<job §trusts§=\"none\" ")], "did you mean `trust`?"),
];
