//! What a tab is told that people in charge send away. What they have noted beside it is for them alone.

use weevil_engine::contact::SentAway;

const BANNED: &str = "whoever runs this server has banned this device from computing for it; what it held is computed by others";
const FOR_NOW: &str = "whoever runs this server has sent this tab away; what it held is computed by others";

pub(super) const fn words(why: SentAway) -> &'static str {
    match why {
        SentAway::Banned => BANNED,
        SentAway::ForNow => FOR_NOW,
    }
}
