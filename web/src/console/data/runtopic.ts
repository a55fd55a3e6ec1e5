/**
 * Something that follows a run: read whole from a route, then kept up to date by the frames of the run's topic. It is asked for and
 * followed while somebody looks at it.
 *
 * Owns when the route is asked again. What a frame changes the caller says.
 */

import { type ReadonlySignal, signal } from "@preact/signals";
import { Refusal } from "../../api/request.ts";
import type { RunFrame, RunPart } from "../../api/types.gen.ts";
import { deliver } from "../live/news.ts";
import { pauseAfter } from "../live/pauses.ts";
import { listenTo } from "../live/tab.ts";

interface Followed<T> {
  /** Names it among the parts of a run. */
  readonly part: RunPart;
  /** All of it, by its route. */
  readonly read: (run: string) => Promise<T>;
  /** With what a frame tells; the same where that is nothing. `undefined`: a frame cannot be put on top of this. */
  readonly patch: (known: T, frame: RunFrame) => T | undefined;
  /** What a snapshot tells that has all of it. */
  readonly whole: (frame: RunFrame) => T;
}

export interface Following<T> {
  readonly value: ReadonlySignal<T | undefined>;
  /** Why the route did not answer; `undefined` again as soon as anything is known, from wherever. */
  readonly problem: ReadonlySignal<Refusal | undefined>;
  /** When it was told of last, in milliseconds since 1970. */
  readonly since: ReadonlySignal<number>;
  /** Asks the route now. */
  readonly again: () => void;
}

/** The part is too large for a frame, or not in memory: it is asked for again this long after the last time. */
const READ_AGAIN_MS = 1000;

export function followPart<T>(run: string, followed: Followed<T>): Following<T> {
  const problem = signal<Refusal | undefined>(undefined);
  const since = signal(0);
  const key = Symbol(followed.part);
  const show = (now: T): void => {
    problem.value = undefined;
    const at = Date.now();
    deliver(key, () => ([value.value, since.value] = [now, at]));
  };
  const value = signal<T | undefined>(undefined, {
    watched() {
      follower = begin(run, followed, show, (why) => (problem.value = why));
    },
    unwatched() {
      follower?.close();
      follower = undefined;
    },
  });
  let follower: Follower | undefined;
  return { value, problem, since, again: () => follower?.again() };
}

interface Follower {
  readonly again: () => void;
  readonly close: () => void;
}

function begin<T>(run: string, followed: Followed<T>, show: (now: T) => void, told: (why: Refusal) => void): Follower {
  const { part, read, patch, whole } = followed;
  let known: T | undefined;
  /** Frames that came while all of it was asked for. */
  let meanwhile: RunFrame[] = [];
  let reading = false;
  let again = false;
  let closed = false;
  let readAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function load(pause: number): void {
    again = true;
    if (reading || closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void readAll(), pause);
  }
  async function readAll(tries = 0): Promise<void> {
    [reading, again, meanwhile, readAt] = [true, false, [], Date.now()];
    try {
      const all = await read(run);
      reading = false;
      if (!closed) put(meanwhile.reduce<T | undefined>((now, frame) => now && patch(now, frame), all));
      if (again) load(READ_AGAIN_MS);
    } catch (refused) {
      reading = false;
      if (!(refused instanceof Refusal)) throw refused;
      if (!closed) told(refused);
      // There is none, or the server is away: then the stream begins anew afterwards.
      if (refused.status >= 500 && !closed) timer = setTimeout(() => void readAll(tries + 1), pauseAfter(tries + 1));
    }
  }
  function put(now: T | undefined): void {
    if (now === undefined) load(READ_AGAIN_MS);
    else if (now !== known) {
      known = now;
      show(now);
    }
  }
  function take(frame: RunFrame): void {
    if (frame.overflow?.includes(part) === true) load(Math.max(0, readAt + READ_AGAIN_MS - Date.now()));
    else if (frame.whole === true) {
      clearTimeout(timer);
      put(whole(frame));
    } else if (reading) meanwhile.push(frame);
    else if (known !== undefined) put(patch(known, frame));
  }

  const unlisten = listenTo<RunFrame>(`run:${run}`, take);
  return {
    again: () => load(0),
    close() {
      closed = true;
      clearTimeout(timer);
      unlisten();
    },
  };
}
