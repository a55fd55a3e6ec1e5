/**
 * The picture of the work as plain numbers: what each slot's cell shows, and what has ended in the last minute. Pure.
 *
 * A cell fills with its job's progress, where the job tells one, and settles when a job has ended in it. Where motion is not
 * wanted, nothing fades: cells go up in quarters, and the trace is left out.
 */

import type { SlotActivity, Status } from "../../api/types.gen.ts";

/** The trace: a place for each second of the last minute, the newest at its end. */
export const TRACE_SECONDS = 60;
/** A cell is settled this long after a job has ended in it. */
export const SETTLE_MS = 4000;
const SECOND_MS = 1000;
const STILL_STEPS = 4;

export interface CellView {
  readonly activity: SlotActivity;
  /** 0 to 1; undefined where the job does not tell. */
  readonly fill: number | undefined;
  /** 1 as a job ends, then less, down to 0. */
  readonly settled: number;
}

export interface Ended {
  readonly done: number;
  readonly failed: number;
}

export interface WorkView {
  readonly cells: readonly CellView[];
  /** Empty where motion is not wanted. */
  readonly trace: readonly Ended[];
  /** In the last minute. */
  readonly ended: number;
}

type Told = Pick<Status, "eachSlot" | "ended">;

export class WorkPicture {
  private slots: Told["eachSlot"] = [];
  /** By the slot: when a job ended there last. */
  private readonly endedAt = new Map<number, number>();
  private seconds: ({ second: number } & Ended)[] = [];

  /** `now` in milliseconds of a clock that only grows. */
  hear({ eachSlot, ended }: Told, now: number): void {
    this.slots = eachSlot;
    for (const { slot } of ended) this.endedAt.set(slot, now);
    for (const slot of this.endedAt.keys()) if (!eachSlot.some((known) => known.slot === slot)) this.endedAt.delete(slot);
    const sum = (of: "done" | "failed"): number => ended.reduce((all, one) => all + one[of], 0);
    this.seconds.push({ second: Math.floor(now / SECOND_MS), done: sum("done"), failed: sum("failed") });
    this.forget(now);
  }

  view(now: number, still: boolean): WorkView {
    this.forget(now);
    const ended = this.seconds.reduce((all, { done, failed }) => all + done + failed, 0);
    const cells = this.slots.map(({ slot, activity, progress }): CellView => {
      const fill = progress ?? undefined;
      const settled = 1 - (now - (this.endedAt.get(slot) ?? -Infinity)) / SETTLE_MS;
      if (!still) return { activity, fill, settled: Math.max(0, settled) };
      return { activity, fill: fill === undefined ? undefined : Math.floor(fill * STILL_STEPS) / STILL_STEPS, settled: 0 };
    });
    return { cells, trace: still ? [] : this.trace(now), ended };
  }

  private trace(now: number): Ended[] {
    const last = Math.floor(now / SECOND_MS);
    const places = Array.from({ length: TRACE_SECONDS }, () => ({ done: 0, failed: 0 }));
    for (const { second, done, failed } of this.seconds) {
      const place = places[TRACE_SECONDS - 1 - (last - second)];
      if (place === undefined) continue;
      place.done += done;
      place.failed += failed;
    }
    return places;
  }

  private forget(now: number): void {
    const first = Math.floor(now / SECOND_MS) - TRACE_SECONDS + 1;
    this.seconds = this.seconds.filter(({ second }) => second >= first);
  }
}
