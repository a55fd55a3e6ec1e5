//! Which browser of this machine volunteers, and how it is started.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::held::{Held, Program};
use super::house::Furnishing;

/// Names on the path, the ones that are looked for first in front.
const NAMES: [&str; 9] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "brave-browser",
    "firefox",
    "firefox-esr",
];
/// Where macOS keeps them.
const BUNDLES: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/// Awake, quiet on the network, and never in anybody's way.
const CHROMIUM: [&str; 10] = [
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--mute-audio",
];
const CHROMIUM_HIDDEN: &str = "--headless=new";
const CHROMIUM_SHOWN: &str = "--auto-open-devtools-for-tabs";
const CHROMIUM_GPU: [&str; 2] = ["--enable-unsafe-webgpu", "--enable-features=Vulkan"];
const CHROMIUM_NO_GPU: &str = "--disable-gpu";
/// A root user's Chromium starts with nothing else.
const NO_SANDBOX: &str = "--no-sandbox";
/// As above, in the profile.
const FIREFOX: &str = "user_pref(\"app.update.disabledForTesting\", true);
user_pref(\"browser.shell.checkDefaultBrowser\", false);
user_pref(\"browser.aboutwelcome.enabled\", false);
user_pref(\"browser.startup.homepage_override.mstone\", \"ignore\");
user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);
user_pref(\"toolkit.telemetry.reportingpolicy.firstRun\", false);
user_pref(\"network.captive-portal-service.enabled\", false);
user_pref(\"network.connectivity-service.enabled\", false);
";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Chromium,
    Firefox,
}

/// One that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Browser {
    pub(super) path: PathBuf,
    family: Family,
    /// Started without the sandbox of its own.
    pub(super) is_bare: bool,
}

impl Browser {
    /// The one that is named, else the first that is found.
    ///
    /// # Errors
    /// In words for people: there is none.
    pub(super) fn find(named: Option<&Path>) -> Result<Self, String> {
        let path = match named {
            Some(path) if path.components().count() > 1 => {
                Some(path.to_owned()).filter(|path| is_program(path))
            }
            Some(name) => on_path(name),
            None => NAMES
                .iter()
                .find_map(|name| on_path(Path::new(name)))
                .or_else(|| BUNDLES.iter().map(PathBuf::from).find(|path| is_program(path))),
        };
        let missing = || match named {
            Some(path) => format!("--browser {} is no program here", path.display()),
            None => format!("no browser is found here ({}): name one with --browser", NAMES.join(", ")),
        };
        Ok(Self::of(path.ok_or_else(missing)?, rustix::process::geteuid().is_root()))
    }

    fn of(path: PathBuf, is_root: bool) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let family = if name.contains("firefox") { Family::Firefox } else { Family::Chromium };
        Self { path, family, is_bare: is_root && family == Family::Chromium }
    }

    /// Opens a page in a profile of its own.
    ///
    /// # Errors
    /// In words for people.
    pub(super) fn open(&self, url: &str, asked: &Furnishing) -> Result<Held, String> {
        let mut program = Program::new(&self.path)?;
        if self.family == Family::Firefox {
            let written = fs::write(program.folder.join("user.js"), FIREFOX);
            written.map_err(|error| format!("the browser's profile cannot be written: {error}"))?;
        }
        let arguments = self.arguments(&program.folder, url, asked);
        // Sockets, caches and whatever else it leaves behind go with the folder.
        let folder = program.folder.clone();
        program.command().args(arguments).env("TMPDIR", &folder).env("HOME", &folder);
        program.start()
    }

    fn arguments(&self, profile: &Path, url: &str, asked: &Furnishing) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        match self.family {
            Family::Chromium => {
                let mut folder = OsString::from("--user-data-dir=");
                folder.push(profile);
                arguments.push(if asked.shown { CHROMIUM_SHOWN } else { CHROMIUM_HIDDEN }.into());
                arguments.extend(CHROMIUM.map(OsString::from));
                arguments.push(folder);
                arguments.extend(self.is_bare.then(|| NO_SANDBOX.into()));
                let graphics = if asked.gpu { &CHROMIUM_GPU[..] } else { &[CHROMIUM_NO_GPU] };
                arguments.extend(graphics.iter().map(OsString::from));
            }
            Family::Firefox => {
                let face = if asked.shown { "--devtools" } else { "--headless" };
                arguments.extend([face, "--no-remote", "--profile"].map(OsString::from));
                arguments.push(profile.into());
            }
        }
        arguments.push(url.into());
        arguments
    }
}

fn on_path(name: &Path) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_is_started_in_its_own_way() {
        for (path, is_root, gpu, shown, has, has_not) in [
            (
                "/usr/bin/chromium",
                false,
                false,
                true,
                "--auto-open-devtools-for-tabs --no-first-run",
                "headless",
            ),
            ("/usr/bin/firefox", false, false, true, "--devtools --no-remote", "headless"),
            (
                "/usr/bin/chromium",
                false,
                false,
                false,
                "--user-data-dir=/p --disable-gpu http://u",
                "--no-sandbox",
            ),
            (
                "/usr/bin/chromium",
                true,
                false,
                false,
                "--user-data-dir=/p --no-sandbox --disable-gpu http://u",
                "webgpu",
            ),
            ("/opt/Google Chrome", true, true, false, "--no-sandbox --enable-unsafe-webgpu", "--disable-gpu"),
            (
                "/usr/bin/firefox-esr",
                true,
                true,
                false,
                "--headless --no-remote --profile /p http://u",
                "sandbox",
            ),
        ] {
            let browser = Browser::of(path.into(), is_root);
            let asked = Furnishing { gpu, shown, ..Furnishing::default() };
            let arguments = browser.arguments(Path::new("/p"), "http://u", &asked);
            let told: Vec<_> = arguments.iter().map(|it| it.to_string_lossy()).collect();
            let told = told.join(" ");
            assert!(told.contains(has) && !told.contains(has_not), "{path} {is_root} {gpu}: {told}");
            assert_eq!(browser.is_bare, told.contains("--no-sandbox"), "{path} {is_root}");
        }
    }

    #[test]
    fn a_browser_that_is_named_must_be_there() {
        let folder = tempfile::TempDir::new().unwrap();
        let (program, text) = (folder.path().join("tool"), folder.path().join("text"));
        for (path, mode) in [(&program, 0o755), (&text, 0o644)] {
            fs::write(path, "").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        for (named, found) in [
            (program.as_path(), true),
            (&text, false),
            (folder.path(), false),
            (Path::new("/no/such/browser"), false),
            (Path::new("no-such-browser"), false),
        ] {
            let browser = Browser::find(Some(named));
            assert_eq!(browser.is_ok(), found, "{}", named.display());
            let why = browser.err().unwrap_or_default();
            assert!(found || why.contains("is no program here"), "{why}");
        }
    }
}
