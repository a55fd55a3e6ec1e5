//! Devices for people: listed page by page, and one by how its fingerprint begins. Those that are connected and have done nothing
//! yet are among them.
//!
//! No more than the first eight digits of a fingerprint leave the server, but for those who mark devices. Others ask for eight
//! digits or for all of them: what lies between would tell the digits one by one.

use std::collections::BTreeSet;
use std::str::FromStr;

use actix_web::{HttpRequest, web};
use serde::Deserialize;
use weevil_access::may;
use weevil_api::{DevicePage, DeviceRank, DeviceView};
use weevil_model::witness::{Rank, device_number};
use weevil_model::{ContentHash, Right, Timestamp};
use weevil_records::DeviceList;

use super::AppState;
use super::asker::Asker;
use super::device_names::{Beginning, FINGERPRINT_DIGITS, NAME_DIGITS, Seen, together};
use super::gate::project_of;
use super::page::{Limit, no_mark};
use super::parameters::query;
use crate::refusal::Refusal;

/// Devices with one name behind which a page may begin: a second one takes 2^32 keys to find.
const MAX_NAMESAKES: u32 = 1000;
/// Devices that are looked at for a name. Two are too many already, but where they differ behind the fifteenth digit.
const MAX_MATCHES: u32 = 16;
/// Characters of a name that nobody has which are repeated.
const MAX_SHOWN: usize = 64;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    rank: Option<DeviceRank>,
    after: Option<String>,
    #[serde(default)]
    limit: Limit,
}

/// Where a page begins: behind the first so many devices with this name.
#[derive(Debug, PartialEq, Eq)]
struct Mark {
    name: Beginning,
    behind: u32,
}

impl FromStr for Mark {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (name, behind) = text.split_once('.').ok_or_else(no_mark)?;
        let name = Beginning::parse(name).filter(|name| name.digits() == NAME_DIGITS);
        let behind = behind.parse().ok().filter(|behind| (1..=MAX_NAMESAKES).contains(behind));
        name.zip(behind).map(|(name, behind)| Self { name, behind }).ok_or_else(no_mark)
    }
}

pub(super) async fn list(
    app: web::Data<AppState>,
    request: HttpRequest,
    asker: Asker,
) -> Result<web::Json<DevicePage>, Refusal> {
    let wanted: Asked = query(&request)?;
    let mark: Option<Mark> = wanted.after.as_deref().map(str::parse).transpose()?;
    let (from, behind) = mark.map_or((0, 0), |mark| (mark.name.numbers().0, mark.behind));
    let list = DeviceList { rank: wanted.rank.map(rank), from, until: i64::MAX, now: asker.at };
    let mut found = page(&app, &list, wanted.limit.and_one() + behind).await?;
    found.drain(..found.len().min(behind as usize));
    let next = wanted.limit.cut(&mut found, |last| format!("{}.{}", last.name(), last.nth));
    let (whole, now) = (sees_whole(&asker), asker.at);
    let fits = |device: &&Seen| list.rank.is_none_or(|rank| rank == device.known.rank);
    let devices = found.iter().filter(fits).map(|device| view(device, whole, now)).collect();
    Ok(web::Json(DevicePage { devices, next }))
}

/// So many devices of a list, and those that are connected between them.
async fn page(app: &AppState, list: &DeviceList, most: u32) -> Result<Vec<Seen>, Refusal> {
    let known = app.common.store.devices(list, most).await?;
    let is_last = known.len() < most as usize;
    let until = if is_last { list.until } else { known.last().map_or(list.until, |last| last.number) };
    let mut connected = connected(app);
    connected.retain(|device| (list.from..=until).contains(&device_number(*device)));
    if list.rank.is_some_and(|rank| rank != Rank::Newcomer) {
        let numbers: BTreeSet<i64> = known.iter().map(|device| device.number).collect();
        connected.retain(|device| numbers.contains(&device_number(*device)));
    }
    Ok(together(known, &connected))
}

/// Those that have proved their keys, as the fleet shows them.
fn connected(app: &AppState) -> BTreeSet<ContentHash> {
    let fleet = app.common.board.fleet();
    fleet.borrow().workers.iter().filter_map(|worker| worker.device).collect()
}

pub(super) async fn show(
    app: web::Data<AppState>,
    asker: Asker,
    name: web::Path<String>,
) -> Result<web::Json<DeviceView>, Refusal> {
    Ok(web::Json(look(&app, &asker, &name).await?))
}

pub(super) async fn look(app: &AppState, asker: &Asker, name: &str) -> Result<DeviceView, Refusal> {
    Ok(view(&find(app, asker, name).await?, sees_whole(asker), asker.at))
}

/// The one device whose fingerprint begins so.
///
/// # Errors
/// There is none, or there are several.
pub(super) async fn find(app: &AppState, asker: &Asker, name: &str) -> Result<Seen, Refusal> {
    let shown = || name.chars().take(MAX_SHOWN).collect();
    let is_asked = |name: &Beginning| [NAME_DIGITS, FINGERPRINT_DIGITS].contains(&name.digits());
    let beginning = Beginning::parse(name).filter(|name| is_asked(name) || sees_whole(asker));
    let beginning = beginning.ok_or_else(|| Refusal::NoSuchDevice(shown()))?;
    let (from, until) = beginning.numbers();
    let list = DeviceList { rank: None, from, until, now: asker.at };
    let mut found = page(app, &list, MAX_MATCHES).await?;
    found.retain(|device| beginning.fits(device));
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => Err(Refusal::WhichDevice(shown())),
        (None, _) => Err(Refusal::NoSuchDevice(shown())),
    }
}

fn sees_whole(asker: &Asker) -> bool {
    may(&asker.caller, Right::DevicesTrust, project_of(Right::DevicesTrust)).is_ok()
}

fn view(device: &Seen, whole: bool, now: Timestamp) -> DeviceView {
    let Seen { known, is_connected, .. } = device;
    // A device that is banned before anything of it was taken has a row without work.
    let (work, record) = (known.work.filter(|work| work.accepted > 0), known.record);
    DeviceView {
        device: device.name(),
        fingerprint: whole.then(|| device.digits()),
        rank: word(known.rank),
        trusted: record.is_trusted,
        passes: record.passes,
        refuted: record.refuted,
        rests_until: record.rests_until.filter(|until| now < *until).map(|until| until.0),
        confirmed: known.credit.confirmed,
        confirmed_ms: known.credit.confirmed_us / 1000,
        waiting: known.waiting,
        accepted: work.map_or(0, |work| work.accepted),
        first_seen: work.map(|work| work.first_seen.0),
        last_seen: work.map(|work| work.last_seen.0),
        connected: *is_connected,
    }
}

pub(super) const fn word(rank: Rank) -> DeviceRank {
    match rank {
        Rank::Newcomer => DeviceRank::Newcomer,
        Rank::Established => DeviceRank::Established,
        Rank::Trusted => DeviceRank::Trusted,
    }
}

const fn rank(word: DeviceRank) -> Rank {
    match word {
        DeviceRank::Newcomer => Rank::Newcomer,
        DeviceRank::Established => Rank::Established,
        DeviceRank::Trusted => Rank::Trusted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_a_name_and_how_many_of_it_are_passed() {
        for (text, behind) in [
            ("1a2b3c4d.1", Some(1)),
            ("1a2b3c4d.1000", Some(1000)),
            ("1a2b3c4d.1001", None),
            ("1a2b3c4d.0", None),
            ("1a2b3c4d.-1", None),
            ("1a2b3c4d", None),
            ("1a2b3c4d5.1", None),
            ("1a2b3c4.1", None),
            ("", None),
        ] {
            assert_eq!(text.parse::<Mark>().ok().map(|mark| mark.behind), behind, "{text}");
        }
    }
}
