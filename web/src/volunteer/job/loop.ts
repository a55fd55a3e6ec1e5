/**
 * Runs the jobs of one slot in order and reports their results in batches.
 *
 * Owns the order, the clock around `weevil_main`, the reseeding before each job, when to report, and when to rest. Knows
 * the port only as `Host`. Never lets an error of a job end the loop.
 */

import type { CodeKind, SlotCommand, SlotError, SlotJob, SlotKernel, SlotReport, SlotResult } from "../../api/types.gen.ts";
import { decode } from "./cbor-decode.ts";
import { Encoder, TooLargeError } from "./cbor-encode.ts";
import { messageOf, resultError, slotError, thrownError } from "./errors.ts";
import type { FlopCounter } from "./flops.ts";
import { GpuJobs } from "./gpu-jobs.ts";
import { JobLog } from "./log.ts";
import { Pacer } from "./pacer.ts";
import { apply, bare, copyBytes, hasOwn, isArray, list, typedBuffer, typedLength } from "./primordials.ts";
import { type Program, compile } from "./program.ts";
import type { ProgressMeter } from "./progress.ts";
import type { Random } from "./random.ts";
import type { FrozenRealm } from "./realm/frozen.ts";
import type { Stillness } from "./realm/still.ts";
import { type Provided, compileModule } from "./wasm.ts";

export interface Host {
  readonly post: (report: SlotReport, transfer: Transferable[]) => void;
  /** Milliseconds. */
  readonly now: () => number;
  /** Resolves after that many milliseconds, or a little later. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Whether jobs can leave something behind; without it they cannot. */
  readonly still?: Pick<Stillness, "loose" | "loosen" | "reads" | "begin" | "hold" | "settle">;
  /** For a realm in which each job begins as if it were the first. */
  readonly frozen?: Pick<FrozenRealm, "restore">;
}

interface Code {
  readonly source: string;
  readonly codeKind: CodeKind;
  readonly text: string;
  module?: Uint8Array;
  kernels?: readonly SlotKernel[];
  program?: Program;
  /** How long the last job took; an unknown code may be slow. */
  lastMs: number;
}

interface Queued {
  readonly job: SlotJob;
  readonly maxBytes: number;
}

/** Results wait this long for company. */
const REPORT_MS = 8;
const REPORT_RESULTS = 256;
const REPORT_BYTES = 1 << 20;
/** Before a job that may take longer than this, finished results go out first. */
const SLOW_MS = 1;
/** Larger values change hands instead of being copied. */
const TRANSFER_BYTES = 1 << 16;
/** A rest is looked at anew this often: the volunteer may have chosen another duty. */
const NAP_MS = 100;

export class Loop {
  /** What jobs log. */
  readonly log: JobLog;
  private readonly host: Host;
  private readonly random: Random;
  private readonly flops: FlopCounter;
  private readonly progress: ProgressMeter;
  private readonly provided: Provided;
  private readonly gpu: GpuJobs;
  private readonly encoder = new Encoder();
  private readonly pacer = new Pacer();
  private readonly codes = list<Code | undefined>();
  private queue = list<Queued>();
  private head = 0;
  private running = false;
  /** What a job has left behind goes on: nothing begins here any more. */
  private over = false;
  private results = list<SlotResult>();
  private resultBytes = 0;
  private reportedAt: number;
  /** When the time began that the pacer has not heard of. */
  private countedAt: number;

  constructor(host: Host, random: Random, flops: FlopCounter, progress: ProgressMeter) {
    this.host = host;
    this.random = random;
    this.flops = flops;
    this.progress = progress;
    this.log = new JobLog((report) => {
      host.post(report, list());
    });
    this.provided = { progress: progress.tell, flops: flops.add, log: this.log };
    const lost = (): void => {
      host.post(bare({ kind: "gpuLost" }), list());
    };
    this.gpu = new GpuJobs({ lost, hold: (promise) => host.still?.hold(promise) });
    this.reportedAt = host.now();
    this.countedAt = this.reportedAt;
  }

  command(command: SlotCommand): void {
    if (command.kind === "code") {
      this.learn(command);
      return;
    }
    if (command.kind === "gpuDuty") {
      this.gpu.setDuty(command.percent / 100);
      return;
    }
    if (command.kind === "duty") {
      this.pacer.setDuty(command.percent);
      return;
    }
    const { jobs, maxValueBytes: maxBytes } = command;
    for (let index = 0; index < jobs.length; index++) {
      this.queue[this.queue.length] = { job: jobs[index] as SlotJob, maxBytes };
    }
    if (!this.running && !this.over) void this.drain();
  }

  /** What is not the command's own is not in it. */
  private learn(command: Extract<SlotCommand, { kind: "code" }>): void {
    const { code, source, codeKind, text } = command;
    const known: Code = bare({ source, codeKind, text, lastMs: Infinity });
    if (hasOwn(command, "module")) known.module = command.module as Uint8Array;
    if (hasOwn(command, "kernels")) known.kernels = command.kernels as readonly SlotKernel[];
    this.codes[code] = known;
    this.host.still?.reads(text);
    if (!hasOwn(command, "gpu")) return;
    this.host.still?.loosen();
    this.gpu.load(command.gpu as Uint8Array);
  }

  private async drain(): Promise<void> {
    this.running = true;
    this.pacer.rested(this.passed());
    while (this.head < this.queue.length) {
      this.pacer.worked(this.passed());
      if (this.pacer.due() > 0) await this.rest();
      const { job, maxBytes } = this.queue[this.head++] as Queued;
      const code = this.codes[job.code];
      if (code === undefined) {
        this.keep(failed(job.seq, slotError("noMain", `code ${job.code} was never sent`)));
        continue;
      }
      this.reportBefore(code);
      // Awaiting every job would cost more than a small one takes.
      this.host.still?.begin();
      const settled = code.kernels === undefined ? this.run(code, job, maxBytes) : this.runOnGpu(code, job, maxBytes);
      if (settled !== undefined) {
        this.report();
        await settled;
      }
      if (this.host.still?.loose === true) await this.quiet(job.seq);
      else if (this.host.frozen?.restore() === false) this.leave(job.seq);
      if (this.over) break;
    }
    this.queue = list();
    this.head = 0;
    this.running = false;
    this.pacer.worked(this.passed());
    this.report();
    this.tellDebt();
  }

  /** Whoever replaces this job worker while it has nothing to do keeps its rest. */
  private tellDebt(): void {
    const ms = this.pacer.due();
    if (ms > 0) this.host.post(bare({ kind: "rest", ms }), list());
  }

  /** After the job's result is out: tells whether nothing of the job is left. */
  private async quiet(seq: number): Promise<void> {
    this.report();
    const { still, frozen } = this.host;
    const isQuiet = (await still?.settle()) === true && frozen?.restore() !== false;
    if (isQuiet) this.host.post(bare({ kind: "quiet", seq }), list());
    else this.leave(seq);
  }

  /** The realm is not what it was: nothing begins here any more. */
  private leave(seq: number): void {
    this.over = true;
    this.report();
    this.host.post(bare({ kind: "left", seq }), list());
  }

  private async rest(): Promise<void> {
    this.report();
    let ms = this.pacer.due();
    this.host.post(bare({ kind: "rest", ms }), list());
    while (ms > 0) {
      await this.host.sleep(ms < NAP_MS ? ms : NAP_MS);
      this.pacer.rested(this.passed());
      ms = this.pacer.due();
    }
  }

  /** Milliseconds since the last call. */
  private passed(): number {
    const before = this.countedAt;
    this.countedAt = this.host.now();
    return this.countedAt - before;
  }

  /** A promise only where `weevil_main` gave one. */
  private run(code: Code, job: SlotJob, maxBytes: number): Promise<void> | undefined {
    // Before the script runs for the first time: it may log.
    this.log.begin(job.seq);
    const program = this.programOf(code);
    if ("error" in program) {
      this.keep(failed(job.seq, program.error));
      return undefined;
    }
    const { main, packed } = program;
    const args = packed ? [job.input] : argumentsOf(job.input);
    if (!isArray(args)) {
      this.keep(failed(job.seq, args as SlotError));
      return undefined;
    }
    this.random.reseed(job.seed[0], job.seed[1]);
    this.flops.take();
    this.progress.begin(job.seq);
    const start = this.host.now();
    try {
      const value = apply(main, globalThis, args);
      if (isThenable(value)) {
        this.host.still?.loosen();
        return this.settle(code, job, maxBytes, start, value);
      }
      this.ended(code, start, job.seq, value, maxBytes);
    } catch (thrown) {
      this.threw(code, start, job.seq, thrown);
    }
    return undefined;
  }

  /** Each attempt begins as the first one did: with the same seed, the same input and nothing counted. */
  private async runOnGpu(code: Code, job: SlotJob, maxBytes: number): Promise<void> {
    let start = this.host.now();
    this.log.begin(job.seq);
    try {
      if (this.host.frozen !== undefined) delete code.program;
      code.program ??= await this.gpu.program(code);
      const { program } = code;
      if ("error" in program) {
        this.keep(failed(job.seq, program.error));
        return;
      }
      start = this.host.now();
      const mark = this.log.mark();
      const value = await this.gpu.run(code.kernels ?? [], () => {
        this.log.replay(mark);
        this.random.reseed(job.seed[0], job.seed[1]);
        this.flops.take();
        this.progress.begin(job.seq);
        return apply(program.main, globalThis, decode(job.input) as unknown[]);
      });
      this.ended(code, start, job.seq, value, maxBytes);
    } catch (thrown) {
      this.threw(code, start, job.seq, thrown);
    }
  }

  private async settle(code: Code, job: SlotJob, maxBytes: number, start: number, value: PromiseLike<unknown>): Promise<void> {
    try {
      const settled = await value;
      this.ended(code, start, job.seq, settled, maxBytes);
    } catch (thrown) {
      this.threw(code, start, job.seq, thrown);
    }
  }

  private ended(code: Code, start: number, seq: number, value: unknown, maxBytes: number): void {
    const computeUs = this.elapsed(code, start);
    const flops = this.flops.take();
    try {
      const bytes = isPacked(code.program) ? owned(value as Uint8Array, maxBytes) : this.encoder.encode(value, maxBytes);
      this.resultBytes += bytes.length;
      this.keep(bare({ seq, value: bytes, computeUs, flops }));
    } catch (thrown) {
      this.keep(bare({ seq, error: resultError(thrown), computeUs, flops }));
    }
  }

  private threw(code: Code, start: number, seq: number, thrown: unknown): void {
    const computeUs = this.elapsed(code, start);
    this.keep(bare({ seq, error: thrownError(thrown), computeUs, flops: this.flops.take() }));
  }

  /** Microseconds since `start`. */
  private elapsed(code: Code, start: number): number {
    code.lastMs = this.host.now() - start;
    return code.lastMs * 1000;
  }

  /** Scripts run once, with a fixed seed: what they draw while loading must not depend on the job that came first. */
  private programOf(code: Code): Program {
    if (this.host.frozen !== undefined) delete code.program;
    if (code.program === undefined) {
      this.random.reseed(0, 0);
      code.program =
        code.codeKind === "wasm"
          ? compileModule(new Uint8Array(code.module ?? []), code.source, this.provided)
          : compile(code.text, code.source);
    }
    return code.program;
  }

  private keep(result: SlotResult): void {
    this.log.end();
    this.progress.end();
    if (this.host.still?.loose === true) result.loose = true;
    this.results[this.results.length] = result;
    if (this.results.length >= REPORT_RESULTS || this.resultBytes >= REPORT_BYTES) this.report();
  }

  private reportBefore(code: Code): void {
    if (this.results.length === 0) return;
    if (code.lastMs > SLOW_MS || this.host.now() - this.reportedAt > REPORT_MS) this.report();
  }

  private report(): void {
    this.reportedAt = this.host.now();
    if (this.results.length === 0) return;
    const { results } = this;
    this.results = list();
    this.resultBytes = 0;
    this.host.post(bare({ kind: "results", results }), transfersOf(results));
  }
}

function failed(seq: number, error: SlotError): SlotResult {
  return bare({ seq, error, computeUs: 0, flops: 0 });
}

function argumentsOf(input: Uint8Array): unknown[] | SlotError {
  try {
    const args = decode(input);
    return isArray(args) ? args : slotError("notAValue", "the job's input is not a list of arguments");
  } catch (thrown) {
    return slotError("notAValue", `the job's input cannot be unpacked: ${messageOf(thrown)}`);
  }
}

function isPacked(program: Program | undefined): boolean {
  return program !== undefined && "main" in program && program.packed;
}

/** A copy of bytes that are somebody else's. */
function owned(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw new TooLargeError(bytes.length, maxBytes);
  return copyBytes(bytes, 0, bytes.length);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as { then?: unknown }).then === "function";
}

function transfersOf(results: readonly SlotResult[]): Transferable[] {
  const buffers = list<Transferable>();
  for (let index = 0; index < results.length; index++) {
    const { value } = results[index] as SlotResult;
    if (value !== undefined && typedLength(value) > TRANSFER_BYTES) {
      buffers[buffers.length] = typedBuffer(value) as ArrayBuffer;
    }
  }
  return buffers;
}
