/** Answers for older texts are dropped, and a module that has trapped is started again. */

import { expect, test } from "vitest";
import { type Port, makeChecker } from "./checker.ts";
import type { Answered, Asked, Findings } from "./said.ts";

const FOUND: Findings = { checked: { refused: null, diagnostics: [], sound: true, unread: [] }, outline: null };

/** A port whose answers the test gives. */
function makePort() {
  const asked: Asked[] = [];
  const listeners: Record<string, (event: unknown) => void> = {};
  let ended = 0;
  const port = {
    postMessage: (message: Asked) => void asked.push(message),
    terminate: () => void (ended += 1),
    addEventListener: (kind: string, listener: (event: unknown) => void) => void (listeners[kind] = listener),
  } as unknown as Port;
  const say = (data: Answered): void => listeners["message"]?.({ data });
  const answer = (number: number, found: Findings | null): void => say({ number, answer: JSON.stringify(found) });
  const trap = (number: number): void => say({ number, answer: undefined });
  return { port, asked, answer, trap, fail: () => listeners["error"]?.({}), ended: () => ended };
}

test("an answer belongs to its question", async () => {
  const made = makePort();
  const checker = makeChecker(
    () => made.port,
    () => undefined,
  );
  const first = checker.check([], "a");
  const completion = checker.complete("a", 1, []);
  const second = checker.check([], "b");
  expect(await first).toBe(undefined);
  const [one, two, three] = made.asked.map(({ number }) => number);
  made.answer(one ?? 0, FOUND);
  made.answer(three ?? 0, FOUND);
  expect(await second).toEqual(FOUND);
  made.answer(two ?? 0, null);
  expect(await completion).toBe(null);
});

test.each(["an answer that says so", "an error"])("a trap, known by %s, starts the module again", async (how) => {
  const ports = [makePort(), makePort()];
  let [opened, trapped] = [0, 0];
  const checker = makeChecker(
    () => ports[opened++]!.port,
    () => (trapped += 1),
  );
  const asked = checker.check([], "a");
  if (how === "an error") ports[0]?.fail();
  else ports[0]?.trap(1);
  expect([await asked, trapped, ports[0]?.ended()]).toEqual([undefined, 1, 1]);
  const again = checker.check([], "a");
  ports[1]?.answer(ports[1].asked[0]?.number ?? 0, FOUND);
  expect([await again, opened]).toEqual([FOUND, 2]);
});

test("an end answers what waits", async () => {
  const made = makePort();
  const checker = makeChecker(
    () => made.port,
    () => undefined,
  );
  const asked = checker.check([], "a");
  checker.end();
  expect([await asked, made.ended()]).toEqual([undefined, 1]);
});
