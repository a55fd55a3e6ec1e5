/** Words of how far a device is believed. */

import type { DeviceRank } from "../../api/types.gen.ts";

/** What each rank means, in the order in which people are shown them. */
export const RANKS: readonly (readonly [DeviceRank, string])[] = [
  ["newcomer", "Its answers are compared, and have no say yet."],
  ["established", "Ten of its answers were confirmed: it may vouch for others."],
  ["trusted", "Somebody in charge has marked it: what it says is believed at once."],
];

/** A rank with what it means. */
export function rankText(rank: DeviceRank): string {
  return `${rank}: ${rankMeaning(rank)}`;
}

export function rankMeaning(rank: DeviceRank): string {
  return RANKS.find(([word]) => word === rank)?.[1] ?? "";
}
