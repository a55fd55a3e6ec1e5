//! The walls between projects as requests meet them: in which project something is asked, and whether the caller may, there.
//!
//! The gate has asked whether the caller has the right in any project. Every handler whose row demands a right that a role
//! brings takes a [`Wall`], or says that what it tells is shared (`register.rs`). Never says what a role may do:
//! `weevil-access` does.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use weevil_access::store::Project;
use weevil_access::{Caller, may, may_everywhere};
use weevil_model::{ProjectId, Right, RunId};
use weevil_records::RunHead;

use super::asker::Asked;
use super::own_page::OwnPage;
use super::projects::{find, is_seen};
use super::{AppState, gate, runs};
use crate::refusal::Refusal;

/// In a list: all projects at once.
const ALL: &str = "*";
/// Choices that a refusal names.
const MAX_CHOICES: usize = 20;

/// What a request has to pass: the caller, and the right that its row demands. Made by asking for it as an argument of a
/// handler.
pub(super) struct Wall {
    app: web::Data<AppState>,
    caller: Caller,
    right: Right,
}

impl Wall {
    /// The project into which something new is put.
    ///
    /// # Errors
    /// It is not there for the caller, who may not put anything in, has to name it, or it is archived.
    pub(super) async fn upload(&self, named: Option<&str>) -> Result<Project, Refusal> {
        let project = if let Some(slug) = named {
            find(&self.app, &self.caller, slug, self.right).await?
        } else {
            let home = self.home().await?;
            let found = by_number(&self.app, home).await?;
            found.ok_or_else(|| Refusal::NoSuchProject(home.to_string()))?
        };
        if project.archived_at.is_some() {
            return Err(Refusal::ProjectArchived(project.slug));
        }
        Ok(project)
    }

    /// Judges an upload whose address names a project before its body is read.
    ///
    /// # Errors
    /// Those of `upload`.
    pub(super) async fn before_the_body(&self, request: &HttpRequest) -> Result<(), Refusal> {
        // What cannot be read the reader of the whole upload refuses.
        let query = web::Query::<Vec<(String, String)>>::from_query(request.query_string());
        let named = query.into_iter().flat_map(web::Query::into_inner).find(|(name, _)| name == "project");
        match named {
            Some((_, slug)) => self.upload(Some(slug.trim())).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// The project of which a list is; `None` for all of them.
    ///
    /// # Errors
    /// It is not there for the caller, who may not read it or has to name it; or not all of them are for this caller.
    pub(super) async fn list(&self, named: Option<&str>) -> Result<Option<ProjectId>, Refusal> {
        match named {
            Some(ALL) => {
                may_everywhere(&self.caller, self.right)?;
                Ok(None)
            }
            one => self.one(one).await.map(Some),
        }
    }

    /// The project in which something is done that brings nothing new.
    ///
    /// # Errors
    /// It is not there for the caller, who may not do it or has to name it.
    pub(super) async fn one(&self, named: Option<&str>) -> Result<ProjectId, Refusal> {
        match named {
            Some(slug) => Ok(find(&self.app, &self.caller, slug, self.right).await?.id),
            None => self.home().await,
        }
    }

    /// The project that is meant where none is named.
    async fn home(&self) -> Result<ProjectId, Refusal> {
        let Some(home) = self.caller.home() else {
            return Err(Refusal::WhichProject(self.choices().await?));
        };
        may(&self.caller, self.right, Some(home))?;
        Ok(home)
    }

    async fn choices(&self) -> Result<String, Refusal> {
        let Some(person) = self.caller.person() else { return Ok(String::new()) };
        let mut own = self.app.access.store.memberships(person.account).await?;
        let more = own.len().saturating_sub(MAX_CHOICES);
        own.truncate(MAX_CHOICES);
        let mut told: Vec<String> = own.into_iter().map(|member| member.project.slug).collect();
        told.extend((more > 0).then(|| format!("{more} more")));
        Ok(told.join(", "))
    }

    /// Lets the caller through to a thing of this project.
    ///
    /// # Errors
    /// `missing`, which is told as well where there is no such thing, to who may not read in the project; to others why they
    /// may not do this.
    pub(super) fn judge(&self, project: ProjectId, missing: impl FnOnce() -> Refusal) -> Result<(), Refusal> {
        match may(&self.caller, self.right, Some(project)) {
            Ok(()) => Ok(()),
            Err(denied) if is_seen(&self.caller, project) => Err(denied.into()),
            Err(_) => Err(missing()),
        }
    }

    /// The one of these projects with which the caller gets through to a thing that several may have.
    ///
    /// # Errors
    /// Those of `judge`.
    pub(super) fn judge_any(
        &self,
        projects: &[ProjectId],
        missing: impl FnOnce() -> Refusal,
    ) -> Result<ProjectId, Refusal> {
        let may_here = |project: &&ProjectId| may(&self.caller, self.right, Some(**project)).is_ok();
        let seen = |project: &&ProjectId| is_seen(&self.caller, **project);
        let nearest = projects.iter().find(may_here).or_else(|| projects.iter().find(seen));
        let Some(project) = nearest else { return Err(missing()) };
        self.judge(*project, missing)?;
        Ok(*project)
    }

    /// A run. Reads neither its result nor its nodes.
    ///
    /// # Errors
    /// There is none, none for this caller, or none with which they may do this.
    pub(super) async fn run(&self, run: &str) -> Result<RunHead, Refusal> {
        let run: RunId = run.parse()?;
        let head = runs::head(&self.app, run).await?;
        self.judge(head.project, || runs::no_such_run(run))?;
        Ok(head)
    }
}

/// A project by its number.
pub(super) async fn by_number(app: &AppState, project: ProjectId) -> Result<Option<Project>, Refusal> {
    let before = ProjectId::from_number(project.number() - 1);
    let found = app.access.store.projects(before, 1).await?.into_iter().next();
    Ok(found.filter(|found| found.id == project))
}

impl Wall {
    /// That of a right which the row does not demand: of what is everybody's otherwise.
    ///
    /// # Errors
    /// The caller is nobody, or has the right nowhere.
    pub(super) async fn behind_open_row(request: &HttpRequest, right: Right) -> Result<Self, Refusal> {
        let app = request.app_data::<web::Data<AppState>>().cloned().ok_or(Refusal::NotSignedIn)?;
        let caller = gate::caller_of_open_row(&app, request).await?;
        may(&caller, right, None)?;
        Ok(Self { app, caller, right })
    }
}

impl FromRequest for Wall {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    /// Where the gate has asked for no right there is none to be had.
    fn from_request(request: &HttpRequest, _body: &mut Payload) -> Self::Future {
        let app = request.app_data::<web::Data<AppState>>().cloned();
        let asked = request.extensions().get::<Asked>().cloned();
        let wall =
            asked.and_then(|Asked { caller, right, .. }| Some(Self { app: app?, caller, right: right? }));
        ready(wall.ok_or(Refusal::NotSignedIn))
    }
}

/// Arguments of a handler that reads, which begin with a [`Wall`].
pub(super) trait FromWall: FromRequest + 'static {}

/// Those of one that changes something, which begin with an [`OwnPage`] and a [`Wall`].
pub(super) trait FromOwnWall: FromRequest + 'static {}

macro_rules! with_these_behind {
    ($($rest:ident),+) => {
        impl<$($rest: FromRequest + 'static),+> FromWall for (Wall, $($rest),+) {}
        impl<$($rest: FromRequest + 'static),+> FromOwnWall for (OwnPage, Wall, $($rest),+) {}
    };
}

with_these_behind!(A);
with_these_behind!(A, B);
with_these_behind!(A, B, C);
with_these_behind!(A, B, C, D);
