/** The slot's loop against a port of the test's own: order, batches, errors, seeds, clocks. */

import { expect, test } from "vitest";
import type { SlotCommand, SlotJob, SlotReport, SlotResult } from "../../api/types.gen.ts";
import { decode } from "./cbor-decode.ts";
import { Encoder } from "./cbor-encode.ts";
import { FlopCounter } from "./flops.ts";
import { type Host, Loop } from "./loop.ts";
import { ProgressMeter } from "./progress.ts";
import { seeded } from "./random.ts";
import type { Stillness } from "./realm/still.ts";

const MAX_BYTES = 1000;

interface Bench {
  readonly loop: Loop;
  readonly batches: SlotResult[][];
  readonly transfers: Transferable[][];
  readonly told: [number, number][];
  readonly rests: number[];
  readonly said: [number, string][];
  readonly clock: { ms: number };
}

function bench(): Bench {
  const batches: SlotResult[][] = [];
  const transfers: Transferable[][] = [];
  const told: [number, number][] = [];
  const rests: number[] = [];
  const said: [number, string][] = [];
  const clock = { ms: 0 };
  const post = (report: SlotReport, transfer: Transferable[]): void => {
    if (report.kind === "results") batches.push([...report.results]);
    if (report.kind === "rest") rests.push(report.ms);
    if (report.kind === "log") said.push([report.seq, report.text]);
    transfers.push([...transfer]);
  };
  const sleep = async (ms: number): Promise<void> => {
    clock.ms += ms;
  };
  const random = seeded();
  const flops = new FlopCounter();
  const now = (): number => clock.ms;
  const progress = new ProgressMeter(now, (seq, done) => told.push([seq, done]));
  const loop = new Loop({ post, now, sleep }, random, flops, progress);
  const weevil = { flops: flops.add, progress: progress.tell, log: loop.log.log };
  Object.assign(globalThis, { clock, draw: random.next, weevil });
  return { loop, batches, transfers, told, rests, said, clock };
}

function job(seq: number, code: number, args: unknown[] = [], seed: [number, number] = [1, 1]): SlotJob {
  return { seq, code, input: new Encoder().encode(args, MAX_BYTES), seed };
}

function run(bench: Bench, texts: string[], jobs: SlotJob[], maxValueBytes = MAX_BYTES): void {
  texts.forEach((text, code) => bench.loop.command({ kind: "code", code, source: `Code${code}.js`, codeKind: "javascript", text }));
  bench.loop.command({ kind: "jobs", jobs, maxValueBytes });
}

async function settled(bench: Bench): Promise<SlotResult[]> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return bench.batches.flat();
}

function valueOf(result: SlotResult | undefined): unknown {
  if (result?.value === undefined) throw new Error(result?.error?.message ?? "no result");
  return decode(result.value);
}

test("jobs run in order and report together", async () => {
  const here = bench();
  run(here, ["function weevil_main(a, b) { return a + b }"], [job(1, 0, [44, 13]), job(2, 0, ["a", "b"])]);
  const results = await settled(here);
  expect(results.map((result) => result.seq)).toEqual([1, 2]);
  expect(results.map(valueOf)).toEqual([57, "ab"]);
  expect(here.batches.length).toBe(1);
});

test("a finished result does not wait for a slow job, nor longer than 8 ms", async () => {
  const here = bench();
  const jobs = [1, 2, 3, 4, 5, 6, 7].map((seq) => job(seq, 0, [seq < 4 ? 0.9 : 5]));
  run(here, ["function weevil_main(ms) { clock.ms += ms }"], jobs);
  await settled(here);
  expect(here.batches.map((batch) => batch.map((result) => result.seq))).toEqual([[1, 2, 3, 4], [5], [6], [7]]);
});

test("many small results travel in batches of 256, large ones earlier", async () => {
  const here = bench();
  run(
    here,
    ["function weevil_main(n) { return n }"],
    Array.from({ length: 600 }, (_, seq) => job(seq, 0, [seq])),
  );
  await settled(here);
  expect(here.batches.map((batch) => batch.length)).toEqual([256, 256, 88]);
  const large = bench();
  const jobs = [1, 2, 3, 4].map((seq) => job(seq, 0, [600_000]));
  run(large, ["function weevil_main(n) { return new Uint8Array(n) }"], jobs, 1e6);
  await settled(large);
  expect(large.batches.map((batch) => batch.length)).toEqual([2, 2]);
  expect(large.transfers[0]?.length).toBe(2);
});

test("asynchronous jobs are awaited, one at a time, and timed to their end", async () => {
  const here = bench();
  const text = `async function weevil_main(n) {
    if (n < 0) throw new TypeError("negative");
    await null; clock.ms += 20; return n;
  }`;
  run(here, [text], [job(1, 0, [1]), job(2, 0, [-1])]);
  run(here, [], [job(3, 0, [3])]);
  const results = await settled(here);
  expect(results.map((result) => result.seq)).toEqual([1, 2, 3]);
  expect(results.map((result) => result.computeUs)).toEqual([20000, 0, 20000]);
  expect(results[1]?.error?.message).toBe("TypeError: negative");
});

test("flops and compute time belong to their own job", async () => {
  const here = bench();
  const text = "function weevil_main(n) { weevil.flops(n); weevil.flops('no'); weevil.flops(1); clock.ms += n }";
  run(here, [text], [job(1, 0, [10]), job(2, 0, [-1]), job(3, 0, [2])]);
  const results = await settled(here);
  expect(results.map((result) => result.flops)).toEqual([11, 1, 3]);
  expect(results[2]?.computeUs).toBe(2000);
});

test("progress is told of the job that runs, each from its own start", async () => {
  const here = bench();
  const text = "function weevil_main(n) { weevil.progress(n); if (n > 0.5) throw n; weevil.progress(1) }";
  run(here, [text], [job(1, 0, [0]), job(2, 0, [0.75]), job(3, 0, [0.5])]);
  await settled(here);
  expect(here.told).toEqual([
    [1, 0],
    [1, 1],
    [2, 0.75],
    [3, 0.5],
    [3, 1],
  ]);
});

test("the seed alone decides what a job draws", async () => {
  const here = bench();
  const text = "var table = draw(); function weevil_main() { return [table, draw(), draw()] }";
  run(here, [text], [job(1, 0, [], [5, 6]), job(2, 0, [], [7, 8]), job(3, 0, [], [5, 6])]);
  const [first, second, third] = (await settled(here)).map(valueOf);
  expect(third).toEqual(first);
  expect(second).not.toEqual(first);
  const { next } = seeded(5, 6);
  expect((first as number[]).slice(1)).toEqual([next(), next()]);
});

test("every kind of error, and the loop goes on", async () => {
  const here = bench();
  const texts = [
    "function weevil_main() { throw new RangeError('too far') }",
    "function weevil_main() { return { a: [1, function () {}] } }",
    "function weevil_main() { return 'x'.repeat(2000) }",
    "function main() {}",
    "function weevil_main(",
    "function weevil_main() { throw 'just text' }",
    "function weevil_main() { throw undefined }",
    "function weevil_main() { throw { get message() { throw 1 } } }",
    "function weevil_main() { throw new Error('y'.repeat(9000)) }",
    "function weevil_main() { return { get a() { throw new Error('getter') } } }",
    "function weevil_main() { return weevil_main() }",
    "function weevil_main() { return 'fine' }",
  ];
  run(
    here,
    texts,
    texts.map((_, code) => job(code, code)),
  );
  const results = await settled(here);
  expect(results.map((result) => [result.error?.kind, result.error?.message.slice(0, 60)])).toEqual([
    ["thrown", "RangeError: too far"],
    ["notAValue", "result.a[1] is a function, which cannot be sent"],
    ["tooLarge", "the result has at least 2000 bytes; at most 1000 are allowed"],
    ["noMain", "Code3.js defines no function `weevil_main`"],
    ["syntax", expect.stringMatching(/^Code4\.js: SyntaxError/)],
    ["thrown", "just text"],
    ["thrown", "undefined"],
    ["thrown", "something that cannot be shown as text"],
    ["thrown", "y".repeat(60)],
    ["thrown", "getter"],
    ["thrown", "RangeError: Maximum call stack size exceeded"],
    [undefined, undefined],
  ]);
  expect(results[0]?.error?.stack).toContain("Code0.js:1:");
  expect(results[8]?.error?.message.length).toBe(4000);
  expect(results[8]?.error?.stack.length).toBeLessThanOrEqual(4000);
});

test("input that is no list of arguments, and code that never came", async () => {
  const here = bench();
  const broken = { ...job(1, 0), input: new Uint8Array([0x82, 0x01]) };
  const number = { ...job(2, 0), input: new Uint8Array([0x01]) };
  run(here, ["function weevil_main() {}"], [broken, number, job(3, 9)]);
  const results = await settled(here);
  expect(results.map((result) => result.error?.kind)).toEqual(["notAValue", "notAValue", "noMain"]);
  expect(results[0]?.error?.message).toBe("the job's input cannot be unpacked: a container that ends too early");
});

test("rests come before the next job, after the results, and are told", async () => {
  const here = bench();
  here.loop.command({ kind: "duty", percent: 25 });
  run(here, ["function weevil_main(ms) { clock.ms += ms }"], [job(1, 0, [100]), job(2, 0, [5]), job(3, 0, [5]), job(4, 0, [1])]);
  await settled(here);
  expect(here.rests).toEqual([300, 30]);
  expect(here.clock.ms).toBe(111 + 330);
  expect(here.batches.map((batch) => batch.map((result) => result.seq))).toEqual([[1], [2], [3], [4]]);
});

test.each([10, 25, 50, 75])("%i %% of the time with jobs of 20 and of 300 ms", async (percent) => {
  for (const ms of [20, 300]) {
    const here = bench();
    here.loop.command({ kind: "duty", percent });
    run(
      here,
      ["function weevil_main(ms) { clock.ms += ms }"],
      Array.from({ length: 50 }, (_, seq) => job(seq, 0, [ms])),
    );
    await settled(here);
    // The rest after the last job is still owed.
    const share = (100 * 49 * ms) / (here.clock.ms - ms);
    expect(Math.abs(share / percent - 1), `${ms} ms: ${share} %`).toBeLessThan(0.05);
  }
});

test("another duty is heard while it rests", async () => {
  const here = bench();
  const { loop, clock } = here;
  loop.command({ kind: "duty", percent: 10 });
  run(here, ["function weevil_main(ms) { clock.ms += ms }"], [job(1, 0, [1000]), job(2, 0, [1000])]);
  loop.command({ kind: "duty", percent: 100 });
  await settled(here);
  expect(clock.ms).toBe(2100);
});

test("lines go out at once, each with its job, also where a script is loaded or fails", async () => {
  const here = bench();
  const text = `weevil.log("loaded");
  async function weevil_main(n) { weevil.log("n", n); await null; if (n > 1) { weevil.log([n]); throw n } }`;
  run(here, [text, "weevil.log('no main')"], [job(1, 0, [1]), job(2, 0, [2]), job(3, 1)]);
  expect(here.said, "before the first job has ended").toEqual([
    [1, "loaded"],
    [1, "n 1"],
  ]);
  await settled(here);
  expect(here.said.slice(2)).toEqual([
    [2, "n 2"],
    [2, "[2]"],
    [3, "no main"],
  ]);
});

/** A realm that is loose or not, and settles as it is told. */
function around(
  loose: boolean,
  settles = true,
): Pick<Stillness, "loose" | "loosen" | "reads" | "begin" | "hold" | "settle"> & { loose: boolean } {
  const still = {
    loose,
    loosen: (): void => void (still.loose = true),
    reads: () => undefined,
    begin: () => undefined,
    hold: () => undefined,
    settle: () => Promise.resolve(settles),
  };
  return still;
}

interface Told {
  readonly reports: SlotReport[];
  readonly loop: Loop;
}

function told(host: Partial<Host>): Told {
  const reports: SlotReport[] = [];
  const post = (report: SlotReport): void => void reports.push(report);
  const [random, flops] = [seeded(), new FlopCounter()];
  const progress = new ProgressMeter(
    () => 0,
    () => undefined,
  );
  return { reports, loop: new Loop({ post, now: () => 0, sleep: () => Promise.resolve(), ...host }, random, flops, progress) };
}

const shape = (reports: readonly SlotReport[]): unknown[] =>
  reports.map((report) =>
    report.kind === "results" ? [...report.results].map(({ seq, loose }) => [seq, loose]) : [report.kind, "seq" in report && report.seq],
  );

test.each([
  [
    "a still realm goes on at once",
    around(false),
    "1",
    [
      [
        [1, undefined],
        [2, undefined],
      ],
    ],
  ],
  ["a loose one is quiet between two jobs", around(true), "1", [[[1, true]], ["quiet", 1], [[2, true]], ["quiet", 2]]],
  ["what does not come to an end is left", around(true, false), "1", [[[1, true]], ["left", 1]]],
  [
    "a value with a then loosens",
    around(false),
    "{ then: function (ok) { ok(1) } }",
    [[[1, true]], ["quiet", 1], [[2, true]], ["quiet", 2]],
  ],
])("%s", async (_, still, value, expected) => {
  const { reports, loop } = told({ still });
  loop.command({ kind: "code", code: 0, source: "Code.js", codeKind: "javascript", text: `function weevil_main() { return ${value} }` });
  loop.command({ kind: "jobs", jobs: [job(1, 0), job(2, 0)], maxValueBytes: MAX_BYTES });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(shape(reports)).toEqual(expected);
});

test("a frozen realm runs its script anew for each job, and is left when it is not what it was", async () => {
  let restored = 0;
  const { reports, loop } = told({ frozen: { restore: () => ++restored < 2 } });
  const text = "var count = 0; function weevil_main() { return ++count }";
  loop.command({ kind: "code", code: 0, source: "Code.js", codeKind: "javascript", text });
  loop.command({ kind: "jobs", jobs: [job(1, 0), job(2, 0), job(3, 0)], maxValueBytes: MAX_BYTES });
  await new Promise((resolve) => setTimeout(resolve, 5));
  const values = reports.flatMap((report) => (report.kind === "results" ? [...report.results].map(valueOf) : []));
  expect(values).toEqual([1, 1]);
  expect(shape(reports).at(-1)).toEqual(["left", 2]);
});

test("reports have no prototype, and what is not a command's own is not in it", async () => {
  const { reports, loop } = told({});
  const forged = ["value", "error", "loose", "kernels", "module", "gpu", "deterministic"];
  for (const name of forged)
    Object.defineProperty(
      Object.prototype,
      name,
      Object.assign(Object.create(null), { configurable: true, get: () => new Uint8Array([1]) }),
    );
  try {
    loop.command(
      Object.assign(Object.create(null) as SlotCommand, {
        kind: "code",
        code: 0,
        source: "Code.js",
        codeKind: "javascript",
        text: "function weevil_main() { throw new RangeError('mine') }",
      }),
    );
    loop.command({ kind: "jobs", jobs: [job(1, 0)], maxValueBytes: MAX_BYTES });
  } finally {
    for (const name of forged) Reflect.deleteProperty(Object.prototype, name);
  }
  const [report] = reports;
  const [result] = report?.kind === "results" ? [...report.results] : [];
  expect([report, result].map((told) => Object.getPrototypeOf(told))).toEqual([null, null]);
  expect(Object.keys(result as object)).toEqual(["seq", "error", "computeUs", "flops"]);
});
