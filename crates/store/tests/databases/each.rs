//! Each test as one test for each kind of database.

/// Makes a test of each body for each kind of database.
macro_rules! on_each_database {
    ($($body:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test] async fn $body() { super::$body(crate::databases::Kind::Sqlite).await })+
        }
        mod mariadb {
            $(#[tokio::test] async fn $body() { super::$body(crate::databases::Kind::MariaDb).await })+
        }
    };
}
pub(crate) use on_each_database;
