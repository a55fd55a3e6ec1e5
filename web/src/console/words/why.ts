/** Words around the reasons that the server says. */

import { counted } from "./format.ts";

export const WHY = {
  button: "Why?",
  /** What the button is called for those who do not see where it stands. */
  label: (of: string) => `Why? ${of}`,
  title: (of: string) => `Why: ${of}`,
  nothing: "Nothing keeps it: it has ended with a value.",
  nothingWaits: "No job is ready any more.",
  /** The nearest node that a reason holds for, and how many others it holds for. */
  at: "At {node}",
  atSeveral: "At {node} and {others} more",
  others: (nodes: number) => counted(nodes, "node"),
  close: "Close",
} as const;
