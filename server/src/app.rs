//! One server from start to end: open the store, start the actors, serve, take up open runs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use actix_web::web;
use tokio::task::JoinHandle;
use weevil_access::audit::AuditEntry;
use weevil_access::limits::MAX_PROJECTS;
use weevil_engine::board::Board;
use weevil_engine::budget::{Budget, SharedBudget};
use weevil_engine::clock::{SharedClock, SystemClock};
use weevil_engine::common::Common;
use weevil_engine::device_standings::tell_devices;
use weevil_engine::feeder::{self, FeederContext, Request};
use weevil_engine::health::Health;
use weevil_engine::judge;
use weevil_engine::keeper::keep;
use weevil_engine::listeners::Listeners;
use weevil_engine::metrics::Metrics;
use weevil_engine::modules::consult;
use weevil_engine::old_views::turn_old_views;
use weevil_engine::pace::{Pacer, SharedPacer};
use weevil_engine::reaper::reap;
use weevil_engine::root::Root;
use weevil_engine::seeds::{self, Ids};
use weevil_engine::take_up::{self, TakeUp};
use weevil_engine::worker_log::{keep_workers, write_workers};
use weevil_failpoint::{Point, pass};
use weevil_model::limits::MAX_LISTED_RUNS;
use weevil_model::{Face, ProjectId, Timestamp};
use weevil_records::{ListedRun, MAX_SUSPENDED, RunList, Store, StoreError};
use weevil_store::Stores;

use crate::access::{Access, Keeper, Local, LocalFile, Logins, People, Rates, Rooms, Sums, first_admin};
use crate::config::{Config, ConfigErrors};
use crate::disk::Disk;
use crate::drain::{Drain, Signals};
use crate::http::{AppState, Depths, Past, RequestMetrics};
use crate::setting::Setting;
use crate::sockets::{self, Faces, Socket};
use crate::tls::{PairError, Renewal, TlsMetrics};
use crate::workers::PlainWorkers;
use crate::{descriptors, modes, stream};

/// How long the feeder's last batch may take when the server ends. What it does not come to was acknowledged to nobody.
const LAST_BATCH: Duration = Duration::from_secs(2);
/// How often the audit hears of what it tells as sums.
const TELL_SUMS: Duration = Duration::from_mins(1);

/// Why the server could not start, or had to end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot listen on {0}: {1}; is another server running there?")]
    Listen(std::net::SocketAddr, std::io::Error),
    #[error(transparent)]
    Certificate(#[from] PairError),
    #[error("TLS cannot be spoken: {0}")]
    Tls(#[from] rustls::Error),
    #[error("the server ended: {0}")]
    Io(#[from] std::io::Error),
}

/// What a server tells once it answers.
#[derive(Debug)]
pub struct Ready {
    /// The private one first.
    pub sockets: Vec<Socket>,
    /// Where plain HTTP is sent on to HTTPS.
    pub redirect: Option<SocketAddr>,
    /// An address that opens the console.
    pub console: Option<String>,
    /// An address at which the first account is made, where nobody administers the server.
    pub first_admin: Option<String>,
}

/// Serves until the process is told to end. `ready` is called once requests are answered.
pub async fn serve(config: Config, ready: impl FnOnce(Ready)) -> Result<(), ServeError> {
    config.check()?;
    let clock: SharedClock = Arc::new(SystemClock);
    let tls_metrics = TlsMetrics::default();
    let tls = config.reach.tls().map(|files| Renewal::begin(files, tls_metrics.clone(), clock.clone()));
    let tls = tls.transpose()?;
    let bound = sockets::bind(&config.reach)?;
    let (redirect, leading) = config.reach.redirect.map(sockets::open).transpose()?.unzip();
    let sockets: Vec<Socket> = bound.iter().map(|bound| bound.socket).collect();
    let store = weevil_store::open(&config.database).await?;
    modes::tell_of_wider(&config.database);
    config.reach.warnings().iter().for_each(|warning| tracing::warn!("{warning}"));
    let pacer = Arc::new(Pacer::new(config.pacing()));
    let budget = budget(&config, clock.clone());
    let requests = RequestMetrics::default();
    let disk = Disk::new(config.data.clone(), config.least_room_mib);
    let metrics = metrics(&requests, &disk, tls.is_some().then_some(&tls_metrics));
    let keeper = Keeper { store: store.clone(), clock: clock.clone(), audit: config.audit };
    let stores = store.clone();
    let projects = stores.projects(None, MAX_PROJECTS).await?.into_iter().map(|project| project.id).collect();
    let people = People::begin(store.clone(), config.people.clone(), clock.now()).await?;
    let first_admin = first_admin(&config.reach, &sockets, &people, clock.now()).await?;
    let Started { common, root, feeding, take_up } =
        start_actors(store, projects, pacer.clone(), clock, budget.clone(), metrics, &config).await?;
    keep_house(&common, &root, config.retention, keeper);
    let drain = Drain { health: common.health.clone(), feeder: common.feeder.clone(), period: config.drain };
    let signals = Signals::listen()?;
    let past = begin_counting(&common, disk, config.settings.clone()).await?;
    let Begun { access, console, file: _file } =
        begin_access(&config, &sockets, stores, people, common.clock.now());
    let (names, smallest) = (config.reach.names(), config.smallest_error());
    let (reach, plain) = (config.reach, PlainWorkers::default());
    let app = AppState { common, root, reach, names, pacer, budget, plain, requests, access, smallest, past };
    let app = web::Data::new(app);
    actix::spawn(stream::press(app.clone()));
    let acceptor = tls.as_ref().map(Renewal::acceptor).transpose()?;
    let faces = Faces::serve(bound, &app, acceptor.as_ref(), redirect)?;
    tls.map(|tls| actix::spawn(tls.run()));
    ready(Ready { sockets, redirect: leading, console, first_admin });
    actix::spawn(take_up.run());
    until_the_end(app, faces, drain, signals, feeding).await
}

/// Until the process is told to end, and what it holds is written.
async fn until_the_end(
    app: web::Data<AppState>,
    faces: Faces,
    drain: Drain,
    signals: Signals,
    feeding: JoinHandle<()>,
) -> Result<(), ServeError> {
    actix::spawn(tell_sums(app.clone()));
    let handles = faces.handles();
    let ended = tokio::select! {
        ended = faces.ended() => ended.map_err(ServeError::Io),
        () = drain.at_signal(signals, handles) => Ok(()),
    };
    end(&app.common, feeding).await;
    let _in_time = tokio::time::timeout(LAST_BATCH, sums_are_told(&app)).await;
    let _in_time = tokio::time::timeout(LAST_BATCH, app.access.store.end()).await;
    ended
}

fn metrics(requests: &RequestMetrics, disk: &Disk, tls: Option<&TlsMetrics>) -> Arc<Metrics> {
    Arc::new(Metrics::with(|registry| {
        requests.register(registry);
        disk.register(registry);
        if let Some(tls) = tls {
            tls.register(registry);
        }
    }))
}

/// Starts what tidies up while the server serves.
fn keep_house(common: &Common, root: &Addr<Root>, retention: Option<Duration>, keeper: Keeper) {
    actix::spawn(keeper.run());
    actix::spawn(turn_old_views(common.clone()));
    actix::spawn(tell_devices(common.clone()));
    actix::spawn(keep_workers(common.clone(), retention));
    if let Some(retention) = retention {
        actix::spawn(keep(common.clone(), root.clone(), retention));
    }
}

/// As long as it is polled.
async fn tell_sums(app: web::Data<AppState>) {
    let mut ticks = tokio::time::interval(TELL_SUMS);
    loop {
        ticks.tick().await;
        sums_are_told(&app).await;
    }
}

async fn sums_are_told(app: &AppState) {
    let now = app.common.clock.now();
    let append = async |entries: &[AuditEntry]| app.access.store.append_audit(entries, now).await;
    if let Err(error) = app.access.sums.tell(now, append).await {
        tracing::error!(%error, "what the audit tells as sums waits for now");
    }
}

/// What the feeder holds is written, and who has computed.
async fn end(common: &Common, feeding: JoinHandle<()>) {
    common.feeder.ask(Request::End);
    let _in_time = tokio::time::timeout(LAST_BATCH, feeding).await;
    let _in_time = tokio::time::timeout(LAST_BATCH, write_workers(common)).await;
}

struct Started {
    common: Common,
    root: Addr<Root>,
    /// Ends with the feeder.
    feeding: JoinHandle<()>,
    /// What was left open, on the board already.
    take_up: TakeUp,
}

/// What can open this server.
struct Begun {
    access: Access,
    /// The address that opens the console, once.
    console: Option<String>,
    /// Goes with the value, so it is kept for as long as the server serves.
    file: Option<LocalFile>,
}

fn begin_access(
    config: &Config,
    sockets: &[Socket],
    store: Arc<dyn Stores>,
    people: People,
    now: Timestamp,
) -> Begun {
    // Programs of this machine speak plain HTTP to it.
    let usable = |socket: &&Socket| config.local_token && !socket.tls;
    let private = sockets.iter().find(|socket| socket.face == Face::Private).filter(usable);
    let (local, file) = private.and_then(|socket| Local::begin(socket.address, now)).unzip();
    let console = local.as_ref().and_then(|local| local.first_address(now));
    let access = Access {
        local,
        people,
        logins: Logins::default(),
        open_metrics: config.open_metrics,
        new_projects: config.new_projects,
        store,
        rates: Rates::default(),
        rooms: Rooms::default(),
        sums: Sums::default(),
    };
    Begun { access, console, file }
}

/// What waits is counted from here on, and how the server fares.
async fn begin_counting(common: &Common, disk: Disk, settings: Vec<Setting>) -> Result<Past, StoreError> {
    let depths = Depths::begin(common.store.clone()).await?;
    let past = Past::new(disk, depths, common.clock.now(), settings);
    actix::spawn(past.disk.clone().run(common.clone()));
    actix::spawn(past.series.clone().run(common.clone(), past.depth.clone()));
    Ok(past)
}

/// What peers may hold, of all that the process may have open.
fn budget(config: &Config, clock: SharedClock) -> SharedBudget {
    let limit = descriptors::raise();
    let table = config.budgets(limit);
    descriptors::tell(limit, &table);
    Budget::new(table, config.proxies(), seeds::place_key(), clock)
}

async fn start_actors(
    store: Arc<dyn Store>,
    projects: Vec<ProjectId>,
    pacer: SharedPacer,
    clock: SharedClock,
    budget: SharedBudget,
    metrics: Arc<Metrics>,
    config: &Config,
) -> Result<Started, ServeError> {
    let board = Arc::new(Board::default());
    let released = store.tidy_up(clock.now()).await?;
    pass(Point::Restarting);
    let (health, listeners) = (Arc::new(Health::default()), Arc::new(Listeners::default()));
    let (handle, inbox) = feeder::channel(metrics.queue.asks.clone());
    let feeder = FeederContext {
        store: store.clone(),
        clock: clock.clone(),
        board: board.clone(),
        pacer,
        health: health.clone(),
        metrics: metrics.clone(),
        listeners: listeners.clone(),
        budget,
        judging: config.judging,
        spares: config.spares,
        suspended: store.suspended(MAX_SUSPENDED, clock.now()).await?,
    };
    let feeding = actix::spawn(feeder.run(inbox));
    actix::spawn(reap(handle.clone()));
    let common = Common {
        store,
        clock,
        ids: Arc::new(Ids::default()),
        board,
        feeder: handle,
        health,
        metrics,
        listeners,
        trust: config.trust,
        assumed: config.judging.liars,
    };
    judge::employ(&common, config.referee_percent);
    actix::spawn(consult(common.clone()));
    let ended = newest_ended(&*common.store, projects).await?;
    let open = take_up::left_open(&*common.store).await?;
    tracing::info!(runs = open.len(), leases = released, "taking up what was left open");
    let (root, take_up) = take_up::start(&common, ended, &open);
    Ok(Started { common, root, feeding, take_up })
}

/// Those of the newest runs of each project that have ended.
async fn newest_ended(store: &dyn Store, projects: Vec<ProjectId>) -> Result<Vec<ListedRun>, StoreError> {
    let mut ended = Vec::new();
    for project in projects {
        let list = RunList { project: Some(project), ..RunList::default() };
        let listed = store.runs(&list, MAX_LISTED_RUNS).await?;
        ended.extend(listed.into_iter().filter(|run| run.head.finished_at.is_some()));
    }
    Ok(ended)
}
