/** What the palette offers for what is written in it. Pure. */

import type { NamedWorkflowView, RunSummary } from "../../api/types.gen.ts";
import { cut } from "../words/format.ts";
import { runMark } from "../words/states.ts";
import { PALETTE } from "../words/frame.ts";
import { errorAddress, jobAddress, personAddress, runAddress, workerAddress, workflowAddress } from "./routes.ts";

export interface Entry {
  readonly id: string;
  /** The part of the list that it stands in. */
  readonly part: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly hint: string;
  /** What its hint shows the ends of: it is found by all of that. */
  readonly whole?: string;
  /** What does the same without the palette; left out where nothing does. */
  readonly key?: string;
  readonly icon: string;
  /** Where it leads, or what it does. */
  readonly to: string | (() => void);
}

/** So many places of each part at most; all that can be done is told. */
const SHOWN = 12;
/** Ids of one text that are told: an address or a line of a log has few. */
const IDS_SHOWN = 5;
/** So much of a text is looked at. */
const LOOKED_AT = 10_000;
/** An id of this server, a content hash, or a diagnostic: also inside an address, a path or a line of a log. */
const ID = /(?<![0-9a-z_])(?:(run|job|wrk|acc)_[0-9a-hjkmnp-tv-z]{13}|([0-9a-f]{64})|(W\d{4}))(?![0-9a-z_])/g;
/** Where an id leads, by what it begins with, and the icon of that place. */
const LEADS: Readonly<Record<string, readonly [icon: string, address: (id: string) => string]>> = {
  run: ["runs", runAddress],
  job: ["jobs", jobAddress],
  wrk: ["workers", workerAddress],
  acc: ["people", personAddress],
};

/** Those of `all` in which every word stands, the ones that begin with the first word in front; some of each part. */
export function fitting(all: readonly Entry[], asked: string): readonly Entry[] {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const fits = all.filter(({ name, hint, whole = "" }) => words.every((word) => `${name} ${hint} ${whole}`.toLowerCase().includes(word)));
  const begins = ({ name }: Entry): boolean => name.toLowerCase().startsWith(words[0] ?? "");
  const counts = new Map<string, number>();
  const few = (entry: Entry): boolean => {
    const number = (counts.get(entry.part) ?? 0) + 1;
    counts.set(entry.part, number);
    return number <= SHOWN || typeof entry.to !== "string";
  };
  const parts = [...new Set(fits.map(({ part }) => part))];
  return parts.flatMap((part) => {
    const inPart = fits.filter((entry) => entry.part === part);
    return [...inPart.filter(begins), ...inPart.filter((entry) => !begins(entry))].filter(few);
  });
}

/** Where the ids in a pasted text lead. `openVersion` goes to the page of a workflow by its hash, which alone does not say where that is. */
export function idEntries(asked: string, openVersion: (hash: string) => void): readonly Entry[] {
  const found = [...asked.slice(0, LOOKED_AT).matchAll(ID)];
  const distinct = [...new Map(found.map((match) => [match[0], match])).values()];
  return distinct.slice(0, IDS_SHOWN).map(([id, kind = "", hash, code]) => {
    const lead = LEADS[kind];
    const icon = lead?.[0] ?? (code === undefined ? "workflows" : "docs");
    const to = lead?.[1](id) ?? (hash === undefined ? errorAddress(id) : () => openVersion(hash));
    return { id: `id-${id}`, part: PALETTE.ids, name: PALETTE.open(cut(id)), hint: "", icon, to };
  });
}

export function runEntries(runs: readonly RunSummary[]): readonly Entry[] {
  return runs.map((run) => {
    const hint = `${cut(run.id)}, ${runMark(run).word}`;
    const icon = `state-${runMark(run).shape}`;
    return { id: run.id, part: PALETTE.runs, name: run.name, hint, whole: run.id, icon, to: runAddress(run.id) };
  });
}

export function workflowEntries(workflows: readonly NamedWorkflowView[]): readonly Entry[] {
  return workflows.map(({ name }) => {
    return { id: `workflow-${name}`, part: PALETTE.workflows, name, hint: "", icon: "workflows", to: workflowAddress(name) };
  });
}
