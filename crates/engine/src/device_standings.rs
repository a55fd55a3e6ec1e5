//! What connected devices are told of their own answers: which of them have news, and when they may hear it.
//!
//! Knows devices by their numbers. A device that has given no judged answer costs nothing: nothing is read but for those that have
//! news. What it tells are counts, never which answer was compared.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix::{Message, Recipient};
use weevil_model::witness::Record;
use weevil_model::{Timestamp, WorkerId};
use weevil_records::DeviceStanding;

use crate::common::Common;

/// How often it looks which devices have news.
const LOOK_EVERY: Duration = Duration::from_secs(3);
/// A device hears of itself at most this often, milliseconds.
const TELL_EVERY_MS: i64 = 30_000;
/// Devices that are read at a time.
const MOST: usize = 1000;

/// News for the session of a device's worker.
#[derive(Debug, Message)]
#[rtype(result = "()")]
pub struct StandingNews(pub DeviceStanding);

/// The connected devices, and what they have been told.
#[derive(Debug, Default)]
pub struct DeviceStandings(Mutex<Followed>);

#[derive(Debug, Default)]
struct Followed {
    devices: HashMap<i64, Followers>,
    /// Those with news, the longest waiting first.
    news: Vec<i64>,
}

/// The tabs of one device.
#[derive(Debug, Default)]
struct Followers {
    ways: Vec<(WorkerId, Recipient<StandingNews>)>,
    told: Option<(Timestamp, DeviceStanding)>,
    has_news: bool,
}

impl Followers {
    fn tell(&mut self, standing: DeviceStanding, now: Timestamp) {
        let is_new = self.told.is_none_or(|(_, told)| told != standing);
        self.told = Some((now, standing));
        if is_new {
            self.ways.iter().for_each(|(_, way)| way.do_send(StandingNews(standing)));
        }
    }

    fn may_hear(&self, now: Timestamp) -> bool {
        self.told.is_none_or(|(at, _)| now.since(at) >= TELL_EVERY_MS)
    }
}

impl Followed {
    fn note(&mut self, device: i64, is_news: impl FnOnce(&Followers) -> bool) {
        if let Some(followers) = self.devices.get_mut(&device)
            && !followers.has_news
            && is_news(followers)
        {
            followers.has_news = true;
            self.news.push(device);
        }
    }
}

impl DeviceStandings {
    /// A worker has proved that it is this device: it hears at once what another tab of the device has heard.
    pub fn follow(&self, device: i64, worker: WorkerId, way: Recipient<StandingNews>, now: Timestamp) {
        let mut followed = self.followed();
        let followers = followed.devices.entry(device).or_default();
        if let Some((_, standing)) = followers.told {
            way.do_send(StandingNews(standing));
            followers.told = Some((now, standing));
        }
        followers.ways.push((worker, way));
    }

    /// The worker is gone.
    pub fn unfollow(&self, device: i64, worker: WorkerId) {
        let mut followed = self.followed();
        let Some(followers) = followed.devices.get_mut(&device) else { return };
        followers.ways.retain(|(follower, _)| *follower != worker);
        if followers.ways.is_empty() {
            followed.devices.remove(&device);
            followed.news.retain(|with_news| *with_news != device);
        }
    }

    /// Answers of these devices have come, were believed, or were found wrong.
    pub(crate) fn counted(&self, devices: &[i64]) {
        if !devices.is_empty() {
            let mut followed = self.followed();
            for device in devices {
                followed.note(*device, |_| true);
            }
        }
    }

    /// This is kept of devices: no news for one of which nothing is, unless it was told something else before.
    pub(crate) fn learned(&self, records: &[(i64, Record)]) {
        if !records.is_empty() {
            let mut followed = self.followed();
            for (device, record) in records {
                followed.note(*device, |followers| *record != Record::default() || followers.told.is_some());
            }
        }
    }

    /// Those that have news and may hear them: they have none any more.
    fn take_due(&self, now: Timestamp) -> Vec<i64> {
        let mut followed = self.followed();
        let Followed { devices, news } = &mut *followed;
        let mut due = Vec::new();
        news.retain(|device| {
            let Some(followers) = devices.get_mut(device) else { return false };
            let is_due = due.len() < MOST && followers.may_hear(now);
            if is_due {
                followers.has_news = false;
                due.push(*device);
            }
            !is_due
        });
        due
    }

    fn tell(&self, standings: &[DeviceStanding], now: Timestamp) {
        let mut followed = self.followed();
        for standing in standings {
            if let Some(followers) = followed.devices.get_mut(&standing.device) {
                followers.tell(*standing, now);
            }
        }
    }

    fn followed(&self) -> MutexGuard<'_, Followed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works as long as it is polled.
pub async fn tell_devices(common: Common) {
    loop {
        common.clock.sleep(LOOK_EVERY).await;
        look(&common).await;
    }
}

/// One read, where any device has news.
async fn look(common: &Common) {
    let (devices, now) = (common.listeners.devices(), common.clock.now());
    let due = devices.take_due(now);
    if due.is_empty() {
        return;
    }
    match common.store.standings(&due, now).await {
        Ok(standings) => devices.tell(&standings, now),
        Err(error) => {
            tracing::warn!(%error, "devices hear later how they stand");
            devices.counted(&due);
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::witness::Rank;
    use weevil_records::Credit;

    use super::*;
    use crate::testing::{Bed, worker};

    const BLANK: Record =
        Record { passes: 0, is_trusted: false, refuted: 0, rests_until: None, refuted_errors: [None; 2] };
    const PASSED: Record = Record { passes: 3, ..BLANK };

    fn standing(device: i64, given: u64) -> DeviceStanding {
        let credit = Credit { given, ..Credit::default() };
        DeviceStanding { device, rank: Rank::Newcomer, credit, waiting: 0, rests_until: None }
    }

    fn seconds(seconds: i64) -> Timestamp {
        Timestamp(seconds * 1000)
    }

    /// Device 5 has tab 1, device 6 tab 2.
    fn followed(bed: &Bed) -> DeviceStandings {
        let standings = DeviceStandings::default();
        for (device, tab) in [(5, 1), (6, 2)] {
            let way = bed.recorder(format!("tab {tab}")).recipient();
            standings.follow(device, worker(tab), way, seconds(0));
        }
        standings
    }

    #[actix::test]
    async fn only_devices_with_news_are_read() {
        let bed = Bed::default();
        let standings = followed(&bed);
        for (case, counted, learned, due) in [
            ("nothing is judged", &[][..], &[][..], &[][..]),
            ("nothing is kept of them", &[], &[(5, BLANK), (6, BLANK)], &[]),
            ("one has given an answer", &[6, 9], &[(5, BLANK)], &[6]),
            ("one has become known", &[], &[(5, PASSED), (9, PASSED)], &[5]),
            ("in the order of their news", &[6], &[(5, PASSED), (6, PASSED)], &[6, 5]),
            ("they have none any more", &[], &[], &[]),
        ] {
            standings.counted(counted);
            standings.learned(learned);
            assert_eq!(standings.take_due(seconds(1)), due, "{case}");
        }
    }

    #[actix::test]
    async fn a_device_hears_what_has_changed_and_not_too_often() {
        let bed = Bed::default();
        let standings = followed(&bed);
        for (case, at, given, heard) in [
            ("the first time at once", 0, 1, &["tab 1 has given 1"][..]),
            ("not again so soon", 29, 2, &[]),
            ("what waited is told", 30, 2, &["tab 1 has given 2"]),
            ("what has not changed is not", 61, 2, &[]),
            ("but read no more often", 62, 3, &[]),
        ] {
            standings.counted(&[5]);
            let due = standings.take_due(seconds(at));
            standings
                .tell(&due.iter().map(|device| standing(*device, given)).collect::<Vec<_>>(), seconds(at));
            assert_eq!(bed.heard().await, heard, "{case}");
        }
        standings.learned(&[(5, BLANK)]);
        assert_eq!(standings.take_due(seconds(99)), [5], "whoever was told something hears that it is gone");
    }

    #[actix::test]
    async fn another_tab_hears_at_once_and_one_that_left_never() {
        let bed = Bed::default();
        let standings = followed(&bed);
        standings.tell(&[standing(5, 1)], seconds(0));
        standings.follow(5, worker(3), bed.recorder("tab 3".to_owned()).recipient(), seconds(10));
        assert_eq!(bed.heard().await, ["tab 1 has given 1", "tab 3 has given 1"]);
        standings.unfollow(5, worker(1));
        standings.counted(&[5]);
        assert_eq!((standings.take_due(seconds(39)), standings.take_due(seconds(40))), (vec![], vec![5]));
        standings.tell(&[standing(5, 2)], seconds(40));
        assert_eq!(bed.heard().await, ["tab 3 has given 2"]);
        standings.counted(&[5]);
        standings.unfollow(5, worker(3));
        assert!(standings.take_due(seconds(99)).is_empty());
        assert!(!standings.followed().devices.contains_key(&5));
    }

    #[actix::test]
    async fn many_are_read_a_part_at_a_time() {
        let (bed, standings) = (Bed::default(), DeviceStandings::default());
        let way = bed.recorder("all".to_owned()).recipient();
        let devices: Vec<i64> = (0..1500).collect();
        for device in &devices {
            standings.follow(*device, worker(1), way.clone(), seconds(0));
        }
        standings.counted(&devices);
        for part in [&devices[..MOST], &devices[MOST..], &[]] {
            assert_eq!(standings.take_due(seconds(0)), part);
        }
    }
}
