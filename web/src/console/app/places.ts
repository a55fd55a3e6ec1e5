/** The places of the side bar: where each leads, who sees it, and which pages belong to it. */

import { has } from "../pages/people/who.ts";
import { FRAME } from "../words/frame.ts";
import { AUDIT, DOCS, HOME, ME, type Page, PEOPLE, PROJECTS, QUEUE, RUNS, SETTINGS, WORKERS, WORKFLOWS } from "./routes.ts";

export interface Place {
  readonly id: string;
  readonly address: string;
  readonly name: string;
  readonly pages: readonly Page[];
  /** What somebody needs to see anything there; empty: nothing. */
  readonly right: string;
  /** Which part of the bar it stands in. On a phone only the first part is always there. */
  readonly part: "work" | "people" | "rest";
}

export const PLACES: readonly Place[] = [
  place("overview", HOME, ["overview"], "runs:read", "work"),
  place("runs", RUNS, ["runs", "run"], "runs:read", "work"),
  place("workflows", WORKFLOWS, ["workflows", "workflow", "editor", "diff"], "runs:read", "work"),
  place("queue", QUEUE, ["queue", "queue-jobs", "job"], "runs:read", "work"),
  place("workers", WORKERS, ["workers", "worker"], "workers:read", "work"),
  place("projects", PROJECTS, ["projects", "project", "project-audit"], "project:read", "people"),
  place("people", PEOPLE, ["people", "person"], "accounts:manage", "people"),
  place("audit", AUDIT, ["audit"], "audit:read", "people"),
  place("me", ME, ["me", "login"], "", "people"),
  place("docs", DOCS, [], "", "rest"),
  place("settings", SETTINGS, ["settings"], "", "rest"),
];

function place(id: keyof typeof FRAME.places, address: string, pages: readonly Page[], right: string, part: Place["part"]): Place {
  return { id, address, name: FRAME.places[id], pages, right, part };
}

/** Those that somebody may see. */
export function openPlaces(): readonly Place[] {
  return PLACES.filter(({ right }) => right === "" || has(right));
}

/** The one that a page belongs to. */
export function placeOf(page: Page): Place | undefined {
  return PLACES.find(({ pages }) => pages.includes(page));
}
