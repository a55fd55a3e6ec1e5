//! Projects and their members: found, listed, bounded, and told of.

use weevil_access::Quotas;
use weevil_access::audit::{Action, AuditEntry};
use weevil_access::limits::{MAX_MEMBERS, MAX_PROJECTS};
use weevil_access::store::{Declined, LinkFor, NewProject, Project};
use weevil_model::{AccountId, ProjectId, Role, Timestamp};

use super::People;
use crate::databases::{Kind, on_each_database};

fn new(slug: &str) -> NewProject {
    let quotas = Quotas { open_jobs: 10, open_runs: 2, stored_bytes: 1 << 40 };
    NewProject {
        slug: slug.parse().unwrap(),
        name: format!("The {slug}").parse().unwrap(),
        quotas,
        jobs_a_minute: 7,
    }
}

impl People {
    async fn project(&self, slug: &str) -> ProjectId {
        self.store.add_project(&new(slug), &self.entry()).await.unwrap().unwrap()
    }

    async fn set(&self, project: ProjectId, account: AccountId, role: Role) {
        self.store.set_member(project, account, role, &self.entry()).await.unwrap().unwrap();
    }

    async fn roles(&self, account: AccountId) -> Vec<(i64, Role)> {
        let all = self.store.memberships(account).await.unwrap();
        all.iter().map(|each| (each.project.id.number(), each.role)).collect()
    }

    /// Page by page.
    async fn members(&self, project: ProjectId) -> Vec<(AccountId, Role)> {
        let (mut all, mut after) = (Vec::new(), None);
        while let Some(member) = self.store.members(project, after, 1).await.unwrap().pop() {
            after = Some(member.account.id);
            all.push((member.account.id, member.role));
        }
        all
    }
}

async fn the_first_project_is_there_and_others_follow_it(kind: Kind) {
    let people = People::new(kind).await;
    let default = people.store.projects(None, 9).await.unwrap();
    assert_eq!(
        default,
        [Project {
            id: ProjectId::DEFAULT,
            slug: "default".into(),
            name: "Default".into(),
            created_at: Timestamp(0),
            archived_at: None,
            quotas: Quotas::default(),
            jobs_a_minute: 0,
        }]
    );
    let bees = people.project("bees").await;
    let found = people.store.project(&"bees".parse().unwrap()).await.unwrap().unwrap();
    let NewProject { quotas, jobs_a_minute, .. } = new("bees");
    assert_eq!((found.id, found.name.as_str(), found.created_at), (bees, "The bees", people.now));
    assert_eq!((found.id.number(), found.quotas, found.jobs_a_minute), (2, quotas, jobs_a_minute));
    let after = people.store.projects(Some(ProjectId::DEFAULT), 9).await.unwrap();
    assert_eq!(after, [found]);
    assert_eq!(people.store.project(&"wasps".parse().unwrap()).await.unwrap(), None);
    let told: Vec<_> = people.database.texts("select concat(action, subject, project) from audit").await;
    assert_eq!(told, [format!("account.created{bees}2")]);
    let again = people.store.add_project(&new("bees"), &people.entry()).await.unwrap();
    assert_eq!((again, people.audit_rows().await), (Err(Declined::NameTaken), 1));
}

async fn a_project_is_changed_and_each_change_is_told_once(kind: Kind) {
    let people = People::new(kind).await;
    let (bees, nowhere) = (people.project("bees").await, ProjectId::from_number(9).unwrap());
    let (store, slug) = (&people.store, "bees".parse().unwrap());
    let quotas = Quotas { open_jobs: 1, open_runs: 0, stored_bytes: 3 };
    let name = "All bees".parse().unwrap();
    let entry = |action| AuditEntry { action, ..people.entry() };
    let (changed, set, archived, restored) = (
        entry(Action::ProjectChanged),
        entry(Action::ProjectQuotas),
        entry(Action::ProjectArchived),
        entry(Action::ProjectRestored),
    );
    for _told_once in 0..2 {
        store.change_project(bees, &name, &changed).await.unwrap().unwrap();
        store.set_quotas(bees, quotas, 9, &set).await.unwrap().unwrap();
        store.archive_project(bees, true, &archived).await.unwrap().unwrap();
    }
    let expected = Project {
        id: bees,
        slug: "bees".into(),
        name: "All bees".into(),
        created_at: people.now,
        archived_at: Some(people.now),
        quotas,
        jobs_a_minute: 9,
    };
    assert_eq!(store.project(&slug).await.unwrap(), Some(expected.clone()));
    for _told_once in 0..2 {
        store.archive_project(bees, false, &restored).await.unwrap().unwrap();
    }
    let beyond = Quotas { open_jobs: u64::MAX, ..quotas };
    store.set_quotas(bees, beyond, 9, &set).await.unwrap().unwrap();
    let unbounded = Quotas { open_jobs: 0, ..quotas };
    let expected = Project { archived_at: None, quotas: unbounded, ..expected };
    assert_eq!(
        store.project(&slug).await.unwrap(),
        Some(expected),
        "what nobody can count to bounds nothing"
    );
    for declined in [
        store.change_project(nowhere, &name, &changed).await.unwrap(),
        store.set_quotas(nowhere, quotas, 9, &set).await.unwrap(),
        store.archive_project(nowhere, true, &archived).await.unwrap(),
    ] {
        assert_eq!(declined, Err(Declined::NoSuchProject));
    }
    let told: Vec<_> = people.database.texts("select action from audit order by id").await;
    let expected = ["account.created", "project.changed", "project.quotas", "project.archived"];
    assert_eq!(told, [&expected[..], &["project.restored", "project.quotas"]].concat());
    let first = store.projects(None, 1).await.unwrap().pop().unwrap();
    assert_eq!((first.name.as_str(), first.quotas, first.archived_at), ("Default", Quotas::default(), None));
}

async fn a_member_has_one_role_until_somebody_gives_another(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bob) = (people.add("ada", true).await, people.add("bob", false).await);
    let bees = people.project("bees").await;
    people.set(bees, bob, Role::Viewer).await;
    people.set(ProjectId::DEFAULT, bob, Role::Researcher).await;
    people.set(bees, ada, Role::ProjectAdmin).await;
    assert_eq!(people.roles(bob).await, [(1, Role::Researcher), (2, Role::Viewer)]);
    assert_eq!(people.members(bees).await, [(ada, Role::ProjectAdmin), (bob, Role::Viewer)]);
    people.now = people.now.plus_ms(5);
    people.set(bees, bob, Role::ProjectAdmin).await;
    assert_eq!(people.roles(bob).await, [(1, Role::Researcher), (2, Role::ProjectAdmin)]);
    let since: Vec<_> =
        people.store.members(bees, None, 9).await.unwrap().iter().map(|member| member.since).collect();
    assert_eq!(since, [Timestamp(1_000); 2], "a role is changed, not a membership");
    let (store, entry) = (people.store.clone(), people.entry());
    store.remove_member(bees, bob, &entry).await.unwrap().unwrap();
    assert_eq!(people.members(bees).await, [(ada, Role::ProjectAdmin)]);
    store.remove_account(bob, &entry).await.unwrap().unwrap();
    assert_eq!((people.roles(bob).await, people.members(ProjectId::DEFAULT).await), (vec![], vec![]));
}

async fn what_is_not_there_changes_nothing(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, gone) = (people.add("ada", true).await, people.add("gone", false).await);
    let (store, entry) = (people.store.clone(), people.entry());
    store.remove_account(gone, &entry).await.unwrap().unwrap();
    let rows = people.audit_rows().await;
    let nowhere = ProjectId::from_number(9).unwrap();
    for (project, account, expected) in
        [(nowhere, ada, Declined::NoSuchProject), (ProjectId::DEFAULT, gone, Declined::NoSuchAccount)]
    {
        let declined = store.set_member(project, account, Role::Viewer, &entry).await.unwrap();
        assert_eq!(declined, Err(expected), "{project} {account}");
        let declined = store.remove_member(project, account, &entry).await.unwrap();
        assert_eq!(declined, Err(Declined::NoSuchAccount), "{project} {account}");
    }
    let into = Some((nowhere, Role::Viewer));
    assert_eq!(people.link(LinkFor::Invite { admin: false, into }).await, Err(Declined::NoSuchProject));
    assert_eq!((people.audit_rows().await, people.members(ProjectId::DEFAULT).await), (rows, vec![]));
}

async fn an_invitation_makes_a_member(kind: Kind) {
    let mut people = People::new(kind).await;
    let bees = people.project("bees").await;
    let good_for = LinkFor::Invite { admin: false, into: Some((bees, Role::Researcher)) };
    let link = people.link(good_for).await.unwrap();
    assert_eq!(people.store.link(link, people.now).await.unwrap().unwrap().good_for, good_for);
    let bob = people.accept(link, "bob").await.unwrap();
    assert_eq!(people.roles(bob).await, [(2, Role::Researcher)]);
}

async fn members_and_projects_are_bounded(kind: Kind) {
    let mut people = People::new(kind).await;
    let (ada, bees) = (people.add("ada", true).await, people.project("bees").await);
    let link = people.link(LinkFor::Invite { admin: false, into: Some((bees, Role::Viewer)) }).await.unwrap();
    let numbers =
        format!("with recursive n (i) as (select 1 union all select i + 1 from n where i < {MAX_MEMBERS})");
    let (database, most) = (&people.database, MAX_MEMBERS);
    for insert in [
        "insert into accounts (id, name, display, admin, created_at) @ select i, concat('n', i), 'x', 0, 0 from n",
        "insert into members (project, account, role, since) @ select 2, i, 'viewer', 0 from n",
    ] {
        database.sql(&insert.replace('@', &numbers)).await;
    }
    let store = people.store.clone();
    let full = Declined::TooMany { what: "members", most };
    assert_eq!(store.set_member(bees, ada, Role::Viewer, &people.entry()).await.unwrap(), Err(full));
    assert_eq!(people.accept(link, "bob").await, Err(full));
    assert_eq!(store.credentials(&"bob".parse().unwrap()).await.unwrap(), None, "nothing has changed");
    let one = AccountId::from_number(1).unwrap();
    people.set(bees, one, Role::ProjectAdmin).await;
    store.remove_member(bees, one, &people.entry()).await.unwrap().unwrap();
    people.accept(link, "bob").await.unwrap();
    let last =
        format!("insert into projects (id, slug, name, created_at) values ({MAX_PROJECTS}, 'last', 'x', 0)");
    people.database.sql(&last).await;
    let declined = store.add_project(&new("more"), &people.entry()).await.unwrap();
    assert_eq!(declined, Err(Declined::TooMany { what: "projects", most: MAX_PROJECTS }));
}

on_each_database! {
    the_first_project_is_there_and_others_follow_it,
    a_project_is_changed_and_each_change_is_told_once,
    a_member_has_one_role_until_somebody_gives_another,
    what_is_not_there_changes_nothing,
    an_invitation_makes_a_member,
    members_and_projects_are_bounded,
}
