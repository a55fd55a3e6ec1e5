/** Suspend and replay without a GPU: order, other ways, errors, recovery, limits. */

import { expect, test } from "vitest";
import { MAX_REPLAYS, MAX_STEPS, Replay, Suspended } from "./replay.ts";

const never = (): Promise<boolean> => Promise.resolve(false);

interface Scene {
  readonly replay: Replay;
  readonly log: string[];
  readonly later: (what: string) => void;
  readonly now: (what: string) => unknown;
}

function scene(): Scene {
  const replay = new Replay();
  const log: string[] = [];
  const done = (what: string) => () => () => {
    log.push(what);
    return `${what} done`;
  };
  const later = (what: string): void => {
    replay.later(what, () => () => void log.push(what));
  };
  return { replay, log, later, now: (what) => replay.now(what, done(what)) };
}

test("steps are carried out once and in order, the function is called until it need not wait", async () => {
  const { replay, log, later, now } = scene();
  let calls = 0;
  const value = await replay.run(() => {
    calls += 1;
    later("write");
    const first = now("read");
    later("run");
    return [first, now("read again")];
  }, never);
  expect(value).toEqual(["read done", "read again done"]);
  expect(log).toEqual(["write", "read", "run", "read again"]);
  expect(calls).toBe(3);
});

test("another way is an error that names both", async () => {
  const { replay, now } = scene();
  let calls = 0;
  const run = replay.run(() => now(`read ${calls++}`), never);
  await expect(run).rejects.toThrow("call 1 was read 0 and is now read 1");
});

test("a job that catches the signal waits all the same", async () => {
  const { replay, now, later } = scene();
  const caught: unknown[] = [];
  const value = await replay.run(() => {
    try {
      now("read");
    } catch (thrown) {
      caught.push(thrown);
      expect(() => {
        later("more");
      }).toThrow();
      return "too early";
    }
    return "after";
  }, never);
  expect(value).toBe("after");
  expect(caught).toEqual([expect.any(Suspended)]);
});

test("an error comes where it happened, and at the end where nobody was there", async () => {
  const { replay, now } = scene();
  const fail = () => () => Promise.reject(new Error("no memory"));
  const heard = replay.run(() => {
    try {
      replay.now("build", fail);
    } catch (thrown) {
      if (thrown instanceof Suspended) throw thrown;
      return (thrown as Error).message;
    }
    return now("never");
  }, never);
  expect(await heard).toBe("no memory");
  const unheard = replay.run(() => {
    replay.later("run", fail);
    return 1;
  }, never);
  await expect(unheard).rejects.toThrow("no memory");
});

test("after a loss everything is carried out again, and reads keep what they read", async () => {
  const { replay, log, later, now } = scene();
  let lost = 0;
  const value = await replay.run(
    () => {
      later("write");
      const read = now("read");
      replay.later("run", () => () => {
        if (lost++ === 0) throw new Error("lost");
        log.push("run");
      });
      return read;
    },
    () => Promise.resolve(lost === 1),
  );
  expect(value).toBe("read done");
  expect(log).toEqual(["write", "read", "write", "run"]);
});

test("steps and waits are bounded", async () => {
  const { replay, later, now } = scene();
  const many = replay.run(() => {
    for (let at = 0; at <= MAX_STEPS; at++) later("write");
  }, never);
  await expect(many).rejects.toThrow(`more than ${MAX_STEPS} calls`);
  let turns = 0;
  const waits = replay.run(() => {
    turns += 1;
    for (let at = 0; at < turns; at++) now("read");
  }, never);
  await expect(waits).rejects.toThrow(`more than ${MAX_REPLAYS} times`);
});
