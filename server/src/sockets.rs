//! The sockets that are listened on: each shows one face, and each face has an HTTP thread of its own.
//!
//! What a socket shows is data of its own `App`. Nothing that a request says can change it.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_http::HttpService;
use actix_server::{GracefulShutdownSignal, Server, ServerHandle};
use actix_service::{IntoServiceFactory, ServiceFactory, ServiceFactoryExt, map_config};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServiceRequest, ServiceResponse};
use actix_web::rt::net::TcpStream;
use actix_web::{App, Error, middleware, web};
use futures_util::future::{join_all, try_join_all};
use weevil_model::Face;

use crate::app::ServeError;
use crate::http::{self, AppState};
use crate::reach::Reach;

/// Seconds that open connections get when the server ends: results on their way still arrive.
const SHUTDOWN_SECONDS: u64 = 2;
/// How long a refused upload is read on and thrown away. Closing at once would reset the connection, and most clients
/// read the refusal only after they have sent everything.
const LINGER: Duration = Duration::from_secs(30);
/// How long the head of a request may take to come in.
const HEAD: Duration = Duration::from_secs(5);
/// For each face. On two cores one HTTP thread was faster than two (docs/performance.md).
const HTTP_THREADS: usize = 1;

/// What a request came in by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Socket {
    /// What it shows.
    pub face: Face,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Socket {
    /// Whether only this machine reaches it.
    pub(crate) fn is_on_loopback(self) -> bool {
        self.address.ip().to_canonical().is_loopback()
    }
}

/// A socket before anything is answered there.
pub(crate) struct Bound {
    pub socket: Socket,
    listener: TcpListener,
}

/// Opens all sockets, the private one first.
pub(crate) fn bind(reach: &Reach) -> Result<Vec<Bound>, ServeError> {
    let public = reach.public.iter().map(|address| (Face::Public, *address));
    [(Face::Private, reach.listen)]
        .into_iter()
        .chain(public)
        .map(|(face, address)| open(face, address))
        .collect()
}

fn open(face: Face, asked: SocketAddr) -> Result<Bound, ServeError> {
    let listener = TcpListener::bind(asked).map_err(|error| ServeError::Listen(asked, error))?;
    let address = listener.local_addr()?;
    Ok(Bound { socket: Socket { face, address }, listener })
}

/// What answers on the sockets: a server for each face that has some.
pub(crate) struct Faces(Vec<Server>);

impl Faces {
    /// Begins to answer.
    pub(crate) fn serve(bound: Vec<Bound>, app: &web::Data<AppState>) -> io::Result<Self> {
        let (public, private): (Vec<Bound>, Vec<Bound>) =
            bound.into_iter().partition(|bound| bound.socket.face == Face::Public);
        let faces = [private, public].into_iter().filter(|bound| !bound.is_empty());
        faces.map(|bound| server(bound, app)).collect::<io::Result<_>>().map(Self)
    }

    pub(crate) fn handles(&self) -> Handles {
        Handles(self.0.iter().map(Server::handle).collect())
    }

    /// Until all have ended, or one could not go on.
    pub(crate) async fn ended(self) -> io::Result<()> {
        try_join_all(self.0).await.map(drop)
    }
}

/// Ends what answers.
pub(crate) struct Handles(Vec<ServerHandle>);

impl Handles {
    /// Closes connections once what they are in the middle of is over.
    pub(crate) async fn stop(&self) {
        join_all(self.0.iter().map(|handle| handle.stop(true))).await;
    }
}

fn server(sockets: Vec<Bound>, app: &web::Data<AppState>) -> io::Result<Server> {
    let builder = Server::build().workers(HTTP_THREADS).shutdown_timeout(SHUTDOWN_SECONDS).disable_signals();
    let ending = builder.graceful_shutdown_signal();
    let all = sockets.into_iter().try_fold(builder, |builder, Bound { socket, listener }| {
        let (app, ending) = (app.clone(), ending.clone());
        let name = format!("{:?} {}", socket.face, socket.address);
        builder.listen(name, listener, move || plain(app.clone(), socket, ending.clone()))
    });
    all.map(actix_server::ServerBuilder::run)
}

/// HTTP/1.1 without TLS.
fn plain(
    app: web::Data<AppState>,
    socket: Socket,
    ending: GracefulShutdownSignal,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), InitError = ()> {
    let counting = app.budget.clone();
    let routes = routes(app, socket).into_factory().map_err(|error: Error| error.error_response());
    HttpService::build()
        .graceful_shutdown_signal(move || {
            let ending = ending.clone();
            async move { ending.notified().await }
        })
        .client_request_timeout(HEAD)
        .client_disconnect_timeout(LINGER)
        .local_addr(socket.address)
        .tcp_nodelay(true)
        .on_connect_ext(move |stream: &TcpStream, kept| http::opened(&counting, stream, kept))
        .finish(map_config(routes, |()| AppConfig::default()))
        .tcp()
}

fn routes(
    app: web::Data<AppState>,
    socket: Socket,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    App::new()
        .app_data(app)
        .app_data(socket)
        .app_data(socket.face)
        .wrap(middleware::from_fn(http::refuse_odd_paths))
        .wrap(middleware::from_fn(http::enter))
        .wrap(middleware::from_fn(http::keep_quiet))
        .wrap(middleware::from_fn(http::secure))
        .wrap(middleware::from_fn(http::trace))
        .configure(http::register)
}
