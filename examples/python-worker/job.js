// Runs one job for worker.py: a task as JSON on standard input, what became of it as JSON on standard output.
// The same code gives the same value as in a browser: sloppy classic script, seeded Math.random, weevil.flops. How much
// is done, as weevil.progress tells it, stands at the start of the file whose descriptor is the argument.
"use strict";

const fs = require("fs");

const KINDS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  BigInt64Array, BigUint64Array, Float32Array, Float64Array];
const SPECIAL = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };

/** From the JSON view of docs/protocol.md to the value. */
function unpack(view) {
  if (typeof view !== "object" || view === null) return view;
  if (Array.isArray(view)) return view.map(unpack);
  if ("$undefined" in view) return undefined;
  if ("$number" in view) return SPECIAL[view.$number];
  if ("$typed" in view) {
    const kind = KINDS.find((each) => each.name === view.$typed);
    const element = view.$typed.startsWith("Big") ? BigInt : unpack;
    return kind.from(view.values, (each) => element(each));
  }
  const entries = Object.entries("$object" in view ? view.$object : view);
  return Object.fromEntries(entries.map(([name, value]) => [name, unpack(value)]));
}

class NotAValue extends Error {}

/** And back. `around` holds the containers around the value, so that a cycle is seen. */
function pack(value, around = []) {
  if (value === undefined) return { $undefined: true };
  if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0))) {
    return { $number: Object.is(value, -0) ? "-0" : String(value) };
  }
  if (typeof value === "string") return value.toWellFormed();
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object") throw new NotAValue(`a ${typeof value} cannot be a result`);
  if (value instanceof ArrayBuffer) return pack(new Uint8Array(value));
  const kind = KINDS.find((each) => value instanceof each);
  if (kind) {
    const element = kind.name.startsWith("Big") ? String : (each) => pack(each);
    return { $typed: kind.name, values: Array.from(value, element) };
  }
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name !== "Object" && name !== "Array") throw new NotAValue(`a ${name} cannot be a result`);
  if (around.includes(value)) throw new NotAValue("a cycle cannot be a result");
  if (Array.isArray(value)) return Array.from(value, (each) => pack(each, [...around, value]));
  const entries = Object.entries(value).map(([key, each]) => [key.toWellFormed(), pack(each, [...around, value])]);
  const view = Object.fromEntries(entries);
  return entries.some(([key]) => key.startsWith("$")) ? { $object: view } : view;
}

/** sfc32, seeded as web/src/volunteer/job/random.ts does: copies of a job must draw the same numbers. */
function seeded(seed) {
  const mix = (bits) => {
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return bits ^ (bits >>> 15);
  };
  const [low, high] = [Number(seed & 0xffffffffn), Number(seed >> 32n)];
  let a = mix((low + 0x9e3779b9) | 0);
  let b = mix(((high ^ a) + 0x9e3779b9) | 0);
  let c = mix(((a ^ b) + 0x9e3779b9) | 0);
  let d = 1;
  const bits = () => {
    const drawn = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn;
  };
  for (let step = 0; step < 12; step += 1) bits();
  return () => {
    const upper = bits() >>> 5;
    return (upper * 67108864 + (bits() >>> 6)) * 2 ** -53;
  };
}

/** Keeps the last share in the file, unless it has hardly changed: always in five characters, so none is left over. */
function teller(file) {
  let told = NaN;
  return (done) => {
    if (typeof done !== "number" || Number.isNaN(done)) return;
    const share = Math.min(Math.max(done, 0), 1);
    if (Math.abs(share - told) < 0.001) return;
    told = share;
    fs.writeSync(file, share.toFixed(3), 0);
  };
}

/** Lines of a stack that are this machine's own affair. */
const OWN_LINE = /\n.*(?:job\.js:|node:).*/g;

const failed = (error, thrown) => ({
  error,
  message: thrown instanceof Error && thrown.name !== "Error" ? String(thrown) : String(thrown?.message ?? thrown),
  stack: String(thrown?.stack ?? "").replace(OWN_LINE, ""),
});

async function run({ text, src, seed, arguments: args }) {
  let flops = 0;
  let script;
  Math.random = seeded(BigInt(seed));
  const progress = teller(Number(process.argv[2]));
  globalThis.weevil = Object.freeze({ flops: (count) => { flops += Number(count) || 0; }, progress, log: console.error });
  try {
    const close = `\nreturn typeof weevil_main === "function" ? weevil_main : undefined})`;
    script = (0, eval)(`(function(){${text}${close}\n//# sourceURL=${src.replace(/\s+/g, "_")}`);
  } catch (thrown) {
    return failed("syntax", thrown);
  }
  const began = process.hrtime.bigint();
  try {
    const main = script();
    if (!main) return failed("noMain", `${src} defines no function \`weevil_main\``);
    const value = await main(...unpack(JSON.parse(args)));
    const compute_us = Number((process.hrtime.bigint() - began) / 1000n);
    const json = JSON.stringify(pack(value));
    return { value: json.replace(/[\ufffe\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`), compute_us, flops };
  } catch (thrown) {
    return failed(thrown instanceof NotAValue ? "notAValue" : "thrown", thrown);
  }
}

console.log = console.error;
const task = JSON.parse(fs.readFileSync(0, "utf8"));
run(task).then((done) => process.stdout.write(JSON.stringify(done), () => process.exit()));
