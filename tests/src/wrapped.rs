//! A server's binary with a script of `wrapped/` in front of it. The script is linked and not written: what is open for writing
//! cannot be started (ETXTBSY), and any process that is forked meanwhile holds it open.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Owns what its server reads: it is to outlive it.
#[derive(Debug)]
pub struct Wrapped {
    folder: TempDir,
}

impl Wrapped {
    /// By a script's name without its `.sh`.
    pub fn by(script: &str, binary: &Path) -> Self {
        let wrapped = Self { folder: TempDir::new().expect("a temporary folder can be made") };
        let script = format!("{}/src/wrapped/{script}.sh", env!("CARGO_MANIFEST_DIR"));
        for (file, name) in [(Path::new(&script), "server"), (binary, "binary")] {
            symlink(file, wrapped.file(name)).expect("the folder is there");
        }
        wrapped
    }

    /// What starts the server.
    pub fn server(&self) -> PathBuf {
        self.file("server")
    }

    /// A file beside it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
