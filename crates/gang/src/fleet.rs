//! The devices: who is there, who of them lies, and when they come and go. Never sees what is believed.

use weevil_model::Timestamp;
use weevil_model::witness::{Engine, Rank, Record, Witness};
use weevil_trust::limits::{OPENING_WITNESSES, PASSES};
use weevil_trust::{OpenFleet, points, rank, refute, waiting_answers};

use crate::dice::Dice;
use crate::setting::{Off, Setting};

/// Nothing here takes time.
const NOW: Timestamp = Timestamp(0);

#[derive(Debug)]
pub(crate) struct Device {
    pub(crate) lies: bool,
    /// It has lied before.
    pub(crate) has_lied: bool,
    pub(crate) record: Record,
    /// Answers until it leaves.
    left: u32,
}

/// All devices that ever were, and which of them are here.
#[derive(Debug)]
pub(crate) struct Fleet<'s> {
    setting: &'s Setting,
    pub(crate) devices: Vec<Device>,
    /// By place.
    here: Vec<usize>,
}

impl<'s> Fleet<'s> {
    pub(crate) fn new(setting: &'s Setting, dice: &mut Dice) -> Self {
        let places = setting.devices + setting.flood;
        let mut fleet = Self { setting, devices: Vec::new(), here: vec![0; places] };
        for place in 0..places {
            fleet.come(place, dice);
            if setting.is_known && place < setting.devices {
                fleet.devices[place].record.passes = PASSES;
            }
        }
        fleet
    }

    /// Somebody new takes a place.
    fn come(&mut self, place: usize, dice: &mut Dice) {
        let is_flood = place >= self.setting.devices;
        let gangs = (self.setting.devices as f64 * self.setting.liars).round();
        let lies =
            if self.setting.returns { (place as f64) < gangs } else { dice.happens(self.setting.liars) };
        let life = if is_flood { f64::from(PASSES) } else { self.setting.life };
        let left = dice.life(life);
        self.here[place] = self.devices.len();
        let record = Record::default();
        self.devices.push(Device { lies: lies || is_flood, has_lied: false, record, left });
    }

    /// A device that has time.
    pub(crate) fn any(&self, dice: &mut Dice) -> (usize, usize) {
        let place = dice.below(self.here.len());
        (place, self.here[place])
    }

    pub(crate) fn rank(&self, device: usize) -> Rank {
        match self.setting.off {
            Some(Off::NewcomersWithoutVote) => Rank::Established,
            _ => rank(&self.devices[device].record, NOW),
        }
    }

    /// Whether newcomers may answer for the fleet. Every device has a network of its own.
    pub(crate) fn opens(&self) -> OpenFleet {
        let mut known = self.here.iter().filter(|device| self.rank(**device) != Rank::Newcomer);
        OpenFleet(known.nth(OPENING_WITNESSES - 1).is_none())
    }

    /// How many of its answers may wait for being compared.
    pub(crate) fn waiting_answers(&self, device: usize) -> u32 {
        match self.rank(device) {
            Rank::Newcomer => waiting_answers(&self.devices[device].record, NOW, self.opens()),
            _ => u32::MAX,
        }
    }

    pub(crate) fn points(&self, device: usize) -> u32 {
        points(self.rank(device), self.opens())
    }

    pub(crate) fn witness(device: usize) -> Witness {
        let device = i64::try_from(device).ok();
        Witness { device, network: device, engine: Engine::Other }
    }

    /// An answer of it was confirmed.
    pub(crate) fn pass(&mut self, device: usize) {
        self.devices[device].record.passes += 1;
    }

    /// It has to rest, which is longer than anything here: somebody else takes its place when it is its turn.
    pub(crate) fn refute(&mut self, device: usize) {
        let device = &mut self.devices[device];
        refute(&mut device.record, NOW);
        device.left = 0;
    }

    /// It has given one more answer.
    pub(crate) fn answered(&mut self, place: usize) {
        let device = &mut self.devices[self.here[place]];
        device.left = device.left.saturating_sub(1);
    }

    /// The device at this place has enough.
    pub(crate) fn go(&mut self, place: usize) {
        self.devices[self.here[place]].left = 0;
    }

    /// The device that has left this place, if it has; somebody else has come.
    pub(crate) fn leave(&mut self, place: usize, dice: &mut Dice) -> Option<usize> {
        let device = self.here[place];
        let leaves = self.devices[device].left == 0;
        leaves.then(|| self.come(place, dice));
        leaves.then_some(device)
    }
}
