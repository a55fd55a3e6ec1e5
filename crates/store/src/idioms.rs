//! Statements that are one text for both databases: what they say differently has a name here, and its words in each.
//!
//! The compiler puts them together. Where more than words differs, a statement has two texts: see [`Sql`](crate::sql::Sql).

macro_rules! idioms {
    ($($(#[$about:meta])* $name:ident: $sqlite:literal, $mysql:literal;)*) => {
        pub(crate) mod sqlite { $($(#[$about])* pub(crate) const $name: &str = $sqlite;)* }
        pub(crate) mod mysql { $($(#[$about])* pub(crate) const $name: &str = $mysql;)* }
    };
}

idioms! {
    /// Has the rows lead, behind `select`: MySQL's optimizer cannot know how many a JSON text holds, and locks are to be taken
    /// in their order.
    LEAD: "", "straight_join ";
    /// What is read is locked until the commit, in the order of the rows. SQLite has one writer.
    LOCK: "", " for update";
    /// The same, but what another server works on is passed over.
    SKIP: "", " for update skip locked";
    /// Behind `insert`, and at its end: rows that are there already stay as they are.
    IGNORE: "", " ignore";
    UNLESS_THERE: " where true on conflict do nothing", "";
    /// The same behind a condition.
    OR_STAYS: " on conflict do nothing", "";
    /// Begins the conditions of an update behind its `{SOURCE}`.
    AND: " and ", " where ";
    /// The parameter behind the rows, where a text has something in front of them on one of the databases.
    P2: "?2", "?";
    /// The parameters behind the rows, in a select list: there MySQL would bind a `?` before the rows, so a derived table has
    /// them, which is joined by `{JOIN_M2}` or `{JOIN_M3}`.
    M2: "?2", "m.p2";
    M3: "?3", "m.p3";
    JOIN_M2: "", " join (select ? as p2) m";
    JOIN_M3: "", " join (select ? as p2, ? as p3) m";
    /// Indices that are told to MySQL, behind the name of a table.
    BY_KEY: "", " force index (primary)";
    BY_RUN: "", " force index (jobs_identity)";
    BY_DUE: "", " force index (jobs_due)";
    BY_QUEUE: "", " force index (jobs_queued)";
    /// A stand-alone job, for SQLite not by the index of all of these: most have ended.
    IS_ALONE: "+queue is not null", "queue is not null";
    BY_CLASS: "", " force index (jobs_ready)";
    BY_STATE: "", " force index (runs_by_state)";
    BY_WORKFLOW: "", " force index (runs_by_workflow)";
    OF_PROJECT: "", " force index (runs_of_project)";
    OF_PROJECT_BY_STATE: "", " force index (runs_of_project_by_state)";
    OF_PROJECT_BY_WORKFLOW: "", " force index (runs_of_project_by_workflow)";
    BY_DEADLINE: "", " force index (attempts_due)";
    UNDECIDED: "", " force index (lots_undecided)";
    OF_DEVICES: "", " force index (lots_of_devices)";
    TRUSTED_ANSWERS: "", " force index (answers_undecided)";
    UNDECIDED_ANSWERS: "", " force index (answers_undecided)";
    OF_PROJECTS: "", " force index (questions_of_projects)";
    OF_RUN: " indexed by lots_of_runs", " force index (lots_of_runs)";
    BY_NUMBER: "", " force index (devices_by_number)";
    BY_STANDING: "", " force index (records_by_standing)";
    OF_LOTS: "", " force index (answers_of_lots)";
    BY_NAME: "", " force index (runs_by_name)";
    OF_PROJECT_BY_NAME: "", " force index (runs_of_project_by_name)";
    TROUBLED_JOBS: " indexed by jobs_troubled", " force index (jobs_troubled)";
    LOGGED: " indexed by attempts_logged", " force index (attempts_logged)";
    OF_WORKERS: " indexed by attempts_of_workers", " force index (attempts_of_workers)";
    /// Jobs of a run that went wrong at least once; MySQL has no index of some rows.
    TROUBLED_OF_RUN: "run = ? and (failures > 0 or outcome in ('failed', 'overdue'))", "troubled_run = ?";
    /// When an attempt ended that has logged something, in a condition and in an order.
    LOGGED_AT: "log is not null and ended_at", "logged_at";
    LOGGED_BY: "ended_at", "logged_at";
    /// A page of runs by name; MySQL has no index of a long text.
    BY_NAME_PAGE: "name >= ? and name < ? and (name > ? or id < ?) and id >= ? and id < ? and (? is null or state = ?) and (? is null or workflow = ?) order by name, id desc limit ?",
        "name_key >= ? and name_key < ? and (name_key > ? or id < ?) and id >= ? and id < ? and (? is null or state = ?) and (? is null or workflow = ?) order by name_key, id desc limit ?";
    /// Leads SQLite to the index of jobs with a moment; MySQL would not take the first entry of its own any more.
    DATED: " and due_at is not null", "";
    /// What a device has been marked or has earned, from its record `r`. MySQL has no index of an expression.
    STANDING: "case when r.trusted > 0 then 2 when r.passes >= 10 then 1 else 0 end", "r.standing";
    /// Job `j` of a row: MySQL's unique index knows paths by their hash.
    SAME_PATH: "j.path = s.path", "j.identity = unhex(sha2(s.path, 256))";
    /// A job of a row that says where it is.
    AT_PATH: "path = s.at", "identity = unhex(sha2(s.at, 256))";
    /// The same for keys. MySQL keeps queues as bytes: the row's text is cast, since a cast of the column would lose the index.
    SAME_KEY: "j.project = s.project and j.queue = s.queue and j.path = s.path", "j.project = s.project and j.queue = cast(s.queue as binary) and j.queue_key = unhex(sha2(s.path, 256))";
    /// The queue of a row alone, as it is there.
    ROW_QUEUE: "s.queue", "cast(s.queue as binary)";
    /// As text again.
    QUEUE: "queue", "convert(queue using utf8mb4)";
    CODE_QUEUE: "c.queue", "convert(c.queue using utf8mb4)";
    FILE: "f.path", "convert(f.path using utf8mb4)";
    /// Bytes of blob `b`. SQLite knows a length without reading the bytes; MySQL would read them, and has it in a column.
    SIZE: "length(b.bytes)", "b.size";
    /// The value of job `j`. SQLite keeps a large value beside its row, whose own column is empty then and not null.
    RESULT: "iif(length(j.result) > 0, j.result, (select bytes from large_values where job = j.id and role = 1))", "j.result";
    /// The same for its input.
    INPUT: "iif(length(j.input) > 0, j.input, (select bytes from large_values where job = j.id and role = 0))", "j.input";
    /// Bytes of the value of job `j`: see `RESULT`. SQLite knows a length without reading the bytes.
    RESULT_SIZE: "iif(length(j.result) = 0, (select length(bytes) from large_values where job = j.id and role = 1), coalesce(length(j.result), 0))",
        "coalesce(length(j.result), 0)";
    /// The same for its input and its value together.
    JOB_SIZE: "(length(j.input) + coalesce(length(j.result), 0) + coalesce((select sum(length(bytes)) from large_values where job = j.id), 0))",
        "(length(j.input) + coalesce(length(j.result), 0))";
    /// The same with what answers say that are compared by more than digests.
    ALL_SIZE: "(length(j.input) + coalesce(length(j.result), 0) + coalesce((select sum(length(bytes)) from large_values where job = j.id), 0) + coalesce((select sum(size) from answer_values where job = j.id), 0))",
        "(length(j.input) + coalesce(length(j.result), 0) + cast(coalesce((select sum(v.size) from answer_values v where v.job = j.id), 0) as signed))";
    /// A sum that cannot overflow.
    TOTAL: "total", "sum";
    LEAST: "min", "least";
    GREATEST: "max", "greatest";
    INTEGER: "integer", "signed";
    /// The same in both, so that each text over rows has something from here.
    END_OF_ROWS: ") s", ") s";
}

/// A statement over rows, `s`, whose columns are named with their kinds: a JSON array of arrays, or of bare values where there is
/// one column. `{ROWS}` stands for them. In an update, `{TARGET}` is the table, met by the columns behind `by`, and `{SOURCE}`
/// ends it or precedes `{AND}`. MySQL looks for a bare name in the table and in the rows, so a column that is set has another
/// name there.
macro_rules! both {
    ($doing:literal, $text:tt) => {
        $crate::sql::Sql {
            doing: $doing,
            sqlite: { use $crate::idioms::sqlite::*; const_format::formatcp!($text) },
            mysql: { use $crate::idioms::mysql::*; const_format::formatcp!($text) },
        }
    };
    ($doing:literal, [$($rows:tt)+], $text:tt) => {
        $crate::sql::Sql {
            doing: $doing,
            sqlite: {
                use $crate::idioms::sqlite::*;
                const ROWS: &str = const_format::concatcp!($crate::idioms::rows!(sqlite $($rows)+), END_OF_ROWS);
                const_format::formatcp!($text)
            },
            mysql: {
                use $crate::idioms::mysql::*;
                const ROWS: &str = const_format::concatcp!($crate::idioms::rows!(mysql $($rows)+), END_OF_ROWS);
                const_format::formatcp!($text)
            },
        }
    };
    ($doing:literal, $table:ident $(through $hint:ident)? by $key:ident $(and $more:ident)?, [$($rows:tt)+], $text:tt) => {
        $crate::sql::Sql {
            doing: $doing,
            sqlite: {
                use $crate::idioms::sqlite::*;
                const TARGET: &str = stringify!($table);
                const SOURCE: &str = const_format::concatcp!(
                    "\nfrom ", $crate::idioms::rows!(sqlite $($rows)+), END_OF_ROWS,
                    " where ", $crate::idioms::met!($table $key $($more)?)
                );
                const_format::formatcp!($text)
            },
            mysql: {
                use $crate::idioms::mysql::*;
                const TARGET: &str = const_format::concatcp!(
                    $crate::idioms::rows!(mysql $($rows)+), END_OF_ROWS,
                    "\nstraight_join ", stringify!($table), $($hint,)? " on ", $crate::idioms::met!($table $key $($more)?)
                );
                const SOURCE: &str = "";
                const_format::formatcp!($text)
            },
        }
    };
}
pub(crate) use both;

macro_rules! met {
    ($table:ident $key:ident $($more:ident)?) => {
        concat!(
            stringify!($table), ".", stringify!($key), " = s.", stringify!($key)
            $(, " and ", stringify!($table), ".", stringify!($more), " = s.", stringify!($more))?
        )
    };
}
pub(crate) use met;

/// Rows as a table of each database, up to `END_OF_ROWS`. SQLite asks for `value` anew for each column. `jsonb_each` answers with the
/// row's bytes, in which `->>` finds its place; `json_each` would write the whole row as text each time.
macro_rules! rows {
    (sqlite $name:ident $kind:ident) => {
        concat!("(select value as ", stringify!($name), " from jsonb_each(?1)")
    };
    (mysql $name:ident $kind:ident) => {
        concat!("json_table(?, '$[*]' columns (", stringify!($name), " ", $crate::idioms::kind!($kind), " path '$')")
    };
    (sqlite $($rows:tt)+) => {
        concat!("(select ", $crate::idioms::columns!(sqlite [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25] $($rows)+), " from jsonb_each(?1)")
    };
    (mysql $($rows:tt)+) => {
        concat!("json_table(?, '$[*]' columns (", $crate::idioms::columns!(mysql [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25] $($rows)+), ")")
    };
}
pub(crate) use rows;

/// Columns by their places in a row.
macro_rules! columns {
    ($database:ident [$at:literal $($ats:literal)*] $name:ident $kind:ident, $($more:tt)+) => {
        concat!(
            $crate::idioms::columns!($database [$at] $name $kind), ", ",
            $crate::idioms::columns!($database [$($ats)*] $($more)+)
        )
    };
    (sqlite [$at:literal $($ats:literal)*] $name:ident $kind:ident) => {
        concat!("value ->> ", $at, " as ", stringify!($name))
    };
    (mysql [$at:literal $($ats:literal)*] $name:ident $kind:ident) => {
        concat!(stringify!($name), " ", $crate::idioms::kind!($kind), " path '$[", $at, "]'")
    };
}
pub(crate) use columns;

/// What a column of a row is to MySQL.
macro_rules! kind {
    (int) => {
        "bigint"
    };
    (real) => {
        "double"
    };
    (word) => {
        "varchar(32)"
    };
    (hash) => {
        "varchar(64)"
    };
    (queue) => {
        "varchar(100) character set utf8mb4"
    };
    (text) => {
        "longtext character set utf8mb4"
    };
    (hex) => {
        "longtext"
    };
}
pub(crate) use kind;
