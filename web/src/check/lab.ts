/**
 * Real job workers in the real sandbox, for the probes: opens them, gives them jobs, hears what they say.
 *
 * Owns the frame and the numbers of slots. Trusts nothing that comes back: what is no report of a job that was given
 * is kept as strange.
 */

import type { SlotCommand, SlotError, SlotReport, SlotResult } from "../api/types.gen.ts";
import { SandboxFrame } from "../volunteer/frame.ts";
import { decode } from "../volunteer/job/cbor-decode.ts";
import { Encoder } from "../volunteer/job/cbor-encode.ts";

export type Ending = { readonly value: unknown } | { readonly error: SlotError };

const MAX_VALUE_BYTES = 1 << 20;
/** A job that has not ended by then never will. */
const PATIENCE_MS = 10_000;

type Pending = (ending: Ending) => void;

export class Lab {
  private readonly frame = new SandboxFrame(() => undefined);
  private slots = 0;

  /** A job worker of its own, once it is ready. */
  async open(): Promise<JobWorker> {
    const slot = this.slots++;
    const port = this.frame.open(slot, 1);
    const worker = new JobWorker(port, () => {
      this.frame.close(slot, 1);
    });
    await within(worker.ready, "a job worker did not start");
    return worker;
  }

  /** Ends every job worker. */
  close(): void {
    this.frame.remove();
  }

  /** Runs one job in a job worker that nothing else uses. */
  async runAlone(text: string, ...args: unknown[]): Promise<Ending> {
    const worker = await this.open();
    try {
      return await worker.run(text, ...args);
    } finally {
      worker.close();
    }
  }
}

export class JobWorker {
  readonly ready: Promise<void>;
  /** Messages that answer no job, as text. */
  readonly strange: string[] = [];
  private readonly port: MessagePort;
  private readonly end: () => void;
  private readonly pending = new Map<number, Pending>();
  private sent = 0;

  constructor(port: MessagePort, end: () => void) {
    this.port = port;
    this.end = end;
    this.ready = new Promise((resolve) => {
      port.onmessage = ({ data }: MessageEvent<SlotReport>) => {
        if (data.kind === "ready") resolve();
        else if (data.kind === "results") for (const result of data.results) this.ended(result);
        else if (data.kind === "quiet" || data.kind === "left") this.settled(data.seq);
        else if ("seq" in data && !this.pending.has(data.seq)) this.strange.push(JSON.stringify(data));
      };
    });
  }

  /** Runs job code with these arguments. */
  run(text: string, ...args: unknown[]): Promise<Ending> {
    const seq = this.sent++;
    const input = new Encoder().encode(args, MAX_VALUE_BYTES);
    const ending = new Promise<Ending>((resolve) => this.pending.set(seq, resolve));
    this.send({ kind: "code", code: seq, source: "probe.js", codeKind: "javascript", text });
    this.send({ kind: "jobs", jobs: [{ seq, code: seq, input, seed: [0, 0] }], maxValueBytes: MAX_VALUE_BYTES });
    return within(ending, "the job did not end");
  }

  close(): void {
    this.port.close();
    this.end();
  }

  private send(command: SlotCommand): void {
    this.port.postMessage(command);
  }

  /** After its result a job may be told to be over, or not to be. */
  private settled(seq: number): void {
    if (seq >= this.sent || this.pending.has(seq)) this.strange.push(`news of job ${seq}`);
  }

  private ended({ seq, value, error }: SlotResult): void {
    const resolve = this.pending.get(seq);
    if (resolve === undefined) {
      this.strange.push(`a result for job ${seq}`);
      return;
    }
    this.pending.delete(seq);
    resolve(error === undefined && value !== undefined ? { value: decode(value) } : { error: error as SlotError });
  }
}

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, PATIENCE_MS, new Error(what));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The value of a job that must end well. */
export function valueOf(ending: Ending): unknown {
  if ("value" in ending) return ending.value;
  throw new Error(ending.error.message);
}
