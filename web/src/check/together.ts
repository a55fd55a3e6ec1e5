/**
 * Probes that need more than one job: whether jobs can reach each other, and whether one can speak for another.
 */

import { type JobWorker, type Lab, valueOf } from "./lab.ts";
import { type Described, type Finding, closed, open } from "./probe.ts";

export interface Together extends Described {
  readonly run: (lab: Lab) => Promise<Finding>;
}

const SECRET = "weevil-secret-7341";

/** Runs `body` with fresh job workers, and ends them. */
async function withWorkers(lab: Lab, count: number, body: (workers: JobWorker[]) => Promise<Finding>): Promise<Finding> {
  const workers: JobWorker[] = [];
  try {
    for (let index = 0; index < count; index++) workers.push(await lab.open());
    return await body(workers);
  } finally {
    for (const worker of workers) worker.close();
  }
}

const MAKE_SHARED = `async function weevil_main() {
  var memory = typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(8)
    : new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer
  self.kept = new Uint8Array(memory, 0, 8)
  kept[0] = 7
  return kept
}`;

/** Shared memory that leaves a job must be a copy. */
async function sharedMemory(lab: Lab): Promise<Finding> {
  return withWorkers(lab, 2, async ([one, two]) => {
    const made = await (one as JobWorker).run(MAKE_SHARED);
    if (!("value" in made)) return closed(made.error.message);
    const given = made.value as Uint8Array;
    await (two as JobWorker).run("function weevil_main(bytes) { bytes[0] = 9; return 0 }", given);
    const now = valueOf(await (one as JobWorker).run("function weevil_main() { return kept[0] }"));
    return now === 7 ? closed("what left the job was a copy") : open("two jobs see the same memory");
  });
}

const POLLUTE = `function weevil_main() {
  Object.prototype.polluted = 'yes'
  Array.prototype.map = function () { return 'polluted' }
  Math.max = function () { return 'polluted' }
  self.polluted = 'yes'
  return 0
}`;
const LOOK_FOR_POLLUTION =
  "function weevil_main() { return [typeof polluted, String({}.polluted), String([1].map(String)), Math.max(1, 2)].join() }";

/** A job worker serves one workflow only; the next has a realm of its own. */
async function pollution(lab: Lab): Promise<Finding> {
  return withWorkers(lab, 2, async ([one, two]) => {
    valueOf(await (one as JobWorker).run(POLLUTE));
    const seen = valueOf(await (two as JobWorker).run(LOOK_FOR_POLLUTION));
    const alone = valueOf(await lab.runAlone(LOOK_FOR_POLLUTION));
    const clean = "undefined,undefined,1,2";
    return seen === clean && alone === clean ? closed("other workflows have built-ins of their own") : open(String(seen));
  });
}

/** Looks through everything that a name, a caller or a trap on a prototype leads to. */
const SEARCH = `function weevil_main(secret) {
  var seen = new Set(), found = false
  function look(value, depth) {
    if (typeof value === 'string' && value === secret.join('')) found = true
    if (depth > 4 || value === null || typeof value !== 'object' && typeof value !== 'function' || seen.has(value)) return
    seen.add(value)
    for (var name of Reflect.ownKeys(value)) try { look(value[name], depth + 1) } catch (x) { }
    look(Object.getPrototypeOf(value), depth + 1)
  }
  seen.add(secret)
  look(self, 0)
  for (var f = weevil_main, i = 0; i < 20; i++) try { f = f.caller; look(f.arguments, 0) } catch (x) { break }
  return found
}`;
const HOLD_SECRET = "function weevil_main(secret) { return new Promise(function (ok) { setTimeout(ok, 200, secret.length) }) }";

async function inputs(lab: Lab): Promise<Finding> {
  return withWorkers(lab, 2, async ([one, two]) => {
    const held = (one as JobWorker).run(HOLD_SECRET, SECRET);
    const pieces = [SECRET.slice(0, 9), SECRET.slice(9)];
    const elsewhere = valueOf(await (two as JobWorker).run(SEARCH, pieces));
    valueOf(await held);
    const afterwards = valueOf(await (one as JobWorker).run(SEARCH, pieces));
    if (elsewhere !== false) return open("a job of another slot was read");
    return afterwards === false ? closed("nothing of it is to be found") : open("the job before was read");
  });
}

/** Sets traps on prototypes that would let a job change the report of the next one, or post one itself. */
const FORGE = `function weevil_main() {
  function trap(value) { if (value && typeof value === 'object' && 'seq' in value) { value.seq = 999; value.value = new Uint8Array([0]) } return value }
  for (var index = 0; index < 4; index++) (function (index) {
    Object.defineProperty(Array.prototype, index, { configurable: true,
      set: function (value) { Object.defineProperty(this, index, { value: trap(value), writable: true, enumerable: true, configurable: true }) } })
  })(index)
  var push = Array.prototype.push
  Array.prototype.push = function (value) { return push.call(this, trap(value)) }
  var values = Array.prototype.values
  Array.prototype[Symbol.iterator] = Array.prototype.values = function () { trap(this[0]); return values.call(this) }
  Promise.prototype.then = function () { return this }
  Object.prototype.seq = 999
  var forged = { kind: 'results', results: [{ seq: 999, value: new Uint8Array([0]), computeUs: 0, flops: 0 }] }
  try { postMessage(forged) } catch (closed) { }
  try { weevil.progress.call({ seq: 999 }, 0.5) } catch (closed) { }
  try { weevil.log.call({ seq: 999 }, forged); console.log(forged) } catch (closed) { }
  return 1
}`;

async function forgery(lab: Lab): Promise<Finding> {
  return withWorkers(lab, 2, async ([one, two]) => {
    const worker = one as JobWorker;
    const other = (two as JobWorker).run(HOLD_SECRET, "four");
    valueOf(await worker.run(FORGE));
    const next = valueOf(await worker.run("async function weevil_main(n) { return n + 1 }", 41));
    const strange = [...worker.strange, ...(two as JobWorker).strange];
    if (strange.length > 0) return open(strange.join("; "));
    const sound = next === 42 && valueOf(await other) === 4;
    return sound ? closed("every result came back for its own job") : open("a result was changed");
  });
}

/** Leaves a timer, a chain of promises and a listener behind, each of which would count on. */
const LEAVE = `function weevil_main() {
  self.later = 0
  var count = function () { self.later++ }
  setInterval(count, 0)
  setTimeout(count, 0)
  var steps = 0
  var chain = function () { count(); if (steps++ < 1000) Promise.resolve().then(chain) }
  Promise.resolve().then(chain)
  try { addEventListener('error', count) } catch (closed) { }
  return 1
}`;

/** What runs between two jobs has counted before the second begins, or never. */
async function later(lab: Lab): Promise<Finding> {
  return withWorkers(lab, 1, async ([one]) => {
    const worker = one as JobWorker;
    valueOf(await worker.run(LEAVE));
    const before = valueOf(await worker.run("function weevil_main() { return self.later }"));
    const after = valueOf(
      await worker.run(
        "function weevil_main() { return new Promise(function (ok) { setTimeout(ok, 100) }).then(function () { return self.later }) }",
      ),
    );
    return before === after ? closed("what the job left behind had ended before the next one") : open("a job went on beside the next one");
  });
}

const FORGE_ERROR = `function weevil_main() {
  var value = new Uint8Array([24, 42])
  for (var name of ['value', 'error', 'loose', 'kernels', 'module', 'deterministic'])
    Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, get: function () { return name === 'error' ? undefined : value } })
  return 1
}`;

/** An error's report has no prototype that could give it a value. */
async function forgedError(lab: Lab): Promise<Finding> {
  return withWorkers(lab, 1, async ([one]) => {
    const worker = one as JobWorker;
    await worker.run(FORGE_ERROR);
    const ending = await worker.run("function weevil_main() { throw new RangeError('mine') }");
    return "error" in ending ? closed(ending.error.message) : open(`the error became ${String(ending.value)}`);
  });
}

export const TOGETHER: readonly Together[] = [
  { id: "sharedMemory", run: sharedMemory },
  { id: "pollution", run: pollution },
  { id: "inputs", run: inputs },
  { id: "forgery", run: forgery },
  { id: "forgedError", run: forgedError },
  { id: "later", run: later },
];
