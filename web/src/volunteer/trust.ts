/**
 * A token in the page's address that makes this browser's device trusted: `#trust=wvt_..`.
 *
 * A fragment is never sent to a server, and this one stands in the address for a moment only. The token is kept in memory until
 * it was shown once, and nowhere else.
 */

import type { Signed } from "./device.ts";

/** From the page to its coordinator, before any command. */
export interface TrustCommand {
  readonly kind: "trust";
  readonly token: string;
}

const BEGIN = "#trust=";

/** Takes the token off the address; `undefined` where it has none. */
export function takeToken(
  address: { readonly hash: string; readonly pathname: string; readonly search: string },
  replace: (address: string) => void,
): string | undefined {
  if (!address.hash.startsWith(BEGIN)) return undefined;
  replace(`${address.pathname}${address.search}`);
  return address.hash.slice(BEGIN.length);
}

/** Shows a token once, with the next identity. */
export class Shown {
  private token: string | undefined;

  set(token: string): void {
    this.token = token;
  }

  /** A browser without a key cannot be trusted: what it shows is refused in words, so that nobody thinks that it is. */
  with(signed: Signed | undefined): (Signed & { readonly token?: string }) | undefined {
    const { token } = this;
    if (token === undefined) return signed;
    this.token = undefined;
    return { ...(signed ?? { p256: false, key: new Uint8Array(), signature: new Uint8Array() }), token };
  }
}
