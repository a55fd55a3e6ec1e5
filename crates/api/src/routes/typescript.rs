//! A function for each route that a page may ask, as TypeScript: volunteers' rows in a file of their own, so that their page
//! carries no others.
//!
//! `cargo xtask codegen` writes it to `web/src/api/{routes,volunteer}.gen.ts`; nobody edits those files.

use std::collections::BTreeSet;

use ts_rs::Config;

use super::Operation;
use super::row::{Answer, Class, Content, Parameter, Row};

const ROUTE: &str = r#"
/** How something is asked of the server, and the type of what it answers. */
export interface Route<Answer> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** Never there. */
  readonly answer?: Answer;
}
"#;

const PART: &str = r"
/** One part of a path, whatever it holds. */
const part = encodeURIComponent;
";

const SEARCH: &str = r#"
type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The `?` and what follows it, from those values that are there. */
function search(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) given.set(name, String(value));
  const text = given.toString();
  return text === "" ? "" : `?${text}`;
}
"#;

/// What the console asks for, below the head of its file.
pub fn routes_typescript() -> String {
    let (types, functions) = functions(|class| class != Class::Volunteer);
    format!("{}{ROUTE}{PART}{SEARCH}{functions}", import(&types, "./types.gen.ts"))
}

/// What a volunteer's tab asks for, below the head of its file.
pub fn volunteer_routes_typescript() -> String {
    let (types, functions) = functions(|class| class == Class::Volunteer);
    let search = if functions.contains("${search(") { SEARCH } else { "" };
    let route = "import type { Route } from \"./routes.gen.ts\";\n";
    format!("\n{route}{}{PART}{search}{functions}", import(&types, "./types.gen.ts").trim_start())
}

fn import(types: &BTreeSet<String>, file: &str) -> String {
    let types: Vec<_> = types.iter().map(|name| format!("  {name},\n")).collect();
    format!("\nimport type {{\n{}}} from \"{file}\";\n", types.concat())
}

/// The functions of these rows, and the types in them.
fn functions(of: fn(Class) -> bool) -> (BTreeSet<String>, String) {
    let rows = Operation::ALL.map(Operation::row);
    let asked: Vec<_> = rows.into_iter().filter(|row| of(row.class) && !answers(row).is_empty()).collect();
    (asked.iter().flat_map(|row| named(row)).collect(), asked.into_iter().map(function).collect())
}

/// What is answered, in TypeScript; empty where no page can read it.
fn answers(row: &Row) -> Vec<String> {
    let mut named: Vec<_> = row.answers.iter().filter_map(answer).collect();
    named.dedup();
    named
}

fn answer(answer: &Answer) -> Option<String> {
    match answer.content {
        Content::Json(named) => Some(named(&Config::default())),
        Content::Document => Some("unknown".to_owned()),
        Content::Events => Some("EventSource".to_owned()),
        Content::Nothing => Some("undefined".to_owned()),
        Content::Text | Content::Bytes | Content::Xml | Content::Frames => None,
    }
}

/// The names of our own types in what a row answers and is asked.
fn named(row: &Row) -> Vec<String> {
    let asked = row.query.iter().map(|parameter| (parameter.named)(&Config::default()));
    names(&answers(row).into_iter().chain(asked).collect::<Vec<_>>().join(" "))
}

/// The names of our own types in the name of a type.
fn names(named: &str) -> Vec<String> {
    let words = named.split(|letter: char| !letter.is_ascii_alphanumeric());
    let own = |word: &&str| word.starts_with(char::is_uppercase) && !["Array", "EventSource"].contains(word);
    words.filter(own).map(str::to_owned).collect()
}

fn function(row: &Row) -> String {
    let Row { name, method, path, query, .. } = row;
    let parts = row.parts().map(|part| format!("{part}: string"));
    let arguments: Vec<_> = parts.chain(query_argument(query)).collect();
    let (first, rest) = name.split_at(1);
    let (name, arguments, answer) =
        (first.to_lowercase() + rest, arguments.join(", "), answers(row).join(" | "));
    let path = path.replace('{', "${part(").replace('}', ")}");
    let search = if query.is_empty() { "" } else { "${search(query)}" };
    let method = method.as_str();
    format!(
        "\nexport function {name}({arguments}): Route<{answer}> {{\n  return {{ method: \"{method}\", path: `{path}{search}` }};\n}}\n"
    )
}

/// One argument for all that stands behind the `?`; it may be left out where all of it may.
fn query_argument(query: &[Parameter]) -> Option<String> {
    if query.is_empty() {
        return None;
    }
    let field = |Parameter { name, named }: &Parameter| {
        let named = named(&Config::default());
        let optional = if named.ends_with("| null") { "?" } else { "" };
        (format!("readonly {name}{optional}: {named}"), !optional.is_empty())
    };
    let fields: Vec<_> = query.iter().map(field).collect();
    let default = if fields.iter().all(|(_, optional)| *optional) { " = {}" } else { "" };
    let fields: Vec<_> = fields.into_iter().map(|(field, _)| field).collect();
    Some(format!("query: {{ {} }}{default}", fields.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::{routes_typescript, volunteer_routes_typescript};

    #[test]
    fn functions_take_parts_and_query() {
        let text = routes_typescript();
        for part in [
            "export function showRun(run: string): Route<RunView> {\n  return { method: \"GET\", path: `/api/v1/runs/${part(run)}` };\n}",
            "export function runResult(run: string, query: { readonly waitMs?: number | null; readonly max?: number | null } = {}): Route<RunResult>",
            "export function resumeCode(code: string, query: { readonly project?: string | null; readonly queue: string }): Route<QueueView>",
            "query: { readonly before?: number | null } = {}",
            "): Route<JobKept | Array<JobKept>>",
            "  RunPage,\n",
            "export function listRuns(query: { readonly project?: string | null; readonly q?: string | null; readonly state?: RunState | null; readonly workflow?: string | null; readonly createdAfter?: number | null;",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert!(!text.contains("plainJoin") && !text.contains("  Array,"), "{text}");
    }

    #[test]
    fn volunteers_rows_stand_apart() {
        let (console, volunteer) = (routes_typescript(), volunteer_routes_typescript());
        for (row, theirs) in [("showAim", true), ("showKernels", true), ("showRun", false), ("events", false)]
        {
            let function = format!("export function {row}(");
            assert_eq!(
                (volunteer.contains(&function), console.contains(&function)),
                (theirs, !theirs),
                "{row}"
            );
        }
        assert!(!volunteer.contains("search") && !volunteer.contains("RunView"), "{volunteer}");
    }
}
