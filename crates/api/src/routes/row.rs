//! What a row of the table says, and the macro that reads rows.
//!
//! Never decides who may use a route: a class only says for whom it is made, and what it demands `access.rs` names.

use ts_rs::Config;
use weevil_model::Face;

use super::{Access, Rate};

/// For whom an operation is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Whoever computes: a volunteer's tab asks for rows of this class and for pages, and for nothing else.
    Volunteer,
    /// Whoever has work computed: the console, the command line, programs.
    Researcher,
    /// Whoever looks after the server: probes and scrapers.
    Watcher,
}

impl Class {
    /// The word in docs/protocol.md.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Volunteer => "volunteer",
            Self::Researcher => "researcher",
            Self::Watcher => "watcher",
        }
    }
}

/// How an operation is asked (RFC 9110, section 9.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Changes nothing.
    Get,
    /// Changes something, and not twice the same.
    Post,
    /// Puts something in the place of what is there.
    Put,
    /// Changes what is named of something (RFC 5789).
    Patch,
    /// Removes something.
    Delete,
}

impl Method {
    /// The method's name in a request line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The name of a type in TypeScript.
pub type Named = fn(&Config) -> String;

/// A value behind the `?` of an address.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// As it is spelled there.
    pub name: &'static str,
    /// Its type; one that may be null may be left out.
    pub named: Named,
}

/// What is sent along.
#[derive(Debug, Clone, Copy)]
pub enum Body {
    /// Nothing.
    None,
    /// JSON of this type.
    Json(Named),
    /// A workflow's files in one of the forms that docs/protocol.md lists.
    Form,
    /// One element of the plain worker protocol.
    Xml,
    /// Nothing at first: frames of the worker's WebSocket follow.
    Frames,
}

/// What comes back.
#[derive(Debug, Clone, Copy)]
pub enum Content {
    /// JSON of this type.
    Json(Named),
    /// JSON for which there is no type.
    Document,
    /// Words for people, or metrics.
    Text,
    /// Stored bytes as they are.
    Bytes,
    /// Server-sent events.
    Events,
    /// One element of the plain worker protocol.
    Xml,
    /// Frames of the worker's WebSocket.
    Frames,
    /// No body.
    Nothing,
}

/// An answer that is no refusal.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// Its status (RFC 9110, section 15).
    pub status: u16,
    /// Its body.
    pub content: Content,
}

/// One operation.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Name of the operation in [`super::Operation`].
    pub name: &'static str,
    /// How it is asked.
    pub method: Method,
    /// With a name in braces for each part that varies.
    pub path: &'static str,
    /// For whom it is made.
    pub class: Class,
    /// The least trusted face on which it answers.
    pub face: Face,
    /// Who may ask for it.
    pub access: Access,
    /// Whether who asks has to have proved a short while ago who they are.
    pub fresh: bool,
    /// What a request for it counts towards.
    pub rate: Rate,
    /// What may stand behind the `?`.
    pub query: &'static [Parameter],
    /// What is sent along.
    pub body: Body,
    /// What comes back, refusals aside; at least one.
    pub answers: &'static [Answer],
    /// Codes of its own refusals: those that follow from what it does, not from who asks or how.
    pub refusals: &'static [&'static str],
    /// What it is for: Markdown, with links as docs/protocol.md has them.
    pub about: &'static str,
}

impl Row {
    /// The names in braces, in their order.
    pub fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
    }
}

macro_rules! method {
    (GET) => {
        $crate::routes::Method::Get
    };
    (POST) => {
        $crate::routes::Method::Post
    };
    (PUT) => {
        $crate::routes::Method::Put
    };
    (PATCH) => {
        $crate::routes::Method::Patch
    };
    (DELETE) => {
        $crate::routes::Method::Delete
    };
}

macro_rules! fresh {
    () => {
        false
    };
    (fresh) => {
        true
    };
}

macro_rules! body {
    () => {
        $crate::routes::Body::None
    };
    (json $type:ty) => {
        $crate::routes::Body::Json(<$type as ts_rs::TS>::name)
    };
    (form) => {
        $crate::routes::Body::Form
    };
    (xml) => {
        $crate::routes::Body::Xml
    };
    (frames) => {
        $crate::routes::Body::Frames
    };
}

macro_rules! content {
    (json $type:ty) => {
        $crate::routes::Content::Json(<$type as ts_rs::TS>::name)
    };
    (document) => {
        $crate::routes::Content::Document
    };
    (text) => {
        $crate::routes::Content::Text
    };
    (bytes) => {
        $crate::routes::Content::Bytes
    };
    (events) => {
        $crate::routes::Content::Events
    };
    (xml) => {
        $crate::routes::Content::Xml
    };
    (frames) => {
        $crate::routes::Content::Frames
    };
    (nothing) => {
        $crate::routes::Content::Nothing
    };
}

/// `Name METHOD "/path/{part}" Class Face Access Rate query(name: Type) <- body -> 200 answer, .. ! refusal ..;
/// "What it is for."`, without `query`, `<-` and `!` where there is nothing to say. An access is `Open`, `Own` or a right, with
/// `+ fresh` behind it where a proof has to be fresh.
macro_rules! operations {
    ($(
        $name:ident $method:ident $path:literal $class:ident $face:ident $access:ident $(+ $fresh:ident)? $rate:ident
        $(query($($parameter:ident: $sort:ty),+))?
        $(<- $body:ident $(($sent:ty))?)?
        -> $($status:literal $content:ident $(($answer:ty))?),+ $(! $($refusal:ident)+)?; $about:literal
    )+) => {
        /// What a server can be asked for, in the order of docs/protocol.md.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Operation {
            $(
                #[doc = concat!("`", stringify!($method), " ", $path, "`")]
                $name,
            )+
        }

        impl Operation {
            /// Every operation, each once.
            pub const ALL: [Self; [$(stringify!($name)),+].len()] = [$(Self::$name),+];

            /// What the table says of it.
            pub const fn row(self) -> &'static $crate::routes::Row {
                match self {
                    $(Self::$name => &$crate::routes::Row {
                        name: stringify!($name),
                        method: method!($method),
                        path: $path,
                        class: $crate::routes::Class::$class,
                        face: weevil_model::Face::$face,
                        access: access!($access),
                        fresh: fresh!($($fresh)?),
                        rate: $crate::routes::Rate::$rate,
                        query: &[$($($crate::routes::Parameter {
                            name: stringify!($parameter),
                            named: <$sort as ts_rs::TS>::name,
                        }),+)?],
                        body: body!($($body $($sent)?)?),
                        answers: &[$($crate::routes::Answer {
                            status: $status,
                            content: content!($content $($answer)?),
                        }),+],
                        refusals: &[$($(stringify!($refusal)),+)?],
                        about: $about,
                    },)+
                }
            }
        }
    };
}

pub(super) use {body, content, fresh, method, operations};
