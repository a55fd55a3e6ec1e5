/** What the console says of devices. Pure; every moment comes in as an argument. Comes with their list, not with the first view. */

import type { DeviceRank, DeviceView } from "../../api/types.gen.ts";
import { type Tone, age, clock, count, counted, duration } from "./format.ts";

export const DEVICES = {
  title: "Known devices",
  about: "A browser that computes has a key of its own, and is known by it. Nobody here knows whose it is.",
  show: "Show",
  all: "all",
  nothing: "No devices.",
  noun: "device",
  listCommand: (rank: DeviceRank | "") => `weevil devices${rank === "" ? "" : ` --rank ${rank}`}`,
  filter: "Filter devices",
  label: "Device",
  forgive: "Forgive",
  trust: "Trust",
  distrust: "Distrust",
  deedLabel: (deed: string, device: string) => `${deed} ${device}`,
  peek: { rank: "Believed", answers: "Answers", stands: "Stands", fingerprint: "Fingerprint" },
} as const;

export function rankTone({ rank, restsUntil }: Pick<DeviceView, "rank" | "restsUntil">): Tone {
  if (restsUntil !== null) return "bad";
  return rank === "newcomer" ? "plain" : "good";
}

type Facts = Pick<DeviceView, "passes" | "confirmed" | "confirmedMs" | "waiting" | "refuted">;

/** `10 passes, 212 confirmed (4 min 05 s), 3 waiting, found wrong twice`. */
export function deviceFacts({ passes, confirmed, confirmedMs, waiting, refuted }: Facts): string {
  const wrong = refuted === 0 ? [] : [`found wrong ${times(refuted)}`];
  const credit = `${count(confirmed)} confirmed${confirmed === 0 ? "" : ` (${duration(confirmedMs)})`}`;
  return [counted(passes, "pass", "passes"), credit, `${count(waiting)} waiting`, ...wrong].join(", ");
}

/** Until when it rests; empty where it does not. */
export function restText({ restsUntil }: Pick<DeviceView, "restsUntil">, now: number): string {
  return restsUntil === null ? "" : `Rests until ${clock(restsUntil, now, true)}: an answer of it differed. It begins anew then.`;
}

/** Whether it is here, and since when it is known. */
export function presence({ connected, firstSeen, lastSeen, accepted }: DeviceView, now: number): string {
  const here = connected ? "Connected" : lastSeen === null ? "Not connected" : `Last seen ${age(lastSeen, now)}`;
  if (firstSeen === null) return here;
  return `${here}; known since ${clock(firstSeen, now, true)}, ${counted(accepted, "value")} kept`;
}

function times(number: number): string {
  if (number === 1) return "once";
  return number === 2 ? "twice" : `${count(number)} times`;
}
