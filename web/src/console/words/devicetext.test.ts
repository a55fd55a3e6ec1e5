/** What the console says of devices. */

import { expect, test } from "vitest";
import type { DeviceView } from "../../api/types.gen.ts";
import { DEVICES, deviceFacts, presence, rankTone, restText } from "./devicetext.ts";
import { RANKS, rankMeaning, rankText } from "./ranks.ts";

const NOW = new Date(2026, 0, 6, 12, 0).getTime();
const HOUR = 3_600_000;

const DEVICE: DeviceView = {
  device: "3f2a91c0",
  rank: "newcomer",
  trusted: false,
  passes: 0,
  refuted: 0,
  restsUntil: null,
  confirmed: 0,
  confirmedMs: 0,
  waiting: 0,
  accepted: 0,
  firstSeen: null,
  lastSeen: null,
  connected: false,
};

test("each rank says what it means", () => {
  for (const [rank, meaning] of RANKS) {
    expect(rankMeaning(rank)).toBe(meaning);
    expect(rankText(rank)).toBe(`${rank}: ${meaning}`);
  }
});

test.each<readonly [Partial<DeviceView>, string]>([
  [{ rank: "newcomer" }, "plain"],
  [{ rank: "established" }, "good"],
  [{ rank: "trusted" }, "good"],
  [{ rank: "newcomer", restsUntil: NOW + HOUR }, "bad"],
])("%o has the tone %s", (device, tone) => {
  expect(rankTone({ ...DEVICE, ...device })).toBe(tone);
});

test.each<readonly [Partial<DeviceView>, string]>([
  [{}, "0 passes, 0 confirmed, 0 waiting"],
  [{ passes: 1, waiting: 3 }, "1 pass, 0 confirmed, 3 waiting"],
  [{ passes: 1200, confirmed: 1300, confirmedMs: 245_000 }, "1,200 passes, 1,300 confirmed (4 min 05 s), 0 waiting"],
  [{ refuted: 1 }, "0 passes, 0 confirmed, 0 waiting, found wrong once"],
  [{ refuted: 2 }, "0 passes, 0 confirmed, 0 waiting, found wrong twice"],
  [{ refuted: 3 }, "0 passes, 0 confirmed, 0 waiting, found wrong 3 times"],
])("%o: %s", (device, text) => {
  expect(deviceFacts({ ...DEVICE, ...device })).toBe(text);
});

test("a rest says until when, and that it ends", () => {
  expect(restText(DEVICE, NOW)).toBe("");
  expect(restText({ restsUntil: NOW + HOUR }, NOW)).toContain("It begins anew then.");
});

test.each<readonly [Partial<DeviceView>, string]>([
  [{}, "Not connected"],
  [{ connected: true }, "Connected"],
  [{ connected: true, firstSeen: NOW - HOUR, lastSeen: NOW, accepted: 1 }, "Connected; known since"],
  [{ firstSeen: NOW - HOUR, lastSeen: NOW - HOUR, accepted: 7 }, "Last seen"],
])("%o is shown as %s", (device, text) => {
  expect(presence({ ...DEVICE, ...device }, NOW)).toContain(text);
});

test("devices are asked for with their rank", () => {
  expect([DEVICES.listCommand(""), DEVICES.listCommand("trusted")]).toEqual(["weevil devices", "weevil devices --rank trusted"]);
});
