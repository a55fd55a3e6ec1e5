//! The sockets that are listened on: each shows one face, and each face has an HTTP thread of its own.
//!
//! What a socket shows is data of its own `App`. Nothing that a request says can change it.

use std::fmt::Debug;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpServiceBuilder, Request, Response};
use actix_server::{GracefulShutdownSignal, Server, ServerHandle};
use actix_service::{IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{AppConfig, Extensions, ServiceRequest, ServiceResponse};
use actix_web::rt::net::TcpStream;
use actix_web::{App, Error, HttpResponse, middleware, web};
use futures_util::future::{join_all, try_join_all};
use tokio_rustls::TlsAcceptor;
use weevil_model::Face;

use crate::app::ServeError;
use crate::http::{self, AppState};
use crate::reach::Reach;
use crate::tls::accept;

/// Seconds that open connections get when the server ends: results on their way still arrive.
const SHUTDOWN_SECONDS: u64 = 2;
/// How long a refused upload is read on and thrown away. Closing at once would reset the connection, and most clients
/// read the refusal only after they have sent everything.
const LINGER: Duration = Duration::from_secs(30);
/// How long the head of a request may take to come in.
const HEAD: Duration = Duration::from_secs(5);
/// Bytes of bodies that may wait unread in an HTTP/2 connection: what HTTP/1.1 keeps of one.
const WINDOW_BYTES: u32 = 64 * 1024;
/// For each face. On two cores one HTTP thread was faster than two (docs/performance.md).
const HTTP_THREADS: usize = 1;

/// What a request came in by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Socket {
    /// What it shows.
    pub face: Face,
    /// Where it listens.
    pub address: SocketAddr,
    /// Whether it speaks TLS.
    pub tls: bool,
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
    let all = [(Face::Private, reach.listen)].into_iter().chain(public);
    all.map(|(face, asked)| {
        let (listener, address) = open(asked)?;
        Ok(Bound { socket: Socket { face, address, tls: reach.speaks_tls(asked) }, listener })
    })
    .collect()
}

/// A socket that listens, and where.
pub(crate) fn open(asked: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let listener = TcpListener::bind(asked).map_err(|error| ServeError::Listen(asked, error))?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// What answers on the sockets: a server for each face that has some.
pub(crate) struct Faces(Vec<Server>);

impl Faces {
    /// Begins to answer.
    pub(crate) fn serve(
        bound: Vec<Bound>,
        app: &web::Data<AppState>,
        tls: Option<&TlsAcceptor>,
        redirect: Option<TcpListener>,
    ) -> io::Result<Self> {
        let (public, private): (Vec<Bound>, Vec<Bound>) =
            bound.into_iter().partition(|bound| bound.socket.face == Face::Public);
        // It stands with strangers, where there is a thread for them.
        let (with_private, with_public) = if public.is_empty() { (redirect, None) } else { (None, redirect) };
        let faces = [(private, with_private), (public, with_public)].into_iter();
        let faces = faces.filter(|(bound, _)| !bound.is_empty());
        faces.map(|(bound, redirect)| server(bound, redirect, app, tls)).collect::<io::Result<_>>().map(Self)
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

fn server(
    sockets: Vec<Bound>,
    redirect: Option<TcpListener>,
    app: &web::Data<AppState>,
    tls: Option<&TlsAcceptor>,
) -> io::Result<Server> {
    let builder = Server::build().workers(HTTP_THREADS).shutdown_timeout(SHUTDOWN_SECONDS).disable_signals();
    let ending = builder.graceful_shutdown_signal();
    let builder = redirect.into_iter().try_fold(builder, |builder, listener| {
        let (app, ending) = (app.clone(), ending.clone());
        builder.listen("redirect", listener, move || redirects(app.clone(), ending.clone()))
    })?;
    let all = sockets.into_iter().try_fold(builder, |builder, Bound { socket, listener }| {
        let (app, ending) = (app.clone(), ending.clone());
        let name = format!("{:?} {}", socket.face, socket.address);
        match tls.filter(|_| socket.tls).cloned() {
            None => builder.listen(name, listener, move || plain(app.clone(), socket, ending.clone())),
            Some(tls) => builder
                .listen(name, listener, move || secure(app.clone(), socket, ending.clone(), tls.clone())),
        }
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
    let counted = move |stream: &TcpStream, kept: &mut Extensions| http::opened(&counting, stream, kept);
    http(ending).tcp_nodelay(true).on_connect_ext(counted).finish(answers(app, socket)).tcp()
}

/// Says where https is.
fn redirects(
    app: web::Data<AppState>,
    ending: GracefulShutdownSignal,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), InitError = ()> {
    let counting = app.budget.clone();
    let counted = move |stream: &TcpStream, kept: &mut Extensions| http::opened(&counting, stream, kept);
    let lead = App::new().app_data(app).default_service(web::to(http::lead)).into_factory();
    let lead = lead.map_err(|error: Error| error.error_response());
    http(ending).on_connect_ext(counted).finish(map_config(lead, |()| AppConfig::default())).tcp()
}

/// HTTP/1.1 and HTTP/2 over TLS. A connection is counted before its handshake, which costs the server more than its sender.
fn secure(
    app: web::Data<AppState>,
    socket: Socket,
    ending: GracefulShutdownSignal,
    tls: TlsAcceptor,
) -> impl ServiceFactory<TcpStream, Config = (), Response = (), InitError = ()> {
    let counting = app.budget.clone();
    let shaken = move |stream: TcpStream| {
        let (counted, tls) = (http::counted(&counting, &stream), tls.clone());
        async move {
            let counted = counted.map_err(|_| io::Error::from(io::ErrorKind::ConnectionAborted))?;
            accept(&tls, stream, counted).await.map_err(DispatchError::from)
        }
    };
    let answers = http(ending).secure().on_connect_ext(http::count_streams).finish(answers(app, socket));
    fn_service(shaken).and_then(answers)
}

/// What holds for HTTP over whatever connection.
fn http<T, S>(ending: GracefulShutdownSignal) -> HttpServiceBuilder<T, S>
where
    S: ServiceFactory<Request, Config = (), Error: Into<Response<BoxBody>> + 'static, InitError: Debug>,
    <S::Service as Service<Request>>::Future: 'static,
{
    HttpServiceBuilder::default()
        .graceful_shutdown_signal(move || {
            let ending = ending.clone();
            async move { ending.notified().await }
        })
        .client_request_timeout(HEAD)
        .client_disconnect_timeout(LINGER)
        .h2_initial_window_size(WINDOW_BYTES)
        .h2_initial_connection_window_size(WINDOW_BYTES)
}

/// The routes as HTTP asks them.
fn answers(
    app: web::Data<AppState>,
    socket: Socket,
) -> impl ServiceFactory<
    Request,
    Config = (),
    Response = ServiceResponse<impl MessageBody>,
    Error = HttpResponse,
    InitError = (),
> {
    let routes = routes(app, socket).into_factory().map_err(|error: Error| error.error_response());
    map_config(routes, |()| AppConfig::default())
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
        .wrap(middleware::from_fn(http::tell_problems))
        .wrap(middleware::from_fn(http::keep_quiet))
        .wrap(middleware::from_fn(http::secure))
        .wrap(middleware::from_fn(http::trace))
        .wrap(middleware::from_fn(http::bound_streams))
        .configure(http::register)
}
