/** What the palette offers for what is written in it. Pure. */

import type { NamedWorkflowView, RunSummary } from "../../api/types.gen.ts";
import { cut } from "../words/format.ts";
import { runMark } from "../words/states.ts";
import { PALETTE } from "../words/frame.ts";
import { errorAddress, jobAddress, personAddress, runAddress, workflowAddress } from "./routes.ts";

export interface Entry {
  readonly id: string;
  /** The part of the list that it stands in. */
  readonly part: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly hint: string;
  readonly icon: string;
  /** Where it leads, or what it does. */
  readonly to: string | (() => void);
}

/** So many of each part at most. */
const SHOWN = 12;
/** Ids that people paste, each with where it leads. */
const IDS: readonly (readonly [RegExp, string, (id: string) => string])[] = [
  [/^run_[0-9a-z]+$/, "runs", runAddress],
  [/^job_[0-9a-z]+$/, "jobs", jobAddress],
  [/^acc_[0-9a-z]+$/, "people", personAddress],
  [/^[0-9a-f]{64}$/, "workflows", (hash) => `#/runs?workflow=${hash}`],
  [/^W\d{4}$/, "docs", errorAddress],
];

/** Those of `all` in which every word stands, the ones that begin with the first word in front; some of each part. */
export function fitting(all: readonly Entry[], asked: string): readonly Entry[] {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fits = all.filter(({ name, hint }) => words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)));
  const begins = ({ name }: Entry): boolean => name.toLowerCase().startsWith(words[0] ?? "");
  const counts = new Map<string, number>();
  const few = (entry: Entry): boolean => {
    const number = (counts.get(entry.part) ?? 0) + 1;
    counts.set(entry.part, number);
    return number <= SHOWN;
  };
  const parts = [...new Set(fits.map(({ part }) => part))];
  return parts.flatMap((part) => {
    const inPart = fits.filter((entry) => entry.part === part);
    return [...inPart.filter(begins), ...inPart.filter((entry) => !begins(entry))].filter(few);
  });
}

/** Where a pasted id leads. */
export function idEntries(asked: string): readonly Entry[] {
  const id = asked.trim();
  return IDS.filter(([pattern]) => pattern.test(id)).map(([, icon, address]) => {
    const to = address(id);
    return { id: `id-${icon}`, part: PALETTE.ids, name: PALETTE.open(cut(id)), hint: "", icon, to };
  });
}

export function runEntries(runs: readonly RunSummary[]): readonly Entry[] {
  return runs.map((run) => {
    const hint = `${cut(run.id)}, ${runMark(run).word}`;
    return { id: run.id, part: PALETTE.runs, name: run.name, hint, icon: `state-${runMark(run).shape}`, to: runAddress(run.id) };
  });
}

export function workflowEntries(workflows: readonly NamedWorkflowView[]): readonly Entry[] {
  return workflows.map(({ name }) => {
    return { id: `workflow-${name}`, part: PALETTE.workflows, name, hint: "", icon: "workflows", to: workflowAddress(name) };
  });
}
