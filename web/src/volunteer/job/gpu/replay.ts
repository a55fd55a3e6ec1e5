/**
 * Suspend and replay: synchronous calls over an asynchronous GPU.
 *
 * Each call of the job's that reaches the GPU is a step with a description. A blocking one ends the job's function by a
 * signal; its step and those before it are carried out, and the function is called again from the start. It finds what is
 * done already, and must ask for the same, step by step. Knows no GPU.
 */

/** Steps of one job; each blocking one is a further call of the job's function. */
export const MAX_STEPS = 10_000;
export const MAX_REPLAYS = 1000;

interface Step {
  readonly what: string;
  readonly carryOut: () => unknown;
  done: boolean;
  result?: unknown;
  error?: { readonly thrown: unknown; heard: boolean };
}

/** What ends the function of a job that has to wait. */
export class Suspended {
  readonly message = "the job waits for the GPU: let this pass, it is no error";
}

export class Replay {
  private readonly signal = new Suspended();
  private steps: Step[] = [];
  private at = 0;
  private suspended = false;

  /** Something that needs no answer now. */
  later(what: string, prepare: () => () => unknown): void {
    this.take(what, prepare);
  }

  /** Something whose answer the job needs: known, or the job is suspended. */
  now(what: string, prepare: () => () => unknown): unknown {
    const step = this.take(what, prepare);
    if (step.done) return step.result;
    this.suspended = true;
    throw this.signal;
  }

  /** Calls `attempt` until it ends without having to wait. `recover` answers whether what was thrown may be tried again. */
  async run(attempt: () => unknown, recover: (thrown: unknown) => Promise<boolean>): Promise<unknown> {
    this.steps = [];
    for (let call = 0; call <= MAX_REPLAYS; call++) {
      this.at = 0;
      this.suspended = false;
      const value = await this.call(attempt);
      await this.carryOut(recover);
      if (!this.suspended) return this.last(value);
    }
    throw new Error(`the job waited for the GPU more than ${MAX_REPLAYS} times`);
  }

  /** The signal is ours even where the job's code has caught it. */
  private async call(attempt: () => unknown): Promise<unknown> {
    try {
      return await attempt();
    } catch (thrown) {
      if (this.suspended) return undefined;
      throw thrown;
    }
  }

  private take(what: string, prepare: () => () => unknown): Step {
    if (this.suspended) throw this.signal;
    const known = this.steps[this.at++];
    if (known === undefined) return this.add(what, prepare());
    if (known.what !== what) throw new Error(otherWay(this.at, known.what, what));
    if (known.error === undefined) return known;
    known.error.heard = true;
    throw known.error.thrown;
  }

  private add(what: string, carryOut: () => unknown): Step {
    if (this.steps.length >= MAX_STEPS) throw new Error(`more than ${MAX_STEPS} calls to the GPU in one job`);
    const step = { what, carryOut, done: false };
    this.steps.push(step);
    return step;
  }

  private async carryOut(recover: (thrown: unknown) => Promise<boolean>): Promise<void> {
    for (let at = 0; at < this.steps.length; at++) {
      const step = this.steps[at] as Step;
      if (step.done) continue;
      try {
        // What has answered is not asked again after a recovery.
        step.result ??= await step.carryOut();
      } catch (thrown) {
        if (await recover(thrown)) {
          for (const again of this.steps.slice(0, at)) again.done = false;
          at = -1;
          continue;
        }
        step.error = { thrown, heard: false };
      }
      step.done = true;
    }
  }

  /** An error of a step that nobody waited for is the job's all the same. */
  private last(value: unknown): unknown {
    const failed = this.steps.find(({ error }) => error?.heard === false);
    if (failed?.error !== undefined) throw failed.error.thrown;
    return value;
  }
}

function otherWay(at: number, before: string, after: string): string {
  return (
    `the job took another way when it was run again after waiting for the GPU: call ${at} was ${before} and is now ` +
    `${after}. A job with WebCL must do the same each time: keep nothing in global variables and ask no clock.`
  );
}
