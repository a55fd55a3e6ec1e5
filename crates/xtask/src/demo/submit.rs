//! Hands the pi workflow to the server, with another number of samples where asked for.
//! It never changes the shipped workflow: it changes a copy.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

/// Samples of each job in the shipped `workflows/pi/samples.json`.
pub(super) const SHIPPED_SAMPLES: u64 = 5_000_000;
const CURE: &str = "the message above names the cause; data/demo/server.log has the server's side";

/// Submits the workflow and returns the run's id.
pub(super) fn pi(url: &str, samples: u64) -> Done<String> {
    let shipped = paths::root().join("workflows/pi");
    if samples == SHIPPED_SAMPLES {
        return submit(&shipped, url);
    }
    let copy = tempfile::tempdir().map_err(|error| Failure::file("create", &std::env::temp_dir(), &error))?;
    // The run is named after the folder.
    let folder = copy.path().join("pi");
    fs::create_dir(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
    copy_files(&shipped, &folder)?;
    let file = folder.join("samples.json");
    let text = fs::read_to_string(&file).map_err(|error| Failure::file("read", &file, &error))?;
    let changed = with_samples(&text, samples).ok_or_else(|| {
        Failure::new("workflows/pi/samples.json is not an array", "git checkout workflows/pi")
    })?;
    fs::write(&file, changed).map_err(|error| Failure::file("write", &file, &error))?;
    submit(&folder, url)
}

fn submit(folder: &Path, url: &str) -> Done<String> {
    let mut command = sh::cmd(paths::weevil("demo"));
    command.arg("run").arg(folder).args(["--server", url, "--json"]);
    let answer = sh::output(&mut command, CURE)?;
    let run = serde_json::from_str::<Value>(&answer).ok().and_then(|it| Some(it["run"].as_str()?.to_owned()));
    run.ok_or_else(|| Failure::new(format!("`weevil run` names no run: {}", answer.trim()), CURE))
}

fn copy_files(from: &Path, to: &Path) -> Done {
    let entries = fs::read_dir(from).map_err(|error| Failure::file("read", from, &error))?;
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default();
        fs::copy(&path, to.join(name)).map_err(|error| Failure::file("copy", &path, &error))?;
    }
    Ok(())
}

/// The array of `text` with each element replaced.
fn with_samples(text: &str, samples: u64) -> Option<String> {
    let Value::Array(elements) = serde_json::from_str(text).ok()? else { return None };
    Some(Value::from(vec![samples; elements.len()]).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_replaced() {
        assert_eq!(with_samples("[5000000, 5000000]\n", 7).as_deref(), Some("[7,7]"));
        assert_eq!(with_samples("{}", 7), None);
    }
}
