/** When the sandboxed frame counts as dead. */

import { expect, test } from "vitest";
import { ASK_EVERY_MS, Pulse } from "./pulse.ts";

test("a frame that answers lives for ever", () => {
  const pulse = new Pulse();
  for (let ask = 0; ask < 100; ask++) {
    expect(pulse.ask(ask * ASK_EVERY_MS)).toBe(false);
    pulse.answered();
  }
});

test("silence is judged by questions and by time", () => {
  for (const [moments, expected] of [
    [[0, 2000, 4000], false],
    [[0, 2000, 4000, 6000], true],
    // A tab that thaws asks once and hears the answer before it asks again.
    [[0, 180_000, 182_000], false],
    [[0, 10, 20, 30, 40], false],
  ] as const) {
    const pulse = new Pulse();
    expect(moments.map((now) => pulse.ask(now)).at(-1)).toBe(expected);
  }
});
