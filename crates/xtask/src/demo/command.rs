//! The command `demo` from its first step to its last.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::server::Server;
use super::times::Times;
use super::volunteers::Volunteers;
use super::{api, report, server, submit, watch};
use crate::build::Profile;
use crate::failure::Done;
use crate::{bindgen, browser, build, setup, sh, wasm, web};

/// Options of `demo`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// How many headless browsers compute
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    volunteers: u32,
    /// Samples of each of the 1000 jobs
    #[arg(long, value_name = "N", default_value_t = submit::SHIPPED_SAMPLES, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// The server's port on 127.0.0.1
    #[arg(long, value_name = "P", default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// End when pi is there instead of serving on
    #[arg(long)]
    once: bool,
    /// Open no browser; print the URL and wait for a person's
    #[arg(long)]
    no_browser: bool,
}

/// The command `demo`.
pub(crate) fn run(options: &Options) -> Done<ExitCode> {
    server::check_port(options.port)?;
    let mut times = Times::default();
    let chromium = prepare(options, &mut times)?;
    let mut server = Server::start(options.port)?;
    api::mention_older_runs(&server.url);
    let run = submit::pi(&server.url, options.samples)?;
    let mut volunteers = match &chromium {
        Some(path) => Volunteers::open(path, &server.url, options.port, options.volunteers)?,
        None => Volunteers::of_a_person(&server.url),
    };
    let finished = times.step("pi", || {
        watch::until_the_end(&run, &mut server, &mut volunteers).and_then(|view| report::print(&view))
    });
    if finished.is_ok() {
        println!("\n{}", times.table());
    }
    if options.once {
        return finished.map(|()| ExitCode::SUCCESS);
    }
    if let Err(failure) = finished {
        sh::say(failure.to_string());
    }
    server.serve_on()?;
    Ok(ExitCode::SUCCESS)
}

/// Installs and builds what the demo shows, step by step; answers the browser that there is.
fn prepare(options: &Options, times: &mut Times) -> Done<Option<PathBuf>> {
    let (chromium, toolchain) = times.step("tools and packages", || {
        let chromium = if options.no_browser { None } else { chromium_or_none() };
        Ok((chromium, setup::for_build()?))
    })?;
    times.step("wasm-bindgen", bindgen::ensure)?;
    times.step("modules", || wasm::build(toolchain, false))?;
    times.step("pages", web::pages)?;
    times.step("server", || build::server(Profile::Demo, false))?;
    Ok(chromium)
}

fn chromium_or_none() -> Option<PathBuf> {
    match browser::ensure() {
        Ok(path) => Some(path),
        Err(failure) => {
            sh::say(failure.to_string());
            sh::say("no Chromium is to be had: going on as with --no-browser");
            None
        }
    }
}
