/** Which commands follow from which wishes and reasons. */

import { expect, test } from "vitest";
import type { PageCommand } from "../api/types.gen.ts";
import { Session } from "./session.ts";

type Act = (session: Session) => unknown;

const pause: Act = (session) => session.pause();
const resume: Act = (session) => session.resume();
const battery: Act = (session) => session.mind("battery");
const hidden: Act = (session) => session.mind("hidden");
const ease: Act = (session) => session.mind(undefined);
const start: Act = (session) => session.start({ slots: 2, duty: 40 });

function play(acts: readonly Act[]): string[] {
  const kinds: string[] = [];
  const session = new Session({ origin: "ws://here", agent: "test" }, (command: PageCommand) => kinds.push(command.kind));
  for (const act of acts) act(session);
  return kinds;
}

test.each<readonly [string, readonly Act[], readonly string[]]>([
  ["the duty comes before the work", [start], ["setDuty", "start"]],
  ["nothing is said before the start", [battery, ease, pause, resume], []],
  ["on battery it starts paused", [battery, start, ease], ["setDuty", "start", "pause", "resume"]],
  ["one reason after another is one pause", [start, battery, hidden, ease], ["setDuty", "start", "pause", "resume"]],
  ["the volunteer's own pause outlasts a reason", [start, battery, pause, ease, resume], ["setDuty", "start", "pause", "resume"]],
  ["resume does not help against a reason", [start, pause, battery, resume, ease], ["setDuty", "start", "pause", "resume"]],
])("%s", (_, acts, kinds) => {
  expect(play(acts)).toEqual(kinds);
});

test("an end that was told before the start was heard is an old one", () => {
  const session = new Session({ origin: "ws://here", agent: "test" }, () => undefined);
  expect(session.hear("idle")).toBe(false);
  session.start({ slots: 1, duty: 100 });
  expect([session.hear("stopped"), session.running]).toEqual([false, true]);
  expect([session.hear("connecting"), session.hear("working"), session.running]).toEqual([true, true, true]);
  expect([session.hear("stopped"), session.running]).toEqual([true, false]);
  expect(session.hear("stopped")).toBe(false);
});
