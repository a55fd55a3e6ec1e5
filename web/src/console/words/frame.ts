/** Words of the frame around all pages. */

import { count } from "./format.ts";

export const FRAME = {
  skip: "Skip to the page",
  navigation: "Console",
  trail: "Where this is",
  places: {
    overview: "Overview",
    runs: "Runs",
    workflows: "Workflows",
    queue: "Queue",
    workers: "Workers",
    projects: "Projects",
    people: "People",
    audit: "Audit",
    me: "Me",
    docs: "Docs",
    settings: "Settings",
  },
  parts: { work: "Work", people: "People", rest: "Help" },
  more: "More",
  widen: "Show words in the side bar",
  narrow: "Show icons alone",
  project: "Project",
  archived: (name: string) => `${name} (archived)`,
  find: "Find or do",
  connecting: "connecting",
  live: "live",
  hold: "Hold this screen still",
  release: "Let news come again",
  /** The mark, and what a press on it does. */
  markLabel: (mark: string, deed: string) => `${mark}: ${deed}`,
  held: (missed: number) => (missed === 0 ? "held by you" : `held by you, ${count(missed)} new`),
  reconnecting: (seconds: number) => `reconnecting in ${count(seconds)} s`,
  ending: "the server is ending",
  lost: "The server cannot be reached. What is shown may be old.",
  back: "News come again.",
} as const;

export const PALETTE = {
  title: "Find or do",
  field: "A page, a run, a workflow, an id or an action",
  pages: "Pages",
  actions: "On this page",
  runs: "Runs",
  workflows: "Workflows",
  ids: "Ids",
  nothing: "Nothing is called so.",
  hint: "Arrows choose, Enter opens, Esc closes.",
  open: (what: string) => `Open ${what}`,
  theme: { light: "Light theme", dark: "Dark theme", system: "Theme of the system" },
  keys: "Show all keys",
  upload: "Run a workflow from files…",
  does: {
    filter: "Filter what is listed",
    tables: "Charts as tables, and back",
    peek: "A look at the row",
    attempt: "Next attempt",
    attemptBefore: "Previous attempt",
  },
} as const;

export const KEYS = {
  title: "Keys",
  close: "Close",
  off: "Single letters are turned off in Settings.",
} as const;
