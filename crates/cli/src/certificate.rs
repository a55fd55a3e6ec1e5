//! `weevil certificate`: fetches the certificate of a run, or of a job that stands alone, into a file.
//!
//! Never looks into it: `weevil verify` does. A file is there once all of it is.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::Exit;
use crate::asking::Asking;
use crate::cut::{Either, What};
use crate::inert::say_line;

#[derive(Debug, Args)]
pub struct Certificate {
    /// Id of the run, or of a stand-alone job; its beginning is enough where no other one has it.
    #[arg(value_name = "RUN or JOB")]
    what: Either,
    /// Where to keep it; without it in a file here that is named after the id.
    #[arg(short = 'o', long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    asking: Asking,
}

impl Certificate {
    pub(crate) fn execute(&self) -> Exit {
        self.fetch().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn fetch(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        let (id, certificate) = match self.what.found(&server)? {
            What::Run(run) => (run.to_string(), server.run_certificate(&run)?),
            What::Job(job) => (job.to_string(), server.job_certificate(&job)?),
        };
        let path = self.output.clone().unwrap_or_else(|| format!("{id}.certificate").into());
        let bytes = keep(certificate, &path).map_err(|error| format!("{}: {error}", path.display()))?;
        say_line(&format!("{}: {bytes} bytes; `weevil verify` tells whether it holds", path.display()));
        Ok(())
    }
}

/// Beside its place first: what breaks off leaves nothing there.
fn keep(mut from: impl Read, path: &Path) -> io::Result<u64> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let written = write(&mut from, &part).and_then(|bytes| fs::rename(&part, path).map(|()| bytes));
    if written.is_err() {
        let _gone = fs::remove_file(&part);
    }
    written
}

fn write(from: &mut impl Read, part: &Path) -> io::Result<u64> {
    let mut file = BufWriter::new(File::create(part)?);
    let bytes = io::copy(from, &mut file)?;
    file.flush()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct BreaksOff(bool);

    impl Read for BreaksOff {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            bytes[0] = b'{';
            Ok(1)
        }
    }

    #[test]
    fn what_breaks_off_leaves_the_file_as_it_was() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("run.certificate");
        assert_eq!(keep(&b"{}\n"[..], &path).unwrap(), 3);
        assert!(keep(BreaksOff(false), &path).is_err());
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!((fs::read(&path).unwrap(), names), (b"{}\n".to_vec(), vec!["run.certificate".into()]));
    }
}
