/**
 * Several tabs of one browser share one budget: the tab that holds the lock computes, the others wait for it. A tab that
 * closes or crashes loses the lock by itself.
 */

const LOCK = "weevil.compute";

export class Turn {
  private held: (() => void) | undefined;
  private asking: AbortController | undefined;

  /** Calls `begin` once it is this tab's turn; `wait` first where another tab computes. */
  ask(begin: () => void, wait: () => void): void {
    this.end();
    // Without a secure context there are no locks: then each tab is by itself.
    if (!("locks" in navigator)) {
      begin();
      return;
    }
    const asking = new AbortController();
    this.asking = asking;
    const hold = (): Promise<void> | undefined => {
      if (asking.signal.aborted) return undefined;
      begin();
      return new Promise((release) => {
        this.held = release;
      });
    };
    void navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      if (lock !== null) return hold();
      if (asking.signal.aborted) return undefined;
      wait();
      navigator.locks.request(LOCK, { signal: asking.signal }, hold).catch(() => undefined);
      return undefined;
    });
  }

  /** Lets the next tab compute. */
  end(): void {
    this.asking?.abort();
    this.asking = undefined;
    this.held?.();
    this.held = undefined;
  }
}
