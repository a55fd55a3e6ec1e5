//! What each command needs on this machine, installed where it is missing.
//! It never builds the project, and never goes on without a tool that was asked for.

use std::path::PathBuf;

use crate::apt::{self, Want};
use crate::failure::Done;
use crate::unpacked::{self, Unpacked};
use crate::wasm_toolchain::WasmToolchain;
use crate::{browser, examples, npm, sh, tools};

const C_COMPILER: Want =
    Want { any_of: &["cc"], packages: &["gcc", "libc6-dev"], why: "links Rust and builds SQLite" };

const XMLLINT: Want = Want {
    any_of: &["xmllint"],
    packages: &["libxml2-utils"],
    why: "judges workflows by the schema that editors get",
};

/// The server alone, not the package that runs it as a service of the system.
const MARIADB: Want = Want {
    any_of: &["mariadbd", "/usr/sbin/mariadbd"],
    packages: &["mariadb-server-core", "mariadb-client-core"],
    why: "the other database that the tests run against",
};
/// With the library that sets a server's clock.
const FAKETIME: Want = Want {
    any_of: &["faketime"],
    packages: &["faketime"],
    why: "sets the clock of tests forward that tell of minutes",
};
const PYTHON: Want =
    Want { any_of: &["python3"], packages: &["python3"], why: "runs the worker of examples/python-worker" };

const CADDY: Unpacked = Unpacked {
    program: "caddy",
    inside: "usr/bin/caddy",
    package: "caddy",
    libraries: &[],
    asked: "version",
    why: "one of the proxies that docs/operations.md has a recipe for",
};
const NGINX: Unpacked = Unpacked {
    program: "nginx",
    inside: "usr/sbin/nginx",
    package: "nginx",
    libraries: &["libpcre2-8-0", "libssl3", "zlib1g"],
    asked: "-v",
    why: "the other proxy",
};

/// What the tests are run with.
#[derive(Debug)]
pub(crate) struct TestTools {
    pub(crate) toolchain: WasmToolchain,
    pub(crate) chromedriver: PathBuf,
}

/// The command `setup`: all there is.
pub(crate) fn everything() -> Done {
    for_tests()?;
    sh::say("everything is installed");
    Ok(())
}

/// What `build` needs.
pub(crate) fn for_build() -> Done<WasmToolchain> {
    apt::ensure(&[C_COMPILER])?;
    npm::ensure()?;
    WasmToolchain::ensure()
}

/// What `test` and `ci` need.
pub(crate) fn for_tests() -> Done<TestTools> {
    let chromedriver = browser::ensure_driver()?;
    apt::ensure(&[C_COMPILER, XMLLINT, MARIADB, FAKETIME, PYTHON])?;
    unpacked::ensure(&[CADDY, NGINX])?;
    tools::ensure(&[tools::test_runner()?])?;
    examples::ensure()?;
    let toolchain = for_build()?;
    Ok(TestTools { toolchain, chromedriver })
}
