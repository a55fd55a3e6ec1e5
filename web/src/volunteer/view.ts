/**
 * Puts a status on the page: at most once a second, at once when the state changes, and not while the tab is hidden.
 *
 * Owns the pace and the elements. The `data-*` marks on the root element are kept current whatever the pace: tests and
 * benches read them. Decides nothing about the work.
 */

import type { Status } from "../api/types.gen.ts";
import { byId, setText } from "../dom.ts";
import { type ButtonName, type Description, describe } from "./describe.ts";

const PAINT_MS = 1000;
const BUTTONS: readonly ButtonName[] = ["start", "pause", "resume", "stop", "reload"];

/** Milliseconds to wait before painting; undefined while hidden. */
export function paintDelay(now: number, paintedAt: number, changed: boolean, hidden: boolean): number | undefined {
  if (hidden) return undefined;
  return changed ? 0 : Math.max(0, paintedAt + PAINT_MS - now);
}

export class View {
  private latest: Status | undefined;
  private painted: Status | undefined;
  private paintedAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    document.addEventListener("visibilitychange", () => {
      this.schedule();
    });
  }

  show(status: Status): void {
    this.latest = status;
    mark(document.documentElement, status);
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const { latest } = this;
    if (latest === undefined || latest === this.painted) return;
    const changed = latest.state !== this.painted?.state;
    const delay = paintDelay(performance.now(), this.paintedAt, changed, document.hidden);
    if (delay === 0) this.paint(latest);
    else if (delay !== undefined) this.timer = setTimeout(() => this.paint(latest), delay);
  }

  private paint(status: Status): void {
    this.painted = status;
    this.paintedAt = performance.now();
    paint(describe(status), status.state !== "idle");
  }
}

function mark(root: HTMLElement, status: Status): void {
  const { dataset } = root;
  dataset["state"] = status.state;
  dataset["done"] = String(status.done);
  dataset["failed"] = String(status.failed);
  if (typeof status.firstJobMs === "number") dataset["firstJobMs"] = String(status.firstJobMs);
}

function paint(view: Description, started: boolean): void {
  for (const name of ["sentence", "connection", "done", "failed", "mflops", "busy", "current", "thanks"] as const) {
    setText(byId(name, HTMLElement), view[name]);
  }
  byId("connection", HTMLElement).dataset["tone"] = view.tone;
  byId("thanks", HTMLElement).hidden = view.thanks === "";
  byId("current", HTMLElement).hidden = view.current === "";
  byId("work", HTMLElement).hidden = !started;
  showButtons(view.buttons);
}

/** A hidden button cannot keep the focus. Stop never inherits it: a second press of the same key would end it all. */
function showButtons(names: readonly ButtonName[]): void {
  const focused = document.activeElement?.id;
  for (const name of BUTTONS) byId(name, HTMLButtonElement).hidden = !names.includes(name);
  if (BUTTONS.every((name) => name !== focused || names.includes(name))) return;
  byId(names.find((name) => name !== "stop") ?? "sentence", HTMLElement).focus();
}
