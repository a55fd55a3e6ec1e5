//! Who may do what: callers and their rights, secrets, sessions, passwords, throttles, rates, quotas, the audit's chain.
//!
//! Pure: no clock, no chance, no IO. Moments, random bytes and the words of files come in as arguments.
//!
//! The server asks all of it but quotas, the store `audit`, `store` and what they name.

pub mod audit;
mod browser_name;
mod bucket;
mod caller;
mod certificate_key;
mod cookie;
mod device_login;
mod halves;
mod host;
mod known_browser;
pub mod limits;
mod link;
mod may;
mod name;
mod password;
mod quota;
mod recent;
mod secret;
mod server_secret;
mod session;
pub mod store;
mod streams;
mod throttle;
mod token;

pub use browser_name::browser_name;
pub use bucket::{Buckets, Empty, Level};
pub use caller::{Caller, Person, SessionCaller, TokenCaller};
pub use certificate_key::CertificateKey;
pub use cookie::{CookieKind, Way, cookie_name, cookie_value, set_cookie};
pub use device_login::{DeviceLogin, LoginAnswer, LoginSecret, UserCode, UserCodeError};
pub use halves::{CookieHalf, KeyHalf};
pub use host::{Authority, FaceUrl, FaceUrlError, Host, HostError, Names, Schemes, is_own_origin};
pub use known_browser::KnownBrowser;
pub use link::{LinkKind, LinkTimeError};
pub use may::{Denied, may, may_everywhere, may_own};
pub use name::{AccountName, NameError, ProjectSlug, Title};
pub use password::{BreachedError, BreachedList, Comparison, HashingError, Password, WeakPassword};
pub use quota::{QuotaKind, QuotaReached, Quotas, Usage};
pub use secret::{Secret, SecretError, SecretHash, SecretKind};
pub use server_secret::ServerSecret;
pub use session::{Halves, Renewal, Session, SessionEnd, SessionLengths, sessions_that_make_room};
pub use streams::OpenStreams;
pub use throttle::{Attempt, Target, Throttle, Wait};
pub use token::{BadToken, Scopes, TokenRequestError, check_token, token_expires_at};
