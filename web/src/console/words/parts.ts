/** Words of the parts that many pages show. */

import { count, counted } from "./format.ts";

export const PARTS = {
  showPassword: "Show the password",
  copy: "Copy",
  copiedOnce: "Copied.",
  selected: "Selected: copy it with the keyboard.",
  copyId: "Copy the id",
  copyCommand: "Copy the command",
  copied: "Copied",
  refused: "The browser did not let it be copied",
  loading: "Loading…",
  retry: "Try again",
  notLoaded:
    "This part of the page did not come: the server cannot be reached, or is another release now. Try again, or load the page anew.",
  request: (id: string) => `Request ${id}.`,
  asOf: (age: string) => `What is shown was asked ${age}.`,
  pause: (paused: boolean, what: string) => (paused ? `Resume ${what}` : `Pause ${what}…`),
  resuming: "Resuming…",
  noted: { note: "Note", no: "Leave it" },
  pausing: {
    title: { run: "Pause this run?", queue: "Pause the whole queue?" },
    means: {
      run: "Nothing of it is handed out until somebody resumes it. What workers hold goes on.",
      queue: "Nothing at all is handed out, of any run, until somebody resumes it. What workers hold goes on.",
    },
    hint: {
      run: "Everybody who sees the run reads it; no worker is told it.",
      queue: "Everybody who sees the queue reads it; no worker is told it.",
    },
    submit: "Pause",
    busy: "Pausing…",
  },
  cancel: {
    button: (what: string) => `Cancel ${what}…`,
    busy: "Cancelling…",
    title: (what: string) => `Cancel this ${what}?`,
    no: (what: string) => `Keep the ${what}`,
    yes: (what: string) => `Cancel the ${what}`,
  },
  more: "Show more",
  moreOf: (left: number) => `Show more of ${count(left)} that are left`,
  jobsDone: "Jobs done",
  jobsOf: (name: string) => `Jobs of ${name}`,
  sort: "Sorted by",
  clear: "Clear the filter",
  nothingFits: (noun: string) => `No ${noun} fits`,
  nothingFitsWords: "The filter leaves none of them.",
  /** How many are listed. */
  shown: (number: number, noun: string) => `${counted(number, noun)} shown`,
  /** The same where the server may have more. */
  listed: (number: number, more: boolean, noun: string, nouns?: string) =>
    `${counted(number, noun, nouns)} shown${more ? ", there are more" : ""}`,
  /** How many of them fit a filter. */
  fitting: (number: number, all: number, noun: string, nouns?: string) => `${count(number)} of ${counted(all, noun, nouns)}`,
  /** The same of those that are listed, where the server may have more. */
  fittingSome: (number: number, all: number, more: boolean, noun: string) =>
    more ? `${count(number)} of the first ${counted(all, noun)}` : `${count(number)} of ${counted(all, noun)}`,
} as const;

/** How a sentence begins about something that is paused; who has paused it is not always known. */
export function pausedBegin(since: string, by?: string): string {
  return by === undefined ? `Paused since ${since}` : `Paused since ${since} by ${by}`;
}

/** A person's note behind a sentence; nothing where there is none. */
export function noted(note = ""): string {
  return note === "" ? "" : ` Note: ${note}`;
}
