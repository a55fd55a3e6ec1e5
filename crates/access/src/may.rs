//! Whether a caller has a right.
//!
//! The only place that decides it: a front door asks here and carries out the answer.

use weevil_model::{ProjectId, Right, Role};

use crate::caller::{Caller, Person};

/// Why a caller may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// Nobody has said who asks.
    #[error("nobody is signed in")]
    NotSignedIn,
    /// The account does not have the right.
    #[error("`{0}` is needed, which {holder} has", holder = holder(*.0))]
    NotAllowed(Right),
    /// The account has the right, and its token is not made for it.
    #[error("the token is not made for `{0}`")]
    ScopeMissing(Right),
    /// It is about somebody's own account, for which no token is made.
    #[error("no token is made for this: it is about somebody's own account, who signs in for it")]
    NoScope,
    /// The token is for another project.
    #[error("the token is made for another project")]
    OtherProject,
    /// The caller has the right in some projects only.
    #[error(
        "an administrator of the server alone asks for all projects at once: name one of yours with `project`"
    )]
    NotEverywhere,
}

/// Whether this caller may do something about what is its own; `tokens`: programs with a token may, too.
///
/// # Errors
/// Why not. What is one's own is no scope, so a token has it nowhere else.
pub fn may_own(caller: &Caller, tokens: bool) -> Result<(), Denied> {
    match caller {
        Caller::Nobody => Err(Denied::NotSignedIn),
        Caller::Token(_) if !tokens => Err(Denied::NoScope),
        Caller::Token(_) | Caller::Local | Caller::Session(_) => Ok(()),
    }
}

/// Whether this caller has this right in a project; without one, in any project at all.
///
/// # Errors
/// Why not.
pub fn may(caller: &Caller, right: Right, project: Option<ProjectId>) -> Result<(), Denied> {
    match caller {
        Caller::Nobody => Err(Denied::NotSignedIn),
        Caller::Local => Ok(()),
        Caller::Session(session) => person_may(&session.person, right, project),
        Caller::Token(token) => {
            if token.project.zip(project).is_some_and(|(own, asked)| own != asked) {
                return Err(Denied::OtherProject);
            }
            person_may(&token.owner, right, project.or(token.project))?;
            if token.scopes.holds(right) { Ok(()) } else { Err(Denied::ScopeMissing(right)) }
        }
    }
}

/// Whether this caller has this right in every project, also in those that are yet to be made.
///
/// # Errors
/// Why not.
pub fn may_everywhere(caller: &Caller, right: Right) -> Result<(), Denied> {
    may(caller, right, None)?;
    let one = matches!(caller, Caller::Token(token) if token.project.is_some());
    match caller.person() {
        _ if one => Err(Denied::NotEverywhere),
        Some(person) if !person.admin => Err(Denied::NotEverywhere),
        _ => Ok(()),
    }
}

fn person_may(person: &Person, right: Right, project: Option<ProjectId>) -> Result<(), Denied> {
    let role = project.map_or_else(|| person.highest_role(), |project| person.role_in(project));
    let brings = |least: Role| role.is_some_and(|role| role >= least);
    if person.admin || right.least_role().is_some_and(brings) {
        Ok(())
    } else {
        Err(Denied::NotAllowed(right))
    }
}

/// Who has a right, in words.
const fn holder(right: Right) -> &'static str {
    match right.least_role() {
        Some(Role::Viewer) => "every member of the project",
        Some(Role::Researcher) => "a researcher of the project",
        Some(Role::ProjectAdmin) => "an admin of the project",
        None => "an administrator of the server",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use weevil_model::{AccountId, SessionId, TokenId};

    use super::*;
    use crate::caller::{SessionCaller, TokenCaller};
    use crate::{Caller, Scopes};

    fn project(number: i64) -> ProjectId {
        ProjectId::from_number(number).unwrap()
    }

    fn person(admin: bool, memberships: &[(i64, Role)]) -> Arc<Person> {
        let memberships = memberships.iter().map(|(number, role)| (project(*number), *role)).collect();
        Arc::new(Person { account: AccountId::from_number(7).unwrap(), admin, memberships })
    }

    fn session(admin: bool, memberships: &[(i64, Role)]) -> Caller {
        let session = SessionId::from_number(1).unwrap();
        Caller::Session(SessionCaller { person: person(admin, memberships), session, fresh: true })
    }

    fn token(owner: Arc<Person>, scopes: &[&str], of: Option<i64>) -> Caller {
        let scopes = Arc::new(Scopes::of_words(scopes.iter().copied()).unwrap());
        let token = TokenId::from_number(1).unwrap();
        Caller::Token(TokenCaller { owner, token, scopes, project: of.map(project) })
    }

    #[test]
    fn local_and_admins_have_every_right_and_nobody_has_none() {
        for right in Right::ALL {
            for project in [None, Some(project(1))] {
                assert_eq!(may(&Caller::Local, right, project), Ok(()), "{right}");
                assert_eq!(may(&session(true, &[]), right, project), Ok(()), "{right}");
                assert_eq!(may(&Caller::Nobody, right, project), Err(Denied::NotSignedIn), "{right}");
                assert_eq!(may(&session(false, &[]), right, project), Err(Denied::NotAllowed(right)));
            }
        }
    }

    #[test]
    fn a_role_brings_its_rights_in_its_project() {
        for right in Right::ALL {
            for role in Role::ALL {
                let caller = session(false, &[(1, role), (2, Role::Viewer)]);
                let brings = |role: Role| right.least_role().is_some_and(|least| role >= least);
                for (asked, allowed) in [
                    (Some(1), brings(role)),
                    (Some(2), brings(Role::Viewer)),
                    (Some(3), false),
                    (None, brings(role)),
                ] {
                    let found = may(&caller, right, asked.map(project));
                    let expected = if allowed { Ok(()) } else { Err(Denied::NotAllowed(right)) };
                    assert_eq!(found, expected, "{right} {role} {asked:?}");
                }
            }
        }
    }

    #[test]
    fn a_token_may_what_its_scopes_name_its_owner_may_and_its_project_holds() {
        use Denied::{NotAllowed, OtherProject, ScopeMissing};
        let member = || person(false, &[(1, Role::Researcher), (2, Role::Viewer)]);
        let read = || token(member(), &["runs:read"], None);
        for (caller, right, asked, expected) in [
            (read(), Right::RunsRead, Some(1), Ok(())),
            (read(), Right::RunsRead, None, Ok(())),
            (read(), Right::RunsWrite, Some(1), Err(ScopeMissing(Right::RunsWrite))),
            (read(), Right::RunsRead, Some(3), Err(NotAllowed(Right::RunsRead))),
            (
                token(member(), &["runs:write"], None),
                Right::RunsWrite,
                Some(2),
                Err(NotAllowed(Right::RunsWrite)),
            ),
            (
                token(member(), &["runs:write"], Some(2)),
                Right::RunsWrite,
                None,
                Err(NotAllowed(Right::RunsWrite)),
            ),
            (token(member(), &["runs:read"], Some(2)), Right::RunsRead, Some(1), Err(OtherProject)),
            (token(member(), &["runs:read"], Some(2)), Right::RunsRead, Some(2), Ok(())),
            (token(person(true, &[]), &["audit:read"], None), Right::AuditRead, None, Ok(())),
            (
                token(person(true, &[]), &["audit:read"], None),
                Right::QueuePause,
                None,
                Err(ScopeMissing(Right::QueuePause)),
            ),
            (
                token(person(false, &[]), &["audit:read"], None),
                Right::AuditRead,
                None,
                Err(NotAllowed(Right::AuditRead)),
            ),
        ] {
            assert_eq!(may(&caller, right, asked.map(project)), expected, "{caller:?} {right} {asked:?}");
        }
    }

    #[test]
    fn all_projects_at_once_are_for_those_who_may_everything_everywhere() {
        use Denied::{NotAllowed, NotEverywhere, NotSignedIn, ScopeMissing};
        let right = Right::RunsRead;
        let member = || person(false, &[(1, Role::ProjectAdmin)]);
        let admin = || person(true, &[(1, Role::Viewer)]);
        for (caller, expected) in [
            (Caller::Nobody, Err(NotSignedIn)),
            (Caller::Local, Ok(())),
            (session(true, &[]), Ok(())),
            (session(false, &[]), Err(NotAllowed(right))),
            (session(false, &[(1, Role::ProjectAdmin), (2, Role::ProjectAdmin)]), Err(NotEverywhere)),
            (token(admin(), &["runs:read"], None), Ok(())),
            (token(admin(), &["runs:write"], None), Err(ScopeMissing(right))),
            (token(admin(), &["runs:read"], Some(1)), Err(NotEverywhere)),
            (token(member(), &["runs:read"], None), Err(NotEverywhere)),
        ] {
            assert_eq!(may_everywhere(&caller, right), expected, "{caller:?}");
        }
    }

    #[test]
    fn what_is_somebody_s_own_is_no_token_s_unless_it_says_so() {
        let token = token(person(true, &[]), &["runs:read"], None);
        for (caller, own, with_tokens) in [
            (Caller::Nobody, Err(Denied::NotSignedIn), Err(Denied::NotSignedIn)),
            (Caller::Local, Ok(()), Ok(())),
            (session(false, &[]), Ok(()), Ok(())),
            (token, Err(Denied::NoScope), Ok(())),
        ] {
            assert_eq!((may_own(&caller, false), may_own(&caller, true)), (own, with_tokens), "{caller:?}");
        }
    }

    #[test]
    fn a_denial_says_who_has_the_right() {
        for (right, words) in [
            (Right::RunsRead, "`runs:read` is needed, which every member of the project has"),
            (Right::AuditRead, "`audit:read` is needed, which an administrator of the server has"),
        ] {
            assert_eq!(Denied::NotAllowed(right).to_string(), words);
        }
    }
}
