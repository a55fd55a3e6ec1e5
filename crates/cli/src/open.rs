//! `weevil open`: a run's page of the console.

use clap::Args;
use weevil_model::RunId;

use crate::Exit;
use crate::asking::Asking;
use crate::browse::browse;
use crate::cut::Cut;
use crate::inert::{Inert, complain, say_line};

#[derive(Debug, Args)]
pub struct Open {
    /// Id of the run; its beginning is enough where no other one has it.
    run: Cut<RunId>,
    /// Print the address, and on stderr a link that signs in, instead of opening it.
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    asking: Asking,
}

impl Open {
    pub(crate) fn execute(self) -> Exit {
        self.open().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn open(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        let run = self.run.run(&server)?;
        // Somebody who may not see it is told here, and not by a page.
        server.run_result(&run, None)?;
        let address = run_page(server.url(), &run.to_string());
        if !self.print {
            return browse(&address, "`weevil open --print` prints the address");
        }
        say_line(&address);
        let link = server.console_link()?;
        let link = format!("{}/console#link={}", server.url(), link.link);
        complain(&Inert::fill(
            "a browser that is not signed in yet opens this first, good once and for five minutes: {}\n",
            &[&Inert::line(&link)],
        ));
        Ok(())
    }
}

/// Where the console shows a run.
pub(crate) fn run_page(url: &str, run: &str) -> String {
    format!("{url}/console#/runs/{run}")
}
