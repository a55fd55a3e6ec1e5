/**
 * The volunteer's consent: which version of the words on the card, and when. Kept in this browser only, read by nobody
 * else.
 */

/** Counts up whenever the meaning of the card changes: everybody is asked again. */
export const CONSENT_VERSION = 2;
const KEY = "weevil.consent";

/** `at` in milliseconds since the epoch. */
export type Consent =
  { readonly kind: "none" } | { readonly kind: "given"; readonly at: number } | { readonly kind: "changed"; readonly at: number };

export function consentOf(storage: () => Storage): Consent {
  try {
    const kept = JSON.parse(storage().getItem(KEY) ?? "null") as { version?: unknown; at?: unknown } | null;
    if (typeof kept?.version !== "number" || typeof kept.at !== "number") return { kind: "none" };
    return { kind: kept.version === CONSENT_VERSION ? "given" : "changed", at: kept.at };
  } catch {
    return { kind: "none" };
  }
}

/** Where storage is switched off the consent lasts as long as the page. */
export function rememberConsent(storage: () => Storage, at: number): void {
  try {
    storage().setItem(KEY, JSON.stringify({ version: CONSENT_VERSION, at }));
  } catch {
    return;
  }
}
