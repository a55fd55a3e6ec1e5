//! One server from start to end: open the store, start the actors, serve, take up open runs.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix::Addr;
use actix_web::{App, HttpServer, middleware, web};
use tokio::task::JoinHandle;
use weevil_engine::board::Board;
use weevil_engine::budget::{Budget, SharedBudget};
use weevil_engine::clock::{SharedClock, SystemClock};
use weevil_engine::common::Common;
use weevil_engine::feeder::{self, FeederContext, FeederHandle, Request};
use weevil_engine::health::Health;
use weevil_engine::keeper::keep;
use weevil_engine::listeners::Listeners;
use weevil_engine::metrics::Metrics;
use weevil_engine::old_views::turn_old_views;
use weevil_engine::pace::{Pacer, SharedPacer};
use weevil_engine::reaper::reap;
use weevil_engine::root::Root;
use weevil_engine::seeds::{self, Ids};
use weevil_engine::take_up::{self, TakeUp};
use weevil_failpoint::{Point, pass};
use weevil_model::Face;
use weevil_model::limits::MAX_LISTED_RUNS;
use weevil_records::{Store, StoreError};

use crate::config::{Config, ConfigError};
use crate::drain::{Drain, Signals};
use crate::http::{self, AppState, RequestMetrics};
use crate::{descriptors, modes};

/// Seconds that open connections get when the server ends: results on their way still arrive.
const SHUTDOWN_SECONDS: u64 = 2;
/// How long the feeder's last batch may take when the server ends. What it does not come to was acknowledged to nobody.
const LAST_BATCH: Duration = Duration::from_secs(2);
/// How long a refused upload is read on and thrown away. Closing at once would reset the connection, and most clients
/// read the refusal only after they have sent everything.
const LINGER: Duration = Duration::from_secs(30);
/// On two cores one HTTP thread was faster than two (docs/performance.md).
const HTTP_THREADS: usize = 1;

/// Why the server could not start, or had to end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("cannot listen on {0}: {1}; is another server running there?")]
    Listen(std::net::SocketAddr, std::io::Error),
    #[error("the server ended: {0}")]
    Io(#[from] std::io::Error),
}

/// Serves until the process is told to end. `ready` hears the address once requests are answered.
pub async fn serve(config: Config, ready: impl FnOnce(std::net::SocketAddr)) -> Result<(), ServeError> {
    config.check()?;
    let listener = bind(config.listen)?;
    let listen = listener.local_addr()?;
    let store = weevil_store::open(&config.database).await?;
    modes::tell_of_wider(&config.database);
    let pacer = Arc::new(Pacer::new(config.pacing()));
    let clock: SharedClock = Arc::new(SystemClock);
    let budget = budget(&config, clock.clone());
    let requests = RequestMetrics::default();
    let metrics = Arc::new(Metrics::with(|registry| requests.register(registry)));
    let started = start_actors(store, pacer.clone(), clock, budget.clone(), metrics).await?;
    let Started { common, root, feeding, take_up } = started;
    actix::spawn(turn_old_views(common.clone()));
    if let Some(retention) = config.retention {
        actix::spawn(keep(common.clone(), root.clone(), retention));
    }
    let feeder = common.feeder.clone();
    let drain = Drain { health: common.health.clone(), feeder: feeder.clone(), period: config.drain };
    let signals = Signals::listen()?;
    let counting = budget.clone();
    let app = web::Data::new(AppState::new(common, root, listen, pacer, budget, requests));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(app.clone())
            .app_data(Face::Private)
            .wrap(middleware::from_fn(http::enter))
            .wrap(middleware::from_fn(http::refuse_odd_paths))
            .wrap(middleware::from_fn(http::secure))
            .wrap(middleware::from_fn(http::trace))
            .configure(http::register)
    })
    .on_connect(move |stream, kept| http::opened(&counting, stream, kept))
    .workers(HTTP_THREADS)
    .tcp_nodelay(true)
    .client_disconnect_timeout(LINGER)
    .shutdown_timeout(SHUTDOWN_SECONDS)
    .disable_signals()
    .listen(listener)?
    .run();
    let handle = server.handle();
    ready(listen);
    actix::spawn(take_up.run());
    let ended = tokio::select! {
        ended = server => ended.map_err(ServeError::Io),
        () = drain.at_signal(signals, handle) => Ok(()),
    };
    end(&feeder, feeding).await;
    ended
}

/// A transaction that the end of the runtime cuts off makes the driver panic.
async fn end(feeder: &FeederHandle, feeding: JoinHandle<()>) {
    feeder.ask(Request::End);
    let _in_time = tokio::time::timeout(LAST_BATCH, feeding).await;
}

struct Started {
    common: Common,
    root: Addr<Root>,
    /// Ends with the feeder.
    feeding: JoinHandle<()>,
    /// What was left open, on the board already.
    take_up: TakeUp,
}

fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).map_err(|error| ServeError::Listen(address, error))
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
    pacer: SharedPacer,
    clock: SharedClock,
    budget: SharedBudget,
    metrics: Arc<Metrics>,
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
    };
    let listed = common.store.runs(MAX_LISTED_RUNS).await?;
    let ended = listed.into_iter().filter(|run| run.head.finished_at.is_some()).collect();
    let open = take_up::left_open(&*common.store).await?;
    tracing::info!(runs = open.len(), leases = released, "taking up what was left open");
    let (root, take_up) = take_up::start(&common, ended, &open);
    Ok(Started { common, root, feeding, take_up })
}
