//! The schemas' history: each database's migrations, which travel in the binary.
//!
//! Their checksums stand in every database that is in use, which refuses a migration that has changed since. Named one by
//! one, not found by a macro of sqlx: its macros would have half of sqlx built twice.

use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use weevil_records::StoreError;

/// Number, name, statements.
type File = (i64, &'static str, &'static str);

macro_rules! files {
    ($folder:literal: $($number:literal $file:literal),*) => {
        &[$(($number, $file, include_str!(concat!("../migrations/", $folder, "/", $file, ".sql")))),*]
    };
}

const SQLITE: &[File] = files!("sqlite":
    1 "0001_first_light",
    2 "0002_inputs_names_reuse",
    3 "0003_retention",
    4 "0004_waiting",
    5 "0005_progress",
    6 "0006_devices",
    7 "0007_logs",
    8 "0008_large_values",
    9 "0009_leases_on_attempts",
    10 "0010_run_facts",
    11 "0011_access",
    12 "0012_projects",
    13 "0013_run_lists",
    16 "0016_code",
    17 "0017_runs_of_projects",
    18 "0018_walls",
    19 "0019_usage",
    20 "0020_tokens_of_projects",
    21 "0021_answers",
    22 "0022_lots",
    23 "0023_comparisons",
    24 "0024_engines",
    25 "0025_marked_devices",
    26 "0026_doubts",
    27 "0027_agree",
    28 "0028_stopped_codes",
    29 "0029_certificates",
    30 "0030_judgements",
    31 "0031_modules",
    32 "0032_left_out_by_agree",
    33 "0033_bytes_of_answers",
    34 "0034_courses",
    35 "0035_workers",
    36 "0036_looking_back",
    37 "0037_kernels",
    38 "0038_notes_of_pauses"
);

/// Without an eighth: MySQL keeps large columns outside of their rows by itself (ADR 0002).
const MYSQL: &[File] = files!("mysql":
    1 "0001_first_light",
    2 "0002_inputs_names_reuse",
    3 "0003_retention",
    4 "0004_waiting",
    5 "0005_progress",
    6 "0006_devices",
    7 "0007_logs",
    9 "0009_leases_on_attempts",
    10 "0010_run_facts",
    11 "0011_access",
    12 "0012_projects",
    13 "0013_run_lists",
    16 "0016_code",
    17 "0017_runs_of_projects",
    18 "0018_walls",
    19 "0019_usage",
    20 "0020_tokens_of_projects",
    21 "0021_answers",
    22 "0022_lots",
    23 "0023_comparisons",
    24 "0024_engines",
    25 "0025_marked_devices",
    26 "0026_doubts",
    27 "0027_agree",
    28 "0028_stopped_codes",
    29 "0029_certificates",
    30 "0030_judgements",
    31 "0031_modules",
    32 "0032_left_out_by_agree",
    33 "0033_bytes_of_answers",
    34 "0034_courses",
    35 "0035_workers",
    36 "0036_looking_back",
    37 "0037_kernels",
    38 "0038_notes_of_pauses"
);

pub(crate) fn sqlite() -> Migrator {
    migrator(SQLITE)
}

pub(crate) fn mysql() -> Migrator {
    migrator(MYSQL)
}

fn migrator(files: &[File]) -> Migrator {
    Migrator::with_migrations(files.iter().copied().map(migration).collect())
}

/// As sqlx reads a folder: databases hold the description too.
fn migration((number, file, statements): File) -> Migration {
    let description = file.trim_start_matches(|c: char| c.is_ascii_digit()).replace('_', " ");
    let description = description.trim_start().to_owned().into();
    Migration::new(number, description, MigrationType::Simple, statements.into_sql_str(), false)
}

/// Why a schema was not brought up to date by `migrator`.
pub(crate) fn refused(migrator: &Migrator, error: MigrateError) -> StoreError {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or_default();
    match error {
        // The database has a migration that is missing here: a newer binary has opened it.
        MigrateError::VersionMissing(found) => StoreError::TooNew { found, known },
        other => StoreError::Failed { doing: "bringing the schema up to date", cause: other.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Row};

    use super::*;

    /// Number, description and checksum, as a database holds them.
    type Applied = (i64, String, String);

    fn here(path: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
    }

    fn known(migrator: &Migrator) -> Vec<Applied> {
        let row = |m: &Migration| (m.version, m.description.to_string(), hex::encode_upper(&m.checksum));
        migrator.iter().map(row).collect()
    }

    #[test]
    fn each_file_is_named_with_its_number() {
        for (folder, files) in [("sqlite", SQLITE), ("mysql", MYSQL)] {
            let there: BTreeSet<String> = std::fs::read_dir(here("migrations").join(folder))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            let named = files.iter().map(|(_, file, _)| format!("{file}.sql"));
            assert!(named.eq(there.iter().cloned()), "{folder}: {there:?}");
            for (number, file, _) in files {
                assert!(file.starts_with(&format!("{number:04}_")), "{folder}: {number} {file}");
            }
        }
    }

    /// A database may have 0013 and not yet 0012.
    #[tokio::test]
    async fn a_migration_that_was_passed_over_is_taken_later() {
        let folder = tempfile::TempDir::new().unwrap();
        let options =
            SqliteConnectOptions::new().filename(folder.path().join("data.db")).create_if_missing(true);
        let mut database = options.connect().await.unwrap();
        let before: Vec<File> =
            SQLITE.iter().copied().filter(|(number, ..)| *number < 14 && *number != 12).collect();
        migrator(&before).run_direct(None, &mut database, false).await.unwrap();
        sqlite().run_direct(None, &mut database, false).await.unwrap();
        let projects = sqlx::query("select slug from projects").fetch_all(&mut database).await.unwrap();
        assert_eq!(projects.iter().map(|row| row.get("slug")).collect::<Vec<String>>(), ["default"]);
    }

    /// The file was left by a release that found its migrations by sqlx's macro.
    #[tokio::test]
    async fn an_sqlite_file_in_use_knows_the_same_migrations() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("data.db");
        std::fs::copy(here("../../tests/upgrade/sqlite.db"), &file).unwrap();
        let mut old = SqliteConnectOptions::new().filename(file).connect().await.unwrap();
        let query =
            "select version, description, hex(checksum) as checksum from _sqlx_migrations order by version";
        let rows = sqlx::query(query).fetch_all(&mut old).await.unwrap();
        let applied: Vec<Applied> = rows
            .iter()
            .map(|row| (row.get("version"), row.get("description"), row.get("checksum")))
            .collect();
        assert!(!applied.is_empty());
        assert_eq!(known(&sqlite())[..applied.len()], applied);
    }

    #[test]
    fn a_mariadb_in_use_knows_the_same_migrations() {
        let dump = std::fs::read_to_string(here("../../tests/upgrade/mariadb.sql")).unwrap();
        let (_, rows) = dump.split_once("insert into _sqlx_migrations").unwrap();
        let rows = rows.lines().skip(1).take_while(|line| line.starts_with('('));
        let applied: Vec<Applied> = rows.map(applied).collect();
        assert!(!applied.is_empty());
        assert_eq!(known(&mysql())[..applied.len()], applied);
    }

    /// `(1, 'first light', '2026-11-23 06:27:11', 1, 0x2030.., 122625190),`
    fn applied(line: &str) -> Applied {
        let fields: Vec<&str> = line.trim_matches(['(', ')', ',', ';']).split(", ").collect();
        let [number, description, _, _, checksum, _] = fields[..] else { panic!("{line}") };
        let description = description.trim_matches('\'').to_owned();
        (number.parse().unwrap(), description, checksum.strip_prefix("0x").unwrap().to_owned())
    }
}
