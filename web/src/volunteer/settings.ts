/**
 * What the volunteer chose, and what the address asks for. Owns the remembered number of slots; never starts anything.
 */

const SLOTS_KEY = "weevil.slots";
/** The same as `MAX_SLOTS` in crates/model/src/limits.rs. */
const MAX_SLOTS = 256;
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Half the cores, at least one. */
export function defaultSlots(cores: number): number {
  return Math.max(1, Math.floor(cores / 2));
}

/** The remembered number of slots, within what this machine has now. */
export function readSlots(storage: () => Storage, cores: number): number {
  const stored = remembered(storage);
  return stored === undefined ? defaultSlots(cores) : Math.min(stored, Math.max(1, cores));
}

/** Browsers with storage switched off throw on touching it: then the choice lasts as long as the page. */
export function rememberSlots(storage: () => Storage, slots: number): void {
  try {
    storage().setItem(SLOTS_KEY, String(slots));
  } catch {
    return;
  }
}

function remembered(storage: () => Storage): number | undefined {
  try {
    return wholeNumber(storage().getItem(SLOTS_KEY));
  } catch {
    return undefined;
  }
}

export interface Autostart {
  /** From `&slots=N`; not remembered. */
  readonly slots?: number;
}

/** What `?autostart` asks for; only a page on this very machine may start without a click. */
export function autostart(address: { readonly hostname: string; readonly search: string }): Autostart | undefined {
  const asked = new URLSearchParams(address.search);
  if (!asked.has("autostart") || !LOCAL_HOSTS.includes(address.hostname)) return undefined;
  const slots = wholeNumber(asked.get("slots"));
  return slots === undefined ? {} : { slots };
}

function wholeNumber(text: string | null): number | undefined {
  if (text === null || !/^\d{1,4}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= 1 ? Math.min(number, MAX_SLOTS) : undefined;
}
