//! `weevil whoami`: who the commands of this machine are to a server, what they may do there, and until when.

use clap::Args;
use weevil_api::{CallerKind, Me};

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{days_until, now};
use crate::inert::{say_json, say_line};

#[derive(Debug, Args)]
pub struct Whoami {
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Whoami {
    pub(crate) fn execute(self) -> Exit {
        let me = self.asking.server().and_then(|server| server.me().map_err(|refused| refused.message));
        match me {
            Ok(me) if self.json => say_json(&me),
            Ok(me) => lines(&me, now()).iter().for_each(|line| say_line(line)),
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }
}

fn lines(me: &Me, now: i64) -> Vec<String> {
    let name = me.account.as_ref().map(|account| account.name.as_str()).unwrap_or_default();
    let who = match me.kind {
        CallerKind::Local => "the owner of the server's machine".to_owned(),
        CallerKind::Account => name.to_owned(),
        CallerKind::Token => {
            let token = me.token.as_ref().map(|token| {
                let (name, project) = (&token.name, token.project.as_deref().unwrap_or("all its projects"));
                format!(
                    ", by the token `{name}` for {project}, good for {}",
                    days_until(token.expires_at, now)
                )
            });
            format!("{name}{}", token.unwrap_or_default())
        }
    };
    let memberships = me.memberships.iter().map(|it| format!("{} in {}", it.role, it.project));
    let rights =
        format!("rights: {}", if me.rights.is_empty() { "none".to_owned() } else { me.rights.join(" ") });
    std::iter::once(who).chain(memberships).chain([rights]).collect()
}
