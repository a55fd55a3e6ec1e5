//! The words of who may do what: faces, rights, roles.
//!
//! Never decides anything: `weevil-access` does.

use std::fmt;

/// A side of the server, which belongs to the socket that a request came in by and never to anything the request says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// For strangers: volunteers, their pages, and probes.
    Public,
    /// For people who are known: the console and the rest of the API, beside all that is public.
    Private,
}

impl Face {
    /// The word in docs/protocol.md.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }

    /// Whether a socket with this face answers what is made for `least`.
    pub fn shows(self, least: Self) -> bool {
        self >= least
    }
}

/// What a member may do in a project; each role may do all that those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads, and has work computed.
    Researcher,
    /// Looks after the project and its people as well.
    ProjectAdmin,
}

impl Role {
    /// Every role, the one with the fewest rights first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Researcher, Self::ProjectAdmin];

    /// The word in the API and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Researcher => "researcher",
            Self::ProjectAdmin => "admin",
        }
    }

    /// The role with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

macro_rules! rights {
    ($($(#[doc = $doc:literal])+ $name:ident $word:literal $role:expr;)+) => {
        /// Something that may be done: what an operation demands, what a role brings, and the scope of a token.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Right {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Right {
            /// Every right, each once.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$name),+];

            /// The word in the API, in scopes and in the database.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)+
                }
            }

            /// The lowest role that brings it; `None` where the administrator of the server alone has it.
            pub const fn least_role(self) -> Option<Role> {
                match self {
                    $(Self::$name => $role,)+
                }
            }
        }
    };
}

rights! {
    /// Runs, their results, jobs and events.
    RunsRead "runs:read" Some(Role::Viewer);
    /// Jobs of any origin, and how full the queue is.
    JobsRead "jobs:read" Some(Role::Viewer);
    /// Stored workflows and their files.
    WorkflowsRead "workflows:read" Some(Role::Viewer);
    /// Who computes.
    WorkersRead "workers:read" Some(Role::Viewer);
    /// Begins, ends, pauses and resumes runs.
    RunsWrite "runs:write" Some(Role::Researcher);
    /// Puts in and ends stand-alone jobs.
    JobsWrite "jobs:write" Some(Role::Researcher);
    /// Keeps and removes workflows.
    WorkflowsWrite "workflows:write" Some(Role::Researcher);
    /// A project, its members and what it uses.
    ProjectRead "project:read" Some(Role::Viewer);
    /// A project's settings, members, invitations, tokens and audit.
    ProjectManage "project:manage" Some(Role::ProjectAdmin);
    /// Makes projects, sets their quotas, archives them.
    ProjectsManage "projects:manage" None;
    /// Accounts, and what belongs to them.
    AccountsManage "accounts:manage" None;
    /// Stops all of the queue, and lets it go on.
    QueuePause "queue:pause" None;
    /// Pauses and bans workers.
    WorkersManage "workers:manage" None;
    /// Marks devices as trusted, and forgives them.
    DevicesTrust "devices:trust" None;
    /// The audit of the whole server.
    AuditRead "audit:read" None;
    /// The metrics.
    MetricsRead "metrics:read" None;
    /// The server's settings.
    ServerRead "server:read" None;
}

macro_rules! shown_as_its_word {
    ($($name:ident)+) => {
        $(impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        })+
    };
}

shown_as_its_word! { Face Right Role }

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_right_has_a_word_of_its_own() {
        let words: BTreeSet<_> = Right::ALL.map(Right::as_str).into();
        assert_eq!(words.len(), Right::ALL.len());
        for word in words {
            let (thing, verb) = word.split_once(':').unwrap();
            let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(plain(thing) && plain(verb), "{word}");
        }
    }

    #[test]
    fn who_reads_a_thing_is_never_above_who_writes_it() {
        for right in Right::ALL {
            let (thing, verb) = right.as_str().split_once(':').unwrap();
            let least = match verb {
                "read" if ["runs", "jobs", "workflows", "workers", "project"].contains(&thing) => {
                    Some(Role::Viewer)
                }
                "write" => Some(Role::Researcher),
                _ if thing == "project" => Some(Role::ProjectAdmin),
                _ => None,
            };
            assert_eq!(right.least_role(), least, "{right}");
        }
    }

    #[test]
    fn a_private_socket_shows_all_and_a_public_one_its_own() {
        for (face, least, shown) in [
            (Face::Private, Face::Private, true),
            (Face::Private, Face::Public, true),
            (Face::Public, Face::Public, true),
            (Face::Public, Face::Private, false),
        ] {
            assert_eq!(face.shows(least), shown, "{face} {least}");
        }
    }
}
