/**
 * What a run computed over time: read once of a run that has ended; of one that goes on, followed by the bins that its frames tell, and
 * read from the route only where they do not fit into a frame.
 */

import { signal } from "@preact/signals";
import { getProfile } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { BinView, ProfileChange, ProfileView, RunFrame } from "../../api/types.gen.ts";
import { type Following, followPart } from "./runtopic.ts";

const COLUMNS = ["jobs", "errors", "mflops", "busy"] as const;

/** What frames tell of a profile: all of it but who was busy. */
export type Bins = Pick<ProfileView, "from" | "widthMs" | (typeof COLUMNS)[number]>;

/** The code of the server where there is no profile: none was kept of runs that earlier releases have ended. */
const NO_PROFILE = "noProfile";
/** The server has no more of them. */
const MOST_BINS = 512;

export function watchProfile(run: string, goesOn: boolean): Following<Bins> {
  return goesOn ? followPart(run, { part: "profile", read: getProfile, patch: patchBins, whole: wholeBins }) : readProfile(run);
}

/** Whether the server has said that there is none. */
export function isMissing(problem: Refusal | undefined): boolean {
  return problem?.code === NO_PROFILE;
}

function readProfile(run: string): Following<Bins> {
  const value = signal<Bins | undefined>(undefined);
  const problem = signal<Refusal | undefined>(undefined);
  const since = signal(0);
  async function load(): Promise<void> {
    try {
      value.value = await getProfile(run);
      [problem.value, since.value] = [undefined, Date.now()];
    } catch (why) {
      if (!(why instanceof Refusal)) throw why;
      problem.value = why;
    }
  }
  void load();
  return { value, problem, since, again: () => void load() };
}

/** With what a frame tells; `undefined` where that does not fit what is known. */
export function patchBins(known: Bins, { profile }: RunFrame): Bins | undefined {
  if (profile === undefined) return known;
  if (profile.whole === true) return binsOf(profile);
  return profile.widthMs === known.widthMs ? withBins(known, profile.bins) : undefined;
}

/** All of it, as a snapshot tells it. */
export function wholeBins({ profile }: RunFrame): Bins {
  return binsOf(profile ?? { widthMs: 1, bins: [] }) ?? NOTHING;
}

const NOTHING: Bins = { from: 0, widthMs: 1, jobs: [], errors: [], mflops: [], busy: [] };

function binsOf({ widthMs, bins }: ProfileChange): Bins | undefined {
  return withBins({ ...NOTHING, widthMs, from: bins[0]?.[0] ?? 0 }, bins);
}

/** A bin is named by its beginning. Those that nobody tells of between others are empty. */
function withBins(known: Bins, told: readonly BinView[]): Bins | undefined {
  if (told.length === 0) return known;
  const { from: start, widthMs } = known;
  const begins = told.map(([at]) => at);
  const from = Math.min(start, ...begins);
  const length = Math.max(known.jobs.length, ...begins.map((at) => (at - start) / widthMs + 1)) + (start - from) / widthMs;
  const fits = length <= MOST_BINS && begins.every((at) => (at - from) % widthMs === 0);
  if (!fits) return undefined;
  const column = (name: (typeof COLUMNS)[number], place: 1 | 2 | 3 | 4): number[] => {
    const now = Array.from({ length }, (_, bin) => known[name][bin - (start - from) / widthMs] ?? 0);
    for (const bin of told) now[(bin[0] - from) / widthMs] = bin[place];
    return now;
  };
  return { from, widthMs, jobs: column("jobs", 1), errors: column("errors", 2), mflops: column("mflops", 3), busy: column("busy", 4) };
}
