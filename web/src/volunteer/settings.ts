/** What the page's address asks for. Never starts anything. */

import { type Budget, MAX_SLOTS, MIN_DUTY } from "./choices.ts";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

export interface Autostart extends Partial<Budget> {
  /** From `&gpu=1`. */
  readonly gpu: boolean;
}

/**
 * What `?autostart` asks for, with `&slots=N`, `&duty=N` and `&gpu=1`; not remembered. Only a page on this very machine may start
 * without a click: a script that opens it decides for itself, so it has no budget shared with other tabs and no pauses.
 */
export function autostart(address: { readonly hostname: string; readonly search: string }): Autostart | undefined {
  const asked = new URLSearchParams(address.search);
  if (!asked.has("autostart") || !LOCAL_HOSTS.includes(address.hostname)) return undefined;
  const slots = wholeNumber(asked.get("slots"), 1, MAX_SLOTS);
  const duty = wholeNumber(asked.get("duty"), MIN_DUTY, 100);
  return { ...(slots === undefined ? {} : { slots }), duty: duty ?? 100, gpu: asked.get("gpu") === "1" };
}

function wholeNumber(text: string | null, least: number, most: number): number | undefined {
  if (text === null || !/^\d{1,4}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= 1 ? Math.min(Math.max(number, least), most) : undefined;
}
