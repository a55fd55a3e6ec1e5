//! Tables of texts and the facts that are read in them, and shapes that would run off the stack.

use super::*;

fn script(text: &str) -> Script {
    read(text).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

/// `name`, `{}` for a pattern, then `=` with a default, `...` before a rest, `?` where it is never read.
fn parameters(text: &str) -> String {
    let Entry::Function(function) = script(text).entry else { return format!("{:?}", script(text).entry) };
    let shown = function.parameters.iter().map(|parameter| {
        let name = parameter.name.as_deref().unwrap_or("{}");
        let rest = if parameter.is_rest { "..." } else { "" };
        let default = if parameter.has_default { "=" } else { "" };
        let unread = if parameter.is_read { "" } else { "?" };
        format!("{rest}{name}{default}{unread}")
    });
    let sees = [(function.reads_arguments, "arguments"), (function.reads_unseen, "unseen")];
    let sees = sees.iter().filter(|(yes, _)| *yes).map(|(_, what)| format!("+{what}"));
    shown.chain(sees).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_way_to_define_the_function_is_found() {
    for text in [
        "function weevil_main(a) { return a }",
        "async function weevil_main(a) { return a }",
        "function* weevil_main(a) { yield a }",
        "var weevil_main = function (a) { return a }",
        "let weevil_main = function other(a) { return a }",
        "const weevil_main = async (a) => a",
        "var weevil_main = (((a) => a))",
        "weevil_main = a => a",
        "var weevil_main; weevil_main = a => a",
        "main = weevil_main = a => a",
        "this.weevil_main = a => a",
        "globalThis.weevil_main = function (a) { return a }",
        "self['weevil_main'] = a => a",
        "if (true) { function weevil_main(a) { return a } }",
        "function weevil_main(b) {} function weevil_main(a) { return a }",
        "function f() { function weevil_main(x, y) {} var weevil_main = 5 } function weevil_main(a) { return a }",
    ] {
        assert_eq!(parameters(text), "a", "{text}");
    }
}

#[test]
fn what_cannot_be_read_is_not_judged() {
    for text in [
        "var weevil_main = make()",
        "var { weevil_main } = lib",
        "weevil_main ??= a => a",
        "function set() { weevil_main = a => a } set()",
        "(function () { this.weevil_main = a => a })()",
        "function weevil_main(a) {} weevil_main = wrap(weevil_main)",
        "eval(text)",
    ] {
        assert_eq!(script(text).entry, Entry::Unread, "{text}");
    }
}

#[test]
fn what_is_no_function_is_told_with_its_place() {
    for (text, at, found) in [
        ("var weevil_main = 5", 18..19, "a Number"),
        ("weevil_main = { run() {} }", 14..26, "an Object"),
        ("class weevil_main {}", 6..17, "a class"),
        ("var weevil_main", 4..15, "declared, but given no value"),
    ] {
        assert_eq!(script(text).entry, Entry::NotFunction { at, found }, "{text}");
    }
    let text =
        "function main() {} var other = 1; function weevilMain() { function inner() {} } x.weevil_main = 1";
    let functions = vec!["main".to_owned(), "weevilMain".to_owned()];
    let Entry::Missing { functions: mut found } = script(text).entry else { panic!("{text}") };
    found.sort();
    assert_eq!(found, functions);
}

#[test]
fn parameters_are_read_where_the_code_reads_that_very_name() {
    for (text, expected) in [
        ("function weevil_main() {}", ""),
        ("function weevil_main(a, b = a, { c, d: [e] }, ...f) { return e + f }", "a b=? {} ...f"),
        ("function weevil_main(a) { a = 5 }", "a?"),
        ("function weevil_main(a) { a += 5 }", "a"),
        ("function weevil_main(a) { var a; return a }", "a"),
        ("function weevil_main(a) { { let a = 1; return a } }", "a?"),
        ("function weevil_main(a) { return function (a) { return a } }", "a?"),
        ("function weevil_main(a) { return () => () => a }", "a"),
        ("function weevil_main(a) { a = eval(a); return 1 }", "a +unseen"),
        ("function weevil_main(a) { return eval('a') }", "a? +unseen"),
        ("function weevil_main(a) { return () => eval('a') }", "a? +unseen"),
        ("function weevil_main(a) { return window.eval('a') }", "a?"),
        ("function weevil_main(a) { with (x) { return b } }", "a? +unseen"),
        ("function weevil_main() { return arguments[0] }", "+arguments"),
        ("function weevil_main() { return () => arguments }", "+arguments"),
        ("function weevil_main(a) { return function () { return arguments } }", "a?"),
        ("weevil_main = (a) => arguments", "a?"),
        ("var a; function weevil_main(b) { return a }", "b?"),
        ("function weevil_main(a) { return { a } }", "a"),
        ("function weevil_main(a) { return x.a }", "a?"),
    ] {
        assert_eq!(parameters(text), expected, "{text}");
    }
}

#[test]
fn code_is_repeatable_while_it_neither_draws_nor_looks_at_a_clock() {
    for (code, expected) in [
        ("Math.sqrt(2) + Math['PI']", true),
        ("Math.random()", false),
        ("Math['random']()", false),
        ("Math[name]()", false),
        ("var m = Math", false),
        ("const { random } = Math", false),
        ("f(Math)", false),
        ("Date.now()", false),
        ("new Date", false),
        ("performance.now()", false),
        ("crypto.getRandomValues(x)", false),
        ("globalThis.Math.random()", false),
        ("self['Date'].now()", false),
        ("globalThis.weevil_helper = 1", true),
        ("g = globalThis", false),
        ("this.Date.now()", false),
        ("function f(Math, Date) { return Math.random() + Date.now() }", true),
        ("x.random() + y.Date + 'Math.random()' // Math.random()", true),
        ("eval('Math.random()')", true),
    ] {
        assert_eq!(script(&format!("function weevil_main() {{}} {code}")).repeatable, expected, "{code}");
    }
}

/// The names that stand in the order of the text, with where each is read first.
#[test]
fn what_need_not_say_the_same_to_every_volunteer_is_found() {
    for (text, expected) in [
        ("Date.now() + Date.now()", &[("Date", 0)][..]),
        ("f(performance, new Date)", &[("performance", 2), ("Date", 19)]),
        ("new Date(...parts); crypto", &[("Date", 4), ("crypto", 20)]),
        ("Date()", &[("Date", 0)]),
        ("f(new Date(Date))", &[("Date", 11)]),
        ("const { now } = Date", &[("Date", 16)]),
        ("typeof Temporal === 'object' && Temporal.Now", &[("Temporal", 32)]),
        ("globalThis.Date.now()", &[("Date", 0)]),
        ("self['crypto'].randomUUID()", &[("crypto", 0)]),
        ("() => { return Date.now }", &[("Date", 15)]),
        ("new Date(0) + new self.Date('2020', 1)", &[]),
        ("Date.UTC(2020) + Date.parse(x) + Date.prototype.getDay.call(x)", &[]),
        ("x instanceof Date, typeof Date, typeof self.performance", &[]),
        ("Date = 1; globalThis.performance = { now() {} }", &[]),
        ("var Date = f; Date.now()", &[]),
        ("(crypto, globalThis) => crypto.x + globalThis.Date", &[]),
        ("this.Date.now() + x.performance + globalThis[name] + eval('Date')", &[]),
        ("Math.random() + Intl + 'Date' // Date", &[]),
    ] {
        let found = script(text).readings;
        let found: Vec<_> = found.iter().map(|reading| (reading.name, reading.at.start)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn mistakes_have_their_places() {
    for (text, at, message) in [
        ("function weevil_main( {", 23..23, "expected `}` but found `EOF`"),
        ("let a; let a;", 11..12, "identifier `a` has already been declared"),
        ("x = 'open", 4..9, "unterminated string"),
        ("x = /(/", 5..6, "invalid regular expression: Unterminated capturing group"),
        ("'use strict'; with (a) {}", 14..18, "'with' statements are not allowed"),
        ("break", 0..5, "illegal break statement"),
        ("function weevil_main() {}\nexport default weevil_main", 26..32, "`export` makes this a module"),
        ("import a from 'b'\nimport c from 'd'", 0..6, "`import` makes this a module"),
    ] {
        let Err(Unreadable::Mistakes(found)) = read(text) else { panic!("{text}") };
        assert_eq!((found.len(), found[0].at.clone()), (1, at), "{text}: {found:?}");
        assert!(found[0].message.starts_with(message), "{text}: {found:?}");
    }
    for text in
        ["010; delete x; var a, a; function f(a, a) {}", "a = import('x')", "var let, async, of", "\u{FEFF}1"]
    {
        assert_eq!(script(text).entry, Entry::Missing { functions: script_functions(text) }, "{text}");
    }
}

fn script_functions(text: &str) -> Vec<String> {
    if text.contains("function f") { vec!["f".to_owned()] } else { vec![] }
}

/// What opens, what closes; repeated.
const DEEP: &[(&str, &str, &str)] = &[
    ("x=", "(", ")"),
    ("x=", "[", "]"),
    ("x=", "{a:", "}"),
    ("x=", "(function(){return ", "})"),
    ("x=", "class{m(){return ", "}}"),
    ("x=", "class extends ", "{}"),
    ("x=", "{get a(){return ", "}}"),
    ("x=", "(a)=>{return ", "}"),
    ("x=", "async a=>", ""),
    ("x=", "a=>", ""),
    ("x=", "!", ""),
    ("x=", "new ", ""),
    ("x=", "a?b:", ""),
    ("x=", "a?.5:", ""),
    ("x=", "a=", ""),
    ("x=", "{}={}\n=", ""),
    ("x=", "a**", ""),
    ("x=", "a+", ""),
    ("x=a", "", ".b()[0]``"),
    ("x=", "`${", "}`"),
    ("x=", "(a=", ")"),
    ("x=", "[...", "]"),
    ("x=", "')'+(", ")"),
    ("x=", "/)/+(", ")"),
    ("x=", "a/b/(", ")"),
    ("x=", "(/*)*/", ")"),
    ("x=", "0xe+/\")/,(", ")"),
    ("x=", "'\\\r\n)'+(", ")"),
    ("", "{", "}"),
    ("", "if(a)", "b"),
    ("", "if(a)b;else ", ""),
    ("", "if(a)break x\nelse ", ""),
    ("", "if(a)b=c,", ""),
    ("", "if(a)var x=function(){", "}"),
    ("", "for(;;)", ""),
    ("", "for(a of b)", ""),
    ("", "while(a)", ""),
    ("", "do ", ";while(a)"),
    ("", "do if(a)b;else ", "c;while(a);"),
    ("", "try{", "}catch(e){}"),
    ("", "switch(a){case 1:", "}"),
    ("function*f(){", "yield ", ""),
    ("async function f(){", "await ", ""),
    ("var ", "[", "]"),
    ("x=/", "(", ")"),
];

/// On the smallest stack that any place has, in the smallest and in every larger size.
#[test]
fn no_shape_runs_off_the_stack() {
    let check = || {
        for (start, open, close) in DEEP {
            for times in [10, 100, 200, 400, 1000, 4000, 100_000] {
                let end = if start.ends_with('/') { "/" } else { "" };
                let text = format!("{start}{}1{}{end}", open.repeat(times), close.repeat(times));
                let read = read(&text);
                let refused = matches!(read, Err(Unreadable::Obstacle(_) | Unreadable::Mistakes(_)));
                assert!(times < 100_000 || refused, "{open} is not bounded: {read:?}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(1024 * 1024).spawn(check).unwrap();
    thread.join().unwrap();
}

#[test]
fn very_long_code_is_not_read() {
    let text = " ".repeat(crate::limits::MAX_CODE_BYTES + 1);
    assert_eq!(read(&text).unwrap_err(), Unreadable::TooLong);
}
