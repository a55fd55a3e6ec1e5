/** Words of the parts that many pages show. */

import { counted } from "./format.ts";

export const PARTS = {
  copyId: "Copy the id",
  copyCommand: "Copy the command",
  copied: "Copied",
  refused: "The browser did not let it be copied",
  loading: "Loading…",
  retry: "Try again",
  request: (id: string) => `Request ${id}.`,
  asOf: (age: string) => `What is shown was asked ${age}.`,
  pause: (paused: boolean, what: string) => `${paused ? "Resume" : "Pause"} ${what}`,
  busy: (paused: boolean) => (paused ? "Resuming…" : "Pausing…"),
  cancel: {
    button: (what: string) => `Cancel ${what}…`,
    busy: "Cancelling…",
    title: (what: string) => `Cancel this ${what}?`,
    no: (what: string) => `Keep the ${what}`,
    yes: (what: string) => `Cancel the ${what}`,
  },
  more: "Show more",
  jobsDone: "Jobs done",
  jobsOf: (name: string) => `Jobs of ${name}`,
  clear: "Clear the filter",
  /** How many are listed. */
  shown: (number: number, noun: string) => `${counted(number, noun)} shown`,
} as const;
