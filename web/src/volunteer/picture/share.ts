/** How much of the work's public figures is this browser's: the lit part of the run's bar. Pure. */

import type { AimView, EndedAttempts } from "../../api/types.gen.ts";

/** Workflows that are remembered. */
const MOST = 8;

interface Own {
  done: number;
  /** The aim's figure when it was seen last. */
  seen: number;
}

export class OwnShare {
  private readonly known = new Map<string, Own>();

  hear(ended: readonly EndedAttempts[]): void {
    for (const { workflowHash, done } of ended) this.entry(workflowHash).done += done;
  }

  /** Jobs of this browser among those that the aim counts. A run that ends takes its jobs along: then the count begins anew. */
  of(hash: string, { done }: AimView): number {
    const own = this.entry(hash);
    if (done < own.seen) own.done = 0;
    own.seen = done;
    return Math.min(own.done, done);
  }

  private entry(hash: string): Own {
    const own = this.known.get(hash) ?? { done: 0, seen: 0 };
    this.known.set(hash, own);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST) break;
      this.known.delete(oldest);
    }
    return own;
  }
}
