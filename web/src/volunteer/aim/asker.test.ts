/** When the server is asked what the work is for, and what is kept of its answers. */

import { expect, test } from "vitest";
import type { AimView } from "../../api/types.gen.ts";
import { Asker, EVERY_MS, type Now, SELDOM_MS, SOON_MS } from "./asker.ts";

const WORKING: Now = { state: "working", workflow: "aa", hidden: false };

function aim(done: number): AimView {
  return { name: "pi", done, total: 10 };
}

/** An asker with a clock, the questions that it has asked, and the answer to the next ones. */
function story() {
  const it = { now: 0, asked: [] as string[], answer: (): AimView | undefined => aim(1) };
  const ask = async (workflow: string): Promise<AimView | undefined> => {
    it.asked.push(workflow);
    return it.answer();
  };
  const asker = new Asker(ask, () => it.now);
  /** The answer comes with a later call. */
  const mind = async (now: Partial<Now> = {}): Promise<AimView | undefined> => {
    asker.mind({ ...WORKING, ...now });
    await Promise.resolve();
    await Promise.resolve();
    return asker.mind({ ...WORKING, ...now });
  };
  return { it, mind };
}

test("at once for a new workflow, then every ten seconds, in turns as well", async () => {
  const { it, mind } = story();
  expect(await mind()).toEqual(aim(1));
  it.now = EVERY_MS - 1;
  await mind();
  await mind({ workflow: "bb" });
  await mind();
  expect(it.asked).toEqual(["aa", "bb"]);
  it.now = EVERY_MS;
  it.answer = () => aim(2);
  expect(await mind()).toEqual(aim(2));
  expect(it.asked).toEqual(["aa", "bb", "aa"]);
});

test("a run that has only begun is asked for once more, soon", async () => {
  const { it, mind } = story();
  it.answer = () => aim(0);
  await mind();
  for (const [now, asked] of [
    [SOON_MS - 1, 1],
    [SOON_MS, 2],
    [2 * SOON_MS, 2],
    [SOON_MS + EVERY_MS, 3],
  ] as const) {
    it.now = now;
    await mind();
    expect([now, it.asked.length]).toEqual([now, asked]);
  }
});

test.each<Partial<Now>>([
  { hidden: true },
  { workflow: null },
  { state: "waiting" },
  { state: "paused" },
  { state: "connecting" },
  { state: "stopped" },
  { state: "elsewhere" },
])("nothing is asked: %o", async (now) => {
  const { it, mind } = story();
  expect(await mind(now)).toBeUndefined();
  expect(it.asked).toEqual([]);
});

test("what is known stays on a hidden page and between two jobs, until nobody runs it", async () => {
  const { it, mind } = story();
  await mind();
  it.now = 3 * EVERY_MS;
  it.answer = () => undefined;
  expect(await mind({ hidden: true })).toEqual(aim(1));
  expect(it.asked.length).toBe(1);
  expect(await mind({ state: "waiting" })).toBeUndefined();
  it.now *= 2;
  await mind({ state: "waiting" });
  expect(it.asked.length).toBe(2);
  await mind();
  expect(it.asked.length).toBe(3);
});

test("errors change nothing but the pace", async () => {
  const { it, mind } = story();
  await mind();
  it.answer = () => {
    throw new Error("away");
  };
  const pauses: number[] = [];
  for (let last = 0; pauses.length < 7;) {
    const count = it.asked.length;
    while (it.asked.length === count) {
      it.now += EVERY_MS;
      expect(await mind()).toEqual(aim(1));
    }
    pauses.push(it.now - last);
    last = it.now;
  }
  expect(pauses.map((pause) => pause / EVERY_MS)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  expect(Math.max(...pauses)).toBe(SELDOM_MS);
  it.answer = () => aim(5);
  it.now += SELDOM_MS;
  await mind();
  it.now += EVERY_MS;
  const count = it.asked.length;
  await mind();
  expect(it.asked.length).toBe(count + 1);
});
