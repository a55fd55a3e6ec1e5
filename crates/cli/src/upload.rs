//! `weevil upload`: keeps a workflow without running it.

use std::path::PathBuf;

use clap::Args;
use weevil_client::Form;

use crate::Exit;
use crate::asking::AskingInside;
use crate::bar::Bar;
use crate::files::OnDisk;
use crate::inert::{say_json, say_line};
use crate::report::{tell, told};

#[derive(Debug, Args)]
pub struct Upload {
    /// A workflow's folder, its XML document (its folder comes along), or a zip of the folder.
    path: PathBuf,
    #[command(flatten)]
    asking: AskingInside,
    /// Print one JSON object with `workflow`, `name` and `warnings`.
    #[arg(long)]
    json: bool,
}

impl Upload {
    pub(crate) fn execute(self) -> Exit {
        self.ask().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn ask(&self) -> Result<(), String> {
        let mut form = Form::default();
        let read = OnDisk::read(&self.path)?;
        form.workflow(&read.name, &read.files);
        let server = self.asking.server()?;
        let bar = Bar::of_upload(self.json, &mut form);
        let kept = server.keep_workflow(&form);
        bar.clear();
        let kept = kept.map_err(|refused| told(refused, &read))?;
        tell(&kept.warnings, &read);
        if self.json {
            say_json(&kept);
        } else {
            say_line(&kept.workflow);
        }
        Ok(())
    }
}
