//! `weevil devices`: whom answers come from, how far each is believed, and the marks on them.

use clap::{Args, Subcommand, ValueEnum};
use weevil_api::{DeviceRank, DeviceView};
use weevil_client::{DeviceMark, Server};

use crate::Exit;
use crate::asking::Asking;
use crate::clock::{age, left, now};
use crate::inert::{one_line, say_json, say_line};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Devices {
    #[command(subcommand)]
    mark: Option<Which>,
    #[command(flatten)]
    list: List,
}

#[derive(Debug, Args)]
struct List {
    /// Those of this rank.
    #[arg(long, value_enum)]
    rank: Option<Rank>,
    #[command(flatten)]
    asking: Asking,
    /// Print a line of JSON for each device.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Rank {
    Newcomer,
    Established,
    Trusted,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Believe a device at once, and against all others, from the next job that it is handed.
    Trust(Marked),
    /// Make a device a newcomer without passes. It can become established again.
    Distrust(Marked),
    /// End a device's rest, and forget how often it had to.
    Forgive(Marked),
}

#[derive(Debug, Args)]
struct Marked {
    /// Its fingerprint, or as many of its first digits as no other device has: eight at least.
    id: String,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl From<Rank> for DeviceRank {
    fn from(rank: Rank) -> Self {
        match rank {
            Rank::Newcomer => Self::Newcomer,
            Rank::Established => Self::Established,
            Rank::Trusted => Self::Trusted,
        }
    }
}

impl Devices {
    pub(crate) fn execute(self) -> Exit {
        let done = match self.mark {
            None => self.list.execute(),
            Some(Which::Trust(device)) => device.mark(DeviceMark::Trust),
            Some(Which::Distrust(device)) => device.mark(DeviceMark::Distrust),
            Some(Which::Forgive(device)) => device.mark(DeviceMark::Forgive),
        };
        done.map_or_else(Exit::CouldNot, |()| Exit::Done)
    }
}

impl List {
    fn execute(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        let (rank, now) = (self.rank.map(DeviceRank::from), now());
        let mut after = None;
        loop {
            let page = server.devices(rank, after.as_deref())?;
            for device in &page.devices {
                if self.json { say_json(device) } else { say_line(&line(device, now)) }
            }
            if page.next.is_none() {
                return Ok(());
            }
            after = page.next;
        }
    }
}

impl Marked {
    fn mark(&self, mark: DeviceMark) -> Result<(), String> {
        let server: Server = self.asking.server()?;
        let device = server.mark_device(&self.id, mark)?;
        if self.json {
            say_json(&device);
        } else {
            say_line(&standing(&device, now()));
        }
        Ok(())
    }
}

/// What is said of a device that was marked, all of its fingerprint included.
fn standing(device: &DeviceView, now: i64) -> String {
    let name = device.fingerprint.as_deref().unwrap_or(&device.device);
    let rest = rest(device, now).map(|rest| format!(", {rest}")).unwrap_or_default();
    let marked =
        if device.trusted && device.rank != DeviceRank::Trusted { ", marked as trusted" } else { "" };
    one_line(&format!("{name} is {}{marked}{rest}", device.rank.as_str()))
}

fn rest(device: &DeviceView, now: i64) -> Option<String> {
    device.rests_until.map(|until| format!("rests for {}", left(until, now)))
}

/// The id first: it is what `weevil devices trust` takes.
fn line(device: &DeviceView, now: i64) -> String {
    let DeviceView { device: id, passes, waiting, accepted, refuted, .. } = device;
    let seen = match device.last_seen {
        _ if device.connected => "connected".to_owned(),
        Some(at) => format!("brought something {}", age(at, now)),
        None => "not connected".to_owned(),
    };
    let found = (*refuted > 0).then(|| format!("had to rest {refuted} times"));
    let words: Vec<String> = [seen].into_iter().chain(found).chain(rest(device, now)).collect();
    one_line(&format!(
        "{id}  {:>11}  {passes} passes  {accepted} accepted  {waiting} waiting  {}",
        device.rank.as_str(),
        words.join("  ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    fn device() -> DeviceView {
        DeviceView {
            device: "3f2a91c0".into(),
            fingerprint: None,
            rank: DeviceRank::Newcomer,
            trusted: false,
            passes: 4,
            refuted: 0,
            rests_until: None,
            confirmed: 0,
            confirmed_ms: 0,
            waiting: 2,
            accepted: 9,
            first_seen: None,
            last_seen: None,
            connected: false,
        }
    }

    #[test]
    fn a_line_says_how_far_a_device_is_believed() {
        let rests = DeviceView { refuted: 2, rests_until: Some(7 * HOUR), ..device() };
        for (device, expected) in [
            (device(), "3f2a91c0     newcomer  4 passes  9 accepted  2 waiting  not connected"),
            (DeviceView { last_seen: Some(HOUR), ..device() }, "2 waiting  brought something 1 h ago"),
            (DeviceView { last_seen: Some(HOUR), connected: true, ..device() }, "2 waiting  connected"),
            (rests, "not connected  had to rest 2 times  rests for 5 h"),
            (DeviceView { rank: DeviceRank::Established, ..device() }, "3f2a91c0  established  4 passes"),
        ] {
            let line = line(&device, 2 * HOUR);
            assert!(line.contains(expected), "{expected}: {line}");
        }
    }

    #[test]
    fn a_mark_is_answered_with_the_whole_fingerprint() {
        let whole = DeviceView { fingerprint: Some("3f2a91c0aa".into()), ..device() };
        let trusted = DeviceView { rank: DeviceRank::Trusted, trusted: true, ..whole.clone() };
        let rests = DeviceView { trusted: true, rests_until: Some(HOUR), ..whole.clone() };
        for (device, expected) in [
            (device(), "3f2a91c0 is newcomer"),
            (whole, "3f2a91c0aa is newcomer"),
            (trusted, "3f2a91c0aa is trusted"),
            (rests, "3f2a91c0aa is newcomer, marked as trusted, rests for 1 h"),
        ] {
            assert_eq!(standing(&device, 0), expected);
        }
    }
}
