//! Job code that leaves something behind, looks for what tells volunteers apart, or speaks for other jobs: in the real
//! sandbox frame of Chromium and of Firefox, which `lab.js` drives in the place of a coordinator.
//!
//! Nothing here waits for a coordinator to do something about it: what that does is told by its own tests.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use weevil_e2e::{Browser, Firefox, TestServer};

const LAB: &str = include_str!("lab.js");
const DOORS: &str = include_str!("doors.js");
const ALLOWED: &str = include_str!("../../../web/src/volunteer/job/realm/allowed.ts");

/// Evaluates an expression in a page of the server in both browsers, with `lab` at hand.
fn in_both(expression: &str, check: impl Fn(&str, Value)) {
    let server = TestServer::start(&[]);
    let url = server.url("/");
    let chromium = Browser::start();
    let page = chromium.open(&url);
    page.wait_for("document.body");
    page.eval(LAB);
    check("Chromium", page.eval(expression));
    let firefox = Firefox::start();
    let page = firefox.open(&url);
    page.wait_for("document.body");
    page.eval(LAB);
    check("Firefox", page.eval(expression));
}

/// For each door: what a witness of the same code tells after the job that left something behind, and alone.
const WITNESSES: &str = r"(async () => {
    const told = {};
    for (const [name, door] of DOORS) {
        const text = `function weevil_main(n) {
            if (n === 0) {
                self.ran = 0
                var late = function () { self.ran++; Math.random(); weevil.log('late'); weevil.progress(0.5); weevil.flops(1e3) }
                try { ${door} } catch (closed) { if (!(closed instanceof Error)) throw closed }
                return 0
            }
            var before = self.ran | 0, first = Math.random()
            weevil.log('here'); weevil.progress(0.25); weevil.flops(7)
            return new Promise(function (ok) { setTimeout(ok, 40) }).then(function () {
                return [first, Math.random(), (self.ran | 0) - before]
            })
        }`;
        const worker = lab.open();
        const left = await worker.run(text, 0);
        const goesOn = left.end === 'still' || left.end === 'quiet';
        const second = goesOn ? worker : lab.open();
        const after = await second.run(text, 1);
        const alone = lab.open();
        const expected = await alone.run(text, 1);
        // Whether it is quiet afterwards says something of the realm, not of the witness.
        for (const seen of [after, expected]) delete seen.end;
        told[name] = [left.end, JSON.stringify(after), JSON.stringify(expected)];
        for (const used of [worker, second, alone]) used.close();
    }
    return told;
})()";

#[test]
fn nothing_that_a_job_leaves_behind_reaches_the_next_one() {
    in_both(&WITNESSES.replace("DOORS", DOORS), |browser, told| {
        let rows = told.as_object().expect("a row for each door");
        assert!(rows.len() >= 28, "{browser}: {} doors", rows.len());
        for (door, row) in rows {
            assert_eq!(row[1], row[2], "{browser}: {door} ({})", row[0]);
        }
        let without_end = rows.iter().filter(|(door, _)| door.ends_with("without end"));
        for (door, row) in without_end {
            assert!(["silent", "left"].iter().any(|end| row[0] == *end), "{browser}: {door}: {row}");
        }
        assert_eq!(rows["a promise"][0], "quiet", "{browser}: what ends need not be replaced");
    });
}

/// Calls every function that is to be reached without touching a door to later: with nothing, and with a function.
const HUNT: &str = r"(async () => {
    const hunt = `function weevil_main(given) {
        var doors = ['Promise', 'eval', 'Function', 'queueMicrotask', 'setTimeout', 'setInterval', 'WebAssembly', 'SubtleCrypto', 'fromAsync', 'subtle', 'constructor']
        if (given === 1) return self.called
        self.called = 0
        var seen = new Set(), found = [], count = 0
        var call = function () { self.called++ }
        function look(value, path, holder) {
            if (value === null || typeof value !== 'object' && typeof value !== 'function' || seen.has(value)) return
            seen.add(value)
            var keys = Reflect.ownKeys(value)
            if (typeof value === 'function') for (var args of [[], [call]]) {
                count++
                var before = self.called, out
                try { out = Reflect.apply(value, holder, args) } catch (refused) { continue }
                if (out !== null && typeof out === 'object' && 'then' in out) found.push(path)
            }
            for (var key of keys) {
                if (doors.indexOf(key) >= 0 && key !== 'constructor') continue
                var own = Object.getOwnPropertyDescriptor(value, key)
                if (!own) continue
                if (key === 'constructor' && own.get) continue
                for (var part of ['value', 'get', 'set']) look(own[part], path + '.' + String(key), value)
            }
            look(Object.getPrototypeOf(value), path + '.__proto__', value)
        }
        look(self, 'self', undefined)
        self.called = 0
        return [count, found.join(' ')]
    }`;
    const worker = lab.open();
    const hunted = await worker.run(hunt, 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const later = await worker.run(hunt, 1);
    return { hunted, later };
})()";

#[test]
fn no_function_of_a_still_realm_calls_back_later() {
    in_both(HUNT, |browser, told| {
        let hunted = &told["hunted"];
        assert_eq!(hunted["error"], Value::Null, "{browser}: {told}");
        assert!(hunted["value"][0].as_u64().is_some_and(|count| count > 1000), "{browser}: {told}");
        assert_eq!(hunted["value"][1], "", "{browser}: functions that give promises");
        assert_eq!(hunted["end"], "still", "{browser}: {told}");
        assert_eq!(
            (&told["later"]["value"], &told["later"]["end"]),
            (&json!(0), &json!("still")),
            "{browser}: {told}"
        );
    });
}

/// Every name of the global object, of what it inherits, of built-ins' statics and of the listed prototypes.
const CENSUS: &str = r"(async () => {
    const census = `function weevil_main() {
        var prototypes = PROTOTYPES, out = [], seen = new Set()
        function named(key) { return typeof key === 'symbol' ? '@@' : key }
        function constant(own) { return 'value' in own && !own.configurable && !own.writable && typeof own.value === 'number' }
        function tell(holder, path, free) {
            for (var key of Reflect.ownKeys(holder)) {
                var own = Object.getOwnPropertyDescriptor(holder, key)
                if (free.indexOf(key) >= 0 || typeof key === 'symbol' || constant(own) && path !== 'globalThis') continue
                if (own.value === undefined && 'value' in own && path === 'globalThis') continue
                out.push(path + ' ' + key)
                if (path !== 'globalThis') below(own.value, path + '.' + key)
            }
        }
        function below(value, path) {
            if (value === null || typeof value !== 'object' && typeof value !== 'function' || seen.has(value)) return
            if (typeof value === 'function' && !Object.getOwnPropertyDescriptor(value, 'prototype')) return
            seen.add(value)
            tell(value, path, typeof value === 'function' ? ['length', 'name', 'prototype', 'arguments', 'caller'] : [])
            if (typeof value === 'function' && prototypes.indexOf(path + '.prototype') >= 0) tell(value.prototype, path + '.prototype', ['constructor'])
        }
        tell(self, 'globalThis', [])
        for (var name of Reflect.ownKeys(self)) if (name !== 'self' && name !== 'globalThis' && typeof name === 'string') below(self[name], name)
        for (var holder = Object.getPrototypeOf(self); holder && holder !== EventTarget.prototype && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
            tell(holder, 'inherited', [])
        return out.join(String.fromCharCode(10))
    }`;
    const [loose, frozen] = [lab.open(), lab.open(true)];
    return { loose: (await loose.run(census)).value, frozen: (await frozen.run(census)).value };
})()";

fn rows() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut rows: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    let is_path = |path: &str| path.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.');
    for (path, names) in ALLOWED.lines().filter_map(|line| line.split_once(": ")) {
        if is_path(path) {
            let names = names.split(' ').map(|name| if name == r"$\`" { "$`" } else { name });
            rows.entry(path).or_default().extend(names);
        }
    }
    rows
}

#[test]
fn what_a_job_finds_is_on_the_list() {
    let rows = rows();
    assert!(rows.len() > 50, "the list was read: {}", rows.len());
    let prototypes: Vec<_> = rows.keys().filter(|path| path.ends_with(".prototype")).collect();
    let census = CENSUS.replace("PROTOTYPES", &json!(prototypes).to_string());
    in_both(&census, |browser, told| {
        for realm in ["loose", "frozen"] {
            let found = told[realm].as_str().unwrap_or_else(|| panic!("{browser}: {told}"));
            assert!(found.lines().count() > 300, "{browser}, {realm}: {found}");
            let listed = |line: &&str| {
                let (path, name) = line.split_once(' ').expect("path and name");
                rows.get(path).is_some_and(|names| names.contains(name))
            };
            let strange: Vec<_> = found.lines().filter(|line| !listed(line)).collect();
            assert!(strange.is_empty(), "{browser}, {realm}: not on the list: {strange:?}");
        }
    });
}

/// Each answers 1356998400000 in a deterministic job.
const CLOCKS: &str = r#"(async () => {
    const clocks = [
        'Date.now()', 'new Date().getTime()', 'Date.parse(Date())', 'new (new Date(5).constructor)().getTime()',
        'new (class extends Date {})().getTime()', 'performance.timeOrigin + performance.now() + new Event("x").timeStamp',
        'typeof Temporal === "undefined" ? 1356998400000 : Temporal.Now.instant().epochMilliseconds',
        'Date.parse(Intl.DateTimeFormat("en", { dateStyle: "short", timeStyle: "long" }).format().replace("\u202f", " "))',
        'Date.UTC(+Intl.DateTimeFormat("en").formatToParts().filter(function (part) { return part.type === "year" })[0].value, 0)',
    ];
    const keep = "function weevil_main() { self.kept = Date; Object.prototype.kept = Date; return 1 }";
    const worker = lab.open(true);
    await worker.run(keep);
    const seen = {};
    for (const clock of clocks) seen[clock] = (await worker.run(`function weevil_main() { return ${clock} }`)).value;
    seen.kept = (await worker.run("function weevil_main() { return typeof kept + typeof ({}).kept }")).value;
    const mislead = "function weevil_main() { self.Reflect = { defineProperty() { return true } }; self.Object = { isExtensible() { return true } }; self.parseInt = 7; return 1 }";
    await worker.run(mislead);
    seen.misled = (await worker.run("function weevil_main() { return typeof Reflect.get + typeof Object.keys + typeof parseInt }")).value;
    seen.drawn = (await worker.run("function weevil_main() { return [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint32Array(2)).join(), typeof crypto.subtle].join(' ') }")).value;
    return seen;
})()"#;

#[test]
fn a_frozen_realm_stands_still_in_every_way() {
    let seen = std::cell::RefCell::new(Vec::new());
    in_both(CLOCKS, |browser, told| {
        for (clock, ms) in told.as_object().expect("a row for each clock") {
            match clock.as_str() {
                "kept" => assert_eq!(ms, "undefinedundefined", "{browser}"),
                "misled" => assert_eq!(ms, "functionfunctionfunction", "{browser}"),
                "drawn" => seen.borrow_mut().push(ms.clone()),
                _ => assert_eq!(*ms, json!(1_356_998_400_000_u64), "{browser}: {clock}"),
            }
        }
    });
    let seen = seen.into_inner();
    assert_eq!(seen[0], seen[1], "chance is the job's own in every browser");
    assert!(seen[0].as_str().is_some_and(|drawn| drawn.ends_with("undefined")), "no keys: {seen:?}");
}

/// Getters where reports and commands have nothing of their own; then an error, a value, and memories.
const FORGED: &str = r#"(async () => {
    const forge = `function weevil_main() {
        for (var name of ['value', 'error', 'loose', 'kernels', 'module', 'gpu', 'deterministic', 'packed', 'seq', 'kind'])
            Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, get: function () { return new Uint8Array([24, 42]) } })
        return 1
    }`;
    const worker = lab.open();
    const first = await worker.run(forge);
    const error = await worker.run("function weevil_main() { throw new RangeError('mine') }");
    const value = await worker.run("function weevil_main() { return 7 }");
    const raw = await lab.open().run("function weevil_main() { return [typeof navigator, typeof GPU, typeof GPUDevice, typeof self.constructor.prototype.navigator].join() }");
    const modules = await lab.open().run(`function weevil_main() {
        var pages = 0
        for (var at = 0; at < 16; at++) try {
            var bytes = [0, 97, 115, 109, 1, 0, 0, 0, 5, 6, 1, 1, 1, 128, 128, 1, 7, 5, 1, 1, 109, 2, 0]
            var memory = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports.m
            for (var step = 16384; step >= 1; step /= 2) try { for (;;) memory.grow(step) } catch (full) { }
            pages += memory.buffer.byteLength / 65536
        } catch (refused) { }
        var shared = 0
        try { new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }); shared = 1 } catch (refused) { }
        try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 4, 1, 3, 1, 1])); shared = 2 } catch (refused) { }
        return [pages, shared]
    }`);
    return { first, error, value, raw, modules };
})()"#;

#[test]
fn reports_devices_and_memories_are_what_the_runtime_made_them() {
    in_both(FORGED, |browser, told| {
        assert_eq!(told["first"]["value"], 1, "{browser}: {told}");
        assert_eq!(
            (&told["error"]["error"], &told["error"]["value"]),
            (&json!("RangeError: mine"), &Value::Null),
            "{browser}: {told}"
        );
        assert_eq!(
            (&told["value"]["value"], &told["value"]["error"]),
            (&json!(7), &Value::Null),
            "{browser}: {told}"
        );
        assert_eq!(told["raw"]["value"], "undefined,undefined,undefined,undefined", "{browser}");
        let pages = told["modules"]["value"][0].as_u64().unwrap_or_else(|| panic!("{browser}: {told}"));
        assert!((1..=16_384).contains(&pages), "{browser}: {pages} pages by sixteen modules");
        assert_eq!(told["modules"]["value"][1], 0, "{browser}: shared memory");
    });
}
