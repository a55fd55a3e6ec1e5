//! The habits of every source file: a head, a size, and what must not stand in it.
//! It never parses a language; it looks at lines.

use super::finding::Finding;

const RUST_LINES: usize = 376;
const TEST_LINES: usize = 600;
/// For TypeScript, with markup in it or without, and for style sheets.
const WEB_LINES: usize = 400;
/// The page that is read first stays short enough to be read whole.
const FIRST_PAGE: &str = "ARCHITECTURE.md";
const FIRST_PAGE_BYTES: usize = 16_384;
/// A head begins within this many lines.
const HEAD_LINES: usize = 15;

/// Text that may not stand in a file of a kind.
struct Ban {
    text: &'static str,
    extension: &'static str,
    /// The only files and folders where it may: beginnings of paths, or ends that begin with a dot.
    except: &'static [&'static str],
    what: &'static str,
    cure: &'static str,
}

const REGISTER: &[&str] = &["server/src/http/register.rs"];
const ROW: &str = "add a row to crates/api/src/routes/table.rs and an arm to server/src/http/register.rs";
/// The pages of volunteers stay without any framework (ADR 0069).
const FRAMEWORK: &[&str] = &["web/src/console/"];
const FRAMEWORK_OUTSIDE: &str = "the console's framework outside the console";
const FRAMEWORK_CURE: &str = "make elements with web/src/dom.ts, or move it to web/src/console";
/// The editor of workflows is one chunk, and its library stays in it.
const EDITOR: &[&str] = &["web/src/console/editor/"];
const EDITOR_OUTSIDE: &str = "the editor's library outside the editor";
const EDITOR_CURE: &str = "move it to web/src/console/editor, or ask what is there";
/// What draws charts is known in one place, so that another would cost that place and nothing else.
const CHARTS: &[&str] = &["web/src/console/charts/"];
const CHARTS_OUTSIDE: &str = "what draws charts outside its folder";
const CHARTS_CURE: &str = "show a `Chart` of web/src/console/charts, or move it there";
/// Pages that may spell a path: what is generated, what tries pages, what attacks.
const PATHS_IN_PAGES: &[&str] = &[".gen.ts", ".test.ts", "web/src/check/"];

/// The texts are split so that this file does not break its own rules.
const BANS: [Ban; 21] = [
    Ban {
        text: concat!(".rou", "te("),
        extension: "rs",
        except: REGISTER,
        what: "a route without a row",
        cure: ROW,
    },
    Ban {
        text: concat!(".serv", "ice("),
        extension: "rs",
        except: REGISTER,
        what: "a route without a row",
        cure: ROW,
    },
    Ban {
        text: concat!("\"/api", "/v1"),
        extension: "rs",
        except: &["crates/api/src/routes/", "tests/", "examples/"],
        what: "a path of the API outside the table",
        cure: "ask for the operation's path, or add a row to crates/api/src/routes/table.rs",
    },
    Ban {
        text: concat!("\"/api", "/v1"),
        extension: "ts",
        except: PATHS_IN_PAGES,
        what: "a path of the API outside the table",
        cure: "use web/src/api/routes.gen.ts",
    },
    Ban {
        text: concat!("`/api", "/v1"),
        extension: "ts",
        except: PATHS_IN_PAGES,
        what: "a path of the API outside the table",
        cure: "use web/src/api/routes.gen.ts",
    },
    Ban {
        text: concat!("from \"", "preact"),
        extension: "ts",
        except: FRAMEWORK,
        what: FRAMEWORK_OUTSIDE,
        cure: FRAMEWORK_CURE,
    },
    Ban {
        text: concat!("from \"@", "preact/"),
        extension: "ts",
        except: FRAMEWORK,
        what: FRAMEWORK_OUTSIDE,
        cure: FRAMEWORK_CURE,
    },
    Ban {
        text: concat!("\"@", "codemirror/"),
        extension: "ts",
        except: EDITOR,
        what: EDITOR_OUTSIDE,
        cure: EDITOR_CURE,
    },
    Ban {
        text: concat!("\"", "codemirror\""),
        extension: "ts",
        except: EDITOR,
        what: EDITOR_OUTSIDE,
        cure: EDITOR_CURE,
    },
    Ban {
        text: concat!("\"@", "lezer/"),
        extension: "ts",
        except: EDITOR,
        what: EDITOR_OUTSIDE,
        cure: EDITOR_CURE,
    },
    Ban {
        text: concat!("\"up", "lot"),
        extension: "ts",
        except: CHARTS,
        what: CHARTS_OUTSIDE,
        cure: CHARTS_CURE,
    },
    Ban {
        text: concat!(".up", "lot"),
        extension: "css",
        except: CHARTS,
        what: CHARTS_OUTSIDE,
        cure: CHARTS_CURE,
    },
    Ban {
        text: concat!("#[", "allow("),
        extension: "rs",
        except: &[],
        what: "a lint is silenced for good",
        cure: "mend it, or write #[expect(.., reason = \"..\")]",
    },
    Ban {
        text: concat!("#![", "allow("),
        extension: "rs",
        except: &[],
        what: "a lint is silenced for good",
        cure: "mend it, or write #![expect(.., reason = \"..\")]",
    },
    Ban {
        text: concat!("sqlx", "::"),
        extension: "rs",
        except: &["crates/store/"],
        what: "SQL outside the store",
        cure: "move it to crates/store",
    },
    Ban {
        text: concat!("#[", "ignore"),
        extension: "rs",
        except: &[],
        what: "a test that is not run",
        cure: "run it or remove it",
    },
    Ban {
        text: concat!("it", ".skip("),
        extension: "ts",
        except: &[],
        what: "a test that is not run",
        cure: "run it or remove it",
    },
    Ban {
        text: concat!("test", ".skip("),
        extension: "ts",
        except: &[],
        what: "a test that is not run",
        cure: "run it or remove it",
    },
    Ban {
        text: concat!("describe", ".skip("),
        extension: "ts",
        except: &[],
        what: "tests that are not run",
        cure: "run them or remove them",
    },
    Ban {
        text: concat!("it", ".only("),
        extension: "ts",
        except: &[],
        what: "all other tests of the file are not run",
        cure: "remove `.only`",
    },
    Ban {
        text: concat!("describe", ".only("),
        extension: "ts",
        except: &[],
        what: "all other tests of the file are not run",
        cure: "remove `.only`",
    },
];

/// Where tests of the whole stand, and what holds on an idle machine only.
const END_TO_END: &str = "tests/e2e/";
const IDLE_BANS: [Ban; 2] = [
    Ban {
        text: concat!("progress.running", " > 0"),
        extension: "rs",
        except: &[],
        what: "handed out is not begun",
        cure: "wait with `api.begun(run)`",
    },
    Ban {
        text: concat!("elapsed()", " <"),
        extension: "rs",
        except: &[],
        what: "a busy machine takes longer",
        cure: "assert an order of events or a count; a wait ends at a deadline of `PATIENCE`",
    },
];

/// All findings in the file at `path` (from the root).
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut findings = match extension {
        "rs" => shape(path, text, "//!", if is_test(path) { TEST_LINES } else { RUST_LINES }),
        "ts" | "tsx" if !path.ends_with(".gen.ts") && !path.ends_with(".d.ts") => {
            shape(path, text, "/**", WEB_LINES)
        }
        "css" => shape(path, text, "/*", WEB_LINES),
        "md" => first_page(path, text),
        _ => Vec::new(),
    };
    let idle = IDLE_BANS.iter().filter(|_| path.starts_with(END_TO_END));
    let bans: Vec<_> = BANS.iter().chain(idle).collect();
    let bans = || bans.iter().filter(|ban| ban.holds_for(extension) && !ban.spares(path));
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
        let broken = bans().filter(|ban| line.contains(ban.text));
        findings.extend(broken.map(|ban| Finding::new(path, index + 1, ban.what, ban.cure)));
    }
    findings
}

/// A file of nothing but tests.
pub(super) fn is_test(path: &str) -> bool {
    let of_tests = path.starts_with("tests/") || path.contains("/tests/");
    of_tests || path.ends_with("/tests.rs") || path.ends_with("_test.rs")
}

fn first_page(path: &str, text: &str) -> Vec<Finding> {
    if path != FIRST_PAGE || text.len() <= FIRST_PAGE_BYTES {
        return Vec::new();
    }
    let what = format!("{} bytes, {FIRST_PAGE_BYTES} are the limit", text.len());
    vec![Finding::new(path, 1, what, "move what a crate's head or a page of docs/ should say")]
}

fn shape(path: &str, text: &str, head: &str, limit: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !text.lines().take(HEAD_LINES).any(|line| line.trim_start().starts_with(head)) {
        let cure = format!("begin with `{head}`: what it owns and what it never does");
        findings.push(Finding::new(path, 1, "a file without a head", cure));
    }
    let lines = text.lines().count();
    if lines > limit {
        let what = format!("{lines} lines, {limit} are the limit");
        findings.push(Finding::new(path, limit + 1, what, "split it by what it owns"));
    }
    findings
}

impl Ban {
    /// What holds for TypeScript holds for it with markup inside.
    fn holds_for(&self, extension: &str) -> bool {
        self.extension == extension || (self.extension == "ts" && extension == "tsx")
    }

    fn spares(&self, path: &str) -> bool {
        self.except
            .iter()
            .any(|place| path.starts_with(place) || (place.starts_with('.') && path.ends_with(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        check(path, text).into_iter().map(|finding| (finding.line, finding.what)).collect()
    }

    #[test]
    fn a_file_has_a_head() {
        assert_eq!(found("a.rs", "//! Owns a.\n"), []);
        assert_eq!(found("a.rs", "fn a() {}\n"), [(1, "a file without a head".to_owned())]);
        assert_eq!(found("a.rs", &format!("{}//! Late.\n", "\n".repeat(15))).len(), 1);
        assert_eq!(found("a.ts", "/** Owns a. */\n"), []);
        assert_eq!(found("a.ts", "let a;\n").len(), 1);
        assert_eq!(found("types.gen.ts", "let a;\n"), []);
        assert_eq!(found("a.js", "let a;\n"), []);
        assert_eq!(found("a.tsx", "let a;\n").len(), 1);
        assert_eq!(found("a.css", "/* Looks of a. */\n"), []);
        assert_eq!(found("a.css", "a {}\n").len(), 1);
    }

    #[test]
    fn a_file_stays_small() {
        let lines = |count: usize| format!("//! Head.\n{}", "x\n".repeat(count - 1));
        assert_eq!(found("a.rs", &lines(376)), []);
        assert_eq!(found("a.rs", &lines(377)), [(377, "377 lines, 376 are the limit".to_owned())]);
        let page = |head: &str, count: usize| format!("{head}\n{}", "x\n".repeat(count - 1));
        let long = [(401, "401 lines, 400 are the limit".to_owned())];
        assert_eq!(found("a.tsx", &page("/** Head. */", 400)), []);
        assert_eq!(found("a.tsx", &page("/** Head. */", 401)), long);
        assert_eq!(found("a.css", &page("/* Head. */", 401)), long);
        assert_eq!(found("a/tests/b.rs", &lines(600)), []);
        assert_eq!(found("a/tests.rs", &lines(601)), [(601, "601 lines, 600 are the limit".to_owned())]);
    }

    #[test]
    fn the_first_page_stays_short() {
        assert_eq!(found(FIRST_PAGE, &"x".repeat(16_384)), []);
        assert_eq!(
            found(FIRST_PAGE, &"x".repeat(16_385)),
            [(1, "16385 bytes, 16384 are the limit".to_owned())]
        );
        assert_eq!(found("README.md", &"x".repeat(16_385)), []);
    }

    #[test]
    fn banned_text_is_found_at_its_line() {
        let table = [
            ("server/src/a.rs", concat!("use sqlx", "::Row;"), 1),
            ("crates/store/src/a.rs", concat!("use sqlx", "::Row;"), 0),
            ("a.rs", concat!("#[", "allow(dead_code)]"), 1),
            ("a.rs", concat!("// #[", "allow(dead_code)]"), 0),
            ("a.rs", concat!("#[", "ignore = \"slow\"]"), 1),
            ("a.rs", "#[expect(dead_code, reason = \"x\")]", 0),
            ("tests/e2e/a.rs", concat!("|view| view.summary.progress.running", " > 0"), 1),
            ("tests/e2e/a.rs", concat!("assert!(since.elapsed()", " < LEASE)"), 1),
            ("server/src/a.rs", concat!("config.rou", "te(path, handler);"), 1),
            ("server/src/a.rs", concat!("app.serv", "ice(scope)"), 1),
            ("server/src/http/register.rs", concat!("config.rou", "te(path, handler);"), 0),
            ("crates/cli/src/a.rs", concat!("server.get(\"/api", "/v1/runs\")"), 1),
            ("crates/api/src/routes/table.rs", concat!("GET \"/api", "/v1/runs\""), 0),
            ("tests/e2e/a.rs", concat!("api.json(\"/api", "/v1/runs\")"), 0),
            ("crates/cli/src/a.rs", concat!("say(\"POST it to /api", "/v1/runs\")"), 0),
            ("tests/src/a.rs", concat!("assert!(since.elapsed()", " < PATIENCE)"), 0),
        ];
        for (path, line, count) in table {
            assert_eq!(found(path, &format!("//! Head.\n{line}\n")).len(), count, "{path}: {line}");
        }
        let page = concat!("/** Head. */\nfetch(`/api", "/v1/runs`); fetch(\"/api", "/v1/runs\");\n");
        let counts =
            ["a.ts", "a.test.ts", "check/a.ts"].map(|file| found(&format!("web/src/{file}"), page).len());
        assert_eq!(counts, [2, 0, 0]);
        let framework = concat!(
            "/** Head. */\nimport { h } from \"",
            "preact/hooks\";\nimport { s } from \"@",
            "preact/signals\";\n"
        );
        let counts = ["web/src/volunteer/a.ts", "web/src/check/a.tsx", "web/src/console/parts/a.tsx"]
            .map(|file| found(file, framework).len());
        assert_eq!(counts, [2, 2, 0]);
        let library =
            concat!("/** Head. */\nimport a from \"@", "codemirror/view\";\nimport(\"", "codemirror\")\n");
        let counts = ["web/src/console/pages/a.tsx", "web/src/console/editor/a.ts"]
            .map(|file| found(file, library).len());
        assert_eq!(counts, [2, 0]);
        let charts = concat!("/** Head. */\nimport p from \"up", "lot\";\nawait import(\"up", "lot\");\n");
        let looks = concat!("/* Head. */\n.up", "lot {}\n");
        for (file, text, count) in [
            ("web/src/console/pages/a.tsx", charts, 2),
            ("web/src/console/charts/a.ts", charts, 0),
            ("web/src/console/pages/a.css", looks, 1),
            ("web/src/console/charts/a.css", looks, 0),
        ] {
            assert_eq!(found(file, text).len(), count, "{file}");
        }
        assert_eq!(found("a.test.ts", concat!("/** Head. */\nit", ".skip(\"x\")\n"))[0].0, 2);
    }
}
