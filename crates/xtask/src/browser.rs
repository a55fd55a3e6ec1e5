//! Chromium, and Firefox for tests: finds or installs them. Opens a headless volunteer in a process and profile of its own.
//! It never drives a page; what the page does is the page's business.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::apt::{self, Want};
use crate::failure::{Done, Failure};
use crate::{paths, sh};

const CHROMIUM: Want = Want {
    any_of: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    packages: &["chromium"],
    why: "the browser of the volunteers",
};
const CHROMEDRIVER: Want =
    Want { any_of: &["chromedriver"], packages: &["chromium-driver"], why: "drives Chromium in tests" };
const FIREFOX: Want = Want {
    any_of: &["firefox-esr"],
    packages: &["firefox-esr"],
    why: "the other browser that the sandbox is tried in",
};

/// Headless, quiet on the network, and with WebGPU where there is no GPU; the runner of the worker's tests reads the same file.
const WEBDRIVER: &str = include_str!("../../../worker-wasm/webdriver.json");

fn flags() -> Vec<String> {
    let options: Value = serde_json::from_str(WEBDRIVER).unwrap_or_default();
    let args = options["goog:chromeOptions"]["args"].as_array();
    args.into_iter().flatten().filter_map(|arg| arg.as_str().map(str::to_owned)).collect()
}

/// Chromium's path, installed first where it is missing.
pub(crate) fn ensure() -> Done<PathBuf> {
    apt::ensure(&[CHROMIUM])?;
    CHROMIUM
        .any_of
        .iter()
        .find_map(|name| paths::find(name))
        .ok_or_else(|| Failure::new("no Chromium on PATH", "sudo apt-get install -y chromium"))
}

/// The presence of Chromium, its driver and Firefox, for tests.
pub(crate) fn ensure_driver() -> Done<PathBuf> {
    apt::ensure(&[CHROMIUM, CHROMEDRIVER, FIREFOX])?;
    paths::find("chromedriver")
        .ok_or_else(|| Failure::new("no chromedriver on PATH", "sudo apt-get install -y chromium-driver"))
}

/// A headless browser; it ends, and its profile goes, when this is dropped.
#[derive(Debug)]
pub(crate) struct Volunteer {
    process: Child,
    profile: PathBuf,
}

impl Volunteer {
    /// Opens `url` with a fresh profile at `profile`; what the browser says goes to `log`.
    pub(crate) fn open(chromium: &Path, url: &str, profile: PathBuf, log: &Path) -> Done<Self> {
        clear(&profile)?;
        let log = File::create(log).map_err(|error| Failure::file("write", log, &error))?;
        let mut command = Command::new(chromium);
        command.args(flags()).arg(format!("--user-data-dir={}", profile.display())).arg(url);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let process = command.spawn().map_err(|error| {
            Failure::new(format!("{} could not be started: {error}", chromium.display()), "use --no-browser")
        })?;
        Ok(Self { process, profile })
    }

    /// Whether the browser is gone.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }
}

impl Drop for Volunteer {
    fn drop(&mut self) {
        sh::end(&mut self.process);
        // A last child of the browser may still write there; the next start clears what stays.
        let _ = fs::remove_dir_all(&self.profile);
    }
}

fn clear(profile: &Path) -> Done {
    if profile.exists() {
        fs::remove_dir_all(profile).map_err(|error| Failure::file("remove", profile, &error))?;
    }
    fs::create_dir_all(profile).map_err(|error| Failure::file("create", profile, &error))
}

#[cfg(test)]
mod tests {
    use super::flags;

    #[test]
    fn the_shared_file_has_the_flags() {
        let flags = flags();
        for needed in ["--headless=new", "--no-sandbox", "--use-webgpu-adapter=swiftshader"] {
            assert!(
                flags.iter().any(|flag| flag == needed),
                "{needed} is missing in worker-wasm/webdriver.json"
            );
        }
    }
}
