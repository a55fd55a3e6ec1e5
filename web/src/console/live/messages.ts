/** What a tab and the one that holds the stream for it say to each other. Types alone. */

import type { Refused } from "../../api/request.ts";

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** The next try is at `retryAt`, in milliseconds since 1970; `why` in the server's words. */
  | { readonly kind: "lost"; readonly retryAt: number; readonly why: string }
  | { readonly kind: "ending" };

/** What requests say of the session. */
export type Headers = Readonly<Record<string, string>>;

export type FromTab =
  /** All that it wants now. What is `fresh` begins with a snapshot. */
  | { readonly kind: "want"; readonly topics: readonly string[]; readonly fresh: readonly string[]; readonly headers: Headers }
  /** It is still there. */
  | { readonly kind: "here" }
  | { readonly kind: "gone" };

export type ToTab =
  | { readonly kind: "event"; readonly topic: string; readonly data: string }
  | { readonly kind: "connection"; readonly connection: Connection }
  /** An answer brought another key for the session. */
  | { readonly kind: "answered"; readonly key: string }
  /** `sent` is what was said of the session. */
  | { readonly kind: "refused"; readonly refused: Refused; readonly status: number; readonly sent: Headers };
