/** Words of new workflows and of drafts, as the page of all workflows shows them. */

export const NEW_WORKFLOW = {
  open: "New workflow…",
  title: "New workflow",
  name: "Name",
  start: "Begin with",
  empty: "an empty one",
  emptyWords: "A value and a job that doubles it.",
  go: "Edit it",
  close: "Close",
} as const;

export const DRAFTS = {
  title: "Drafts in this browser",
  editLabel: (name: string) => `Edit the draft of ${name}`,
  forget: "Throw away",
  forgetLabel: (name: string) => `Throw the draft of ${name} away`,
} as const;
