//! The way in for the first person: a link that the start prints while nobody administers the server.

use weevil_access::audit::{Action, Actor, AuditEntry, AuditOutcome};
use weevil_access::store::{Link, LinkFor, NewLink};
use weevil_access::{LinkKind, Secret};
use weevil_model::{Face, StoreError, Timestamp};

use super::People;
use crate::reach::Reach;
use crate::seeds;
use crate::sockets::Socket;

/// Where the first account is made, unless the private face is this machine's alone, by its socket and by its address, whose
/// owner needs none.
pub(crate) async fn first_admin(
    reach: &Reach,
    sockets: &[Socket],
    people: &People,
    now: Timestamp,
) -> Result<Option<String>, StoreError> {
    let Some(private) = sockets.iter().find(|socket| socket.face == Face::Private) else { return Ok(None) };
    let only_here = reach.url.as_ref().is_none_or(|url| url.host().is_loopback());
    if private.is_on_loopback() && only_here {
        return Ok(None);
    }
    let scheme = if private.tls { "https" } else { "http" };
    let address = || format!("{scheme}://{}", private.address);
    let url = reach.url.as_ref().map_or_else(address, ToString::to_string);
    let link = first_admin_link(people, now).await?;
    Ok(link.map(|link| format!("{url}/console#link={}", link.reveal())))
}

/// A link that makes the first account, good once and for a day; those of earlier starts are void. `None` where somebody
/// administers the server, or the system gives no random bytes.
async fn first_admin_link(people: &People, now: Timestamp) -> Result<Option<Secret>, StoreError> {
    if people.store.has_admin().await? {
        return Ok(None);
    }
    let kind = LinkKind::FirstAdmin;
    let (Ok(random), Ok(expires_at)) = (seeds::secret(), kind.expires_at(now)) else { return Ok(None) };
    let secret = Secret::of_bytes(kind.secret(), random);
    let link = Link { made_by: Actor::System, good_for: LinkFor::FirstAdmin, made_at: now, expires_at };
    let entry = AuditEntry {
        at: now,
        actor: Actor::System,
        action: Action::LinkCreated,
        subject: None,
        project: None,
        place: None,
        outcome: AuditOutcome::Done,
        details: Some("{\"for\":\"firstAdmin\"}".to_owned()),
    };
    let made = people.store.make_link(&NewLink { hash: secret.hash(), link }, &entry).await?;
    // Another server of the database may have been faster.
    Ok(made.ok().map(|()| secret))
}
