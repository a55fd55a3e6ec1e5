//! Programs out of Debian packages that are unpacked into `target/tools` and never installed: as packages they would start
//! services of this machine.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::failure::{Done, Failure};
use crate::{apt, paths, sh, tools};

/// A program, and the package it lies in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpacked {
    pub(crate) program: &'static str,
    /// Where it lies in its package.
    pub(crate) inside: &'static str,
    pub(crate) package: &'static str,
    /// Packages of libraries without which it does not answer; they start nothing.
    pub(crate) libraries: &'static [&'static str],
    /// What it is asked to show that it runs here.
    pub(crate) asked: &'static str,
    pub(crate) why: &'static str,
}

/// Unpacks what lies neither on PATH nor in `target/tools/bin`.
pub(crate) fn ensure(wanted: &[Unpacked]) -> Done {
    wanted.iter().filter(|wanted| !wanted.is_there()).try_for_each(Unpacked::fetch)
}

impl Unpacked {
    fn is_there(&self) -> bool {
        let path = paths::find_in(&paths::search_path([tools::bin()]), self.program);
        path.is_some_and(|path| sh::ask(sh::cmd(path).arg(self.asked)).is_some())
    }

    fn fetch(&self) -> Done {
        sh::say(format!("{} is missing ({}): unpacking it", self.program, self.why));
        let folder = tools::bin().with_file_name(self.program);
        remake(&folder)?;
        apt::download(self.package, &folder)?;
        let archive = only_file(&folder)?;
        let cure = format!("install {} so that it lies on PATH", self.program);
        sh::run(sh::cmd("dpkg-deb").arg("--extract").arg(&archive).arg(&folder), &cure)?;
        link(&folder.join(self.inside), &tools::bin().join(self.program))?;
        if !self.is_there() {
            apt::install(self.libraries)?;
        }
        if self.is_there() {
            return Ok(());
        }
        Err(Failure::new(format!("{} was unpacked but does not answer", self.program), cure))
    }
}

fn remake(folder: &Path) -> Done {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| Failure::file("remove", folder, &error))?;
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("make", folder, &error))
}

fn only_file(folder: &Path) -> Done<PathBuf> {
    let mut found = fs::read_dir(folder).map_err(|error| Failure::file("read", folder, &error))?;
    let file = found.find_map(|entry| Some(entry.ok()?.path()));
    file.ok_or_else(|| Failure::new(format!("nothing came into {}", folder.display()), "try again"))
}

fn link(program: &Path, link: &Path) -> Done {
    fs::create_dir_all(tools::bin()).map_err(|error| Failure::file("make", link, &error))?;
    if link.is_symlink() {
        fs::remove_file(link).map_err(|error| Failure::file("remove", link, &error))?;
    }
    symlink(program, link).map_err(|error| Failure::file("make", link, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: Unpacked =
        Unpacked { program: "sh", inside: "", package: "", libraries: &[], asked: "-c:", why: "" };

    #[test]
    fn a_program_is_there_that_answers() {
        for (program, asked, there) in
            [("true", "--version", true), ("false", "-x", false), ("no-such-program", "--version", false)]
        {
            assert_eq!(Unpacked { program, asked, ..SHELL }.is_there(), there, "{program}");
        }
    }

    #[test]
    fn an_older_link_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let (program, at) = (folder.path().join("program"), folder.path().join("link"));
        fs::write(&program, "new").unwrap();
        symlink(folder.path().join("gone"), &at).unwrap();
        link(&program, &at).unwrap();
        assert_eq!(fs::read_to_string(&at).unwrap(), "new");
    }
}
