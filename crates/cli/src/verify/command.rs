//! What `weevil verify` is asked, and what it answers.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use ring::signature::{ED25519, UnparsedPublicKey};
use weevil_model::{ContentHash, Encoded, canonical, digest};
use weevil_trust::certificate::{
    Broken, Checker, EndLine, Flaw, HeadLine, Line, PublicKey, Summary, or_nothing,
};
use weevil_workflow::Bundle;

use super::graph::Graph;
use super::lines::each;
use super::recompute::{Draw, Recomputed};
use super::words::{Compared, words};
use crate::Exit;
use crate::asking::Asking;
use crate::files::OnDisk;
use crate::inert::say_line;

#[derive(Debug, Args)]
pub struct Verify {
    /// The certificate.
    pub(super) file: PathBuf,
    /// Compare it with this workflow: folder, XML document (its folder comes along), or a zip of the folder.
    #[arg(long, value_name = "PATH")]
    pub(super) workflow: Option<PathBuf>,
    /// Compare its result with the value in this file, JSON as `weevil result` prints it.
    #[arg(long, value_name = "FILE")]
    pub(super) result: Option<PathBuf>,
    /// Compare its key with the one in this file: 64 hexadecimal digits.
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    #[command(flatten)]
    pub(super) again: Again,
}

/// What is to be computed again.
#[derive(Debug, Default, Args)]
pub(super) struct Again {
    /// Compute so many jobs of modules again, drawn by chance, with code and arguments from the server.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    recompute: Option<u32>,
    #[command(flatten)]
    asking: Asking,
}

/// What the certificate is compared with.
struct Given {
    graph: Option<Graph>,
    result: Option<ContentHash>,
    key: Option<PublicKey>,
    draw: Option<Draw>,
}

impl Verify {
    pub(crate) fn execute(&self) -> Exit {
        match self.verify() {
            Ok(Ok(lines)) => {
                for line in &lines {
                    say_line(line);
                }
                Exit::Done
            }
            Ok(Err(broken)) => {
                say_line(&format!("{} does not hold: {broken}", self.file.display()));
                Exit::ProblemsFound
            }
            Err(why) => Exit::CouldNot(why),
        }
    }

    /// What it tells where it holds, or which line does not. The outer error: something cannot be read.
    pub(super) fn verify(&self) -> Result<Result<Vec<String>, Broken>, String> {
        let mut given = Given::read(self)?;
        let summary = match given.check(&self.file)? {
            Ok(summary) => summary,
            Err(broken) => return Ok(Err(broken)),
        };
        let recomputed = match given.draw.take().map(|draw| self.again.compute(draw, &summary)).transpose()? {
            Some(Err(broken)) => return Ok(Err(broken)),
            Some(Ok(recomputed)) => Some(recomputed),
            None => None,
        };
        Ok(Ok(words(&summary, &given.compared(recomputed))))
    }
}

impl Again {
    fn compute(&self, draw: Draw, summary: &Summary) -> Result<Result<Recomputed, Broken>, String> {
        let alone =
            "a job that stands alone cannot be computed again: its certificate does not say which one it is";
        let run = summary.head.run.ok_or(alone)?;
        draw.compute(&self.asking.server()?, run)
    }
}

impl Given {
    fn compared(&self, recomputed: Option<Recomputed>) -> Compared {
        Compared {
            pools: self.graph.as_ref().map(Graph::split_pools),
            has_result: self.result.is_some(),
            has_key: self.key.is_some(),
            recomputed,
        }
    }

    fn read(asked: &Verify) -> Result<Self, String> {
        let graph = asked.workflow.as_deref().map(workflow).transpose()?;
        let result = asked.result.as_deref().map(value).transpose()?;
        let key = asked.key.as_deref().map(key).transpose()?;
        let draw = asked.again.recompute.map(|most| Draw::new(most as usize)).transpose()?;
        Ok(Self { graph, result, key, draw })
    }

    fn check(&mut self, file: &Path) -> Result<Result<Summary, Broken>, String> {
        let (mut checker, mut number) = (Checker::default(), 0);
        let read = each(file, |text| {
            number += 1;
            let line = checker.line(text)?;
            self.compare(number, &line)
        })?;
        Ok(read.and_then(|()| checker.finish()?.prove(is_signed)))
    }

    fn compare(&mut self, number: u64, line: &Line) -> Result<(), Broken> {
        let at = |flaw: Flaw| flaw.at(number);
        match line {
            Line::Head(head) => self.head(head).map_err(at),
            Line::Job(job) => {
                self.graph.as_mut().map_or(Ok(()), |graph| graph.job(number, job)).map_err(at)?;
                self.draw.iter_mut().for_each(|draw| draw.see(number, job));
                Ok(())
            }
            Line::Lot(_) => Ok(()),
            Line::End(end) => {
                self.end(end).map_err(at)?;
                self.graph.as_mut().map_or(Ok(()), |graph| graph.end(number, end))
            }
        }
    }

    fn head(&mut self, head: &HeadLine) -> Result<(), Flaw> {
        if let Some(key) = self.key {
            Flaw::same("the server's key", key, head.key)?;
        }
        self.graph.as_mut().map_or(Ok(()), |graph| graph.head(head))
    }

    fn end(&self, end: &EndLine) -> Result<(), Flaw> {
        match self.result {
            Some(result) if end.result != Some(result) => {
                Err(Flaw::new("the result", result, or_nothing(end.result)))
            }
            _ => Ok(()),
        }
    }
}

fn is_signed(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    UnparsedPublicKey::new(&ED25519, key).verify(message, signature).is_ok()
}

fn workflow(path: &Path) -> Result<Graph, String> {
    let fail = |why: String| format!("{} is not a workflow: {why}", path.display());
    let read = OnDisk::read(path)?;
    let bundle = Bundle::new(read.files).map_err(|error| fail(error.to_string()))?;
    let loaded = weevil_workflow::load(&bundle).map_err(|found| {
        let first = found.first().map(|found| found.message.clone()).unwrap_or_default();
        fail(format!("{first}; `weevil check` tells more"))
    })?;
    Ok(Graph::new(&bundle, loaded.plan))
}

/// The digest of the value in a file.
fn value(path: &Path) -> Result<ContentHash, String> {
    let fail = |why: String| format!("no value can be read in {}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let value = Encoded::of_json_text(&text).map_err(|error| fail(error.to_string()))?;
    canonical(&value).map(|form| digest(&form)).map_err(|error| fail(error.to_string()))
}

fn key(path: &Path) -> Result<PublicKey, String> {
    let fail = |why: String| format!("no key can be read in {}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    PublicKey::parse(text.trim_end()).ok_or_else(|| fail("64 hexadecimal digits are expected".to_owned()))
}
