/** Words around the reasons that the server says. */

import { counted } from "./format.ts";

export const WHY = {
  button: "Why?",
  /** What the button is called for those who do not see where it stands. */
  label: (of: string) => `Why? ${of}`,
  title: (of: string) => `Why: ${of}`,
  nothing: "Nothing keeps it: it has ended with a value.",
  nothingWaits: "No job is ready any more.",
  at: "At",
  /** Beside the nearest node that a reason holds for. */
  more: (nodes: number) => (nodes > 1 ? `and ${counted(nodes - 1, "node")} more` : ""),
  close: "Close",
} as const;
