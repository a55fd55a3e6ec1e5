/** What the page and the sandboxed frame say to each other. Types only. */

/** Page to frame. `open` brings the job worker's port as its transfer, `frozen` for a realm of deterministic jobs; `ask` is answered with `alive`. */
export type FrameCommand =
  | { readonly kind: "open"; readonly slot: number; readonly generation: number; readonly frozen: boolean }
  | { readonly kind: "close"; readonly slot: number; readonly generation: number }
  | { readonly kind: "ask" };

/** Frame to page. */
export type FrameReport =
  | { readonly kind: "ready" }
  | { readonly kind: "alive" }
  | { readonly kind: "crashed"; readonly slot: number; readonly generation: number; readonly message: string };
