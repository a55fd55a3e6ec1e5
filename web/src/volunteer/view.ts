/**
 * Puts a situation on the page: at most once a second, at once when what it says changes, and not while the tab is
 * hidden.
 *
 * Owns the pace and the elements of the panel. The `data-*` marks on the root element are kept current whatever the pace:
 * tests and benches read them. Decides nothing about the work.
 */

import { byId, setText } from "../dom.ts";
import { showAim } from "./aim/show.ts";
import { type ButtonName, type Description, type PageState, type Situation, describe } from "./describe.ts";
import { History } from "./history.ts";
import { paintDelay } from "./pace.ts";
import { showStanding } from "./standing/show.ts";
import type { Words } from "./words/words.ts";

/** Before and beside any work of this page there are no figures. */
const WITHOUT_FIGURES: readonly PageState[] = ["idle", "elsewhere", "notLoaded"];
const BUTTONS: readonly ButtonName[] = ["start", "pause", "resume", "finish", "stop", "reload"];
/** As the `viewBox` of the picture in `#chart` says. */
const CHART = { width: 300, height: 40 } as const;

export class View {
  private words: Words;
  private latest: Situation | undefined;
  private painted: Situation | undefined;
  private paintedAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly history = new History();

  constructor(words: Words) {
    this.words = words;
    document.addEventListener("visibilitychange", () => {
      this.schedule();
    });
  }

  show(situation: Situation): void {
    this.latest = situation;
    if (situation.state !== "idle") this.history.add(performance.now(), situation.status.mflops);
    mark(document.documentElement, situation);
    this.schedule();
  }

  speak(words: Words): void {
    this.words = words;
    this.painted = undefined;
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const { latest, painted } = this;
    if (latest === undefined || latest === painted) return;
    const delay = paintDelay(performance.now(), this.paintedAt, differs(latest, painted), document.hidden);
    if (delay === 0) this.paint(latest);
    else if (delay !== undefined) this.timer = setTimeout(() => this.paint(latest), delay);
  }

  private paint(situation: Situation): void {
    this.painted = situation;
    this.paintedAt = performance.now();
    const view = describe(situation, this.words);
    paint(view);
    showAim(situation.aim, this.words);
    showStanding(situation.status.standing, this.words);
    byId("work", HTMLElement).hidden = WITHOUT_FIGURES.includes(situation.state);
    this.draw(view.mflops);
  }

  private draw(now: string): void {
    const { line, area, most } = this.history.picture(CHART.width, CHART.height);
    byId("chart", HTMLElement).hidden = line === "";
    setText(byId("chart-text", HTMLElement), this.words.say("chart", { now, most: this.words.speed(most) }));
    byId("chart-line", SVGPathElement).setAttribute("d", line);
    byId("chart-area", SVGPathElement).setAttribute("d", area);
  }
}

/** What the volunteer must hear of at once. */
function differs(a: Situation, b: Situation | undefined): boolean {
  return a.state !== b?.state || a.reason !== b.reason || a.ownPause !== b.ownPause;
}

function mark(root: HTMLElement, { state, status, reason, ownPause }: Situation): void {
  const { dataset } = root;
  dataset["state"] = state;
  dataset["reason"] = ownPause ? "own" : (reason ?? "");
  dataset["done"] = String(status.done);
  dataset["failed"] = String(status.failed);
  if (typeof status.firstJobMs === "number") dataset["firstJobMs"] = String(status.firstJobMs);
}

function paint(view: Description): void {
  for (const name of [
    "sentence",
    "retry",
    "detail",
    "connection",
    "done",
    "waiting",
    "failed",
    "mflops",
    "busy",
    "uptime",
    "current",
    "thanks",
  ] as const) {
    setText(byId(name, HTMLElement), view[name]);
  }
  byId("connection", HTMLElement).dataset["tone"] = view.tone;
  for (const name of ["retry", "detail", "thanks", "current"] as const) byId(name, HTMLElement).hidden = view[name] === "";
  showButtons(view.buttons);
}

/** A hidden button cannot keep the focus. Stop never inherits it: a second press of the same key would end it all. */
function showButtons(names: readonly ButtonName[]): void {
  const focused = document.activeElement?.id;
  for (const name of BUTTONS) byId(name, HTMLButtonElement).hidden = !names.includes(name);
  if (BUTTONS.every((name) => name !== focused || names.includes(name))) return;
  byId(names.find((name) => name !== "stop") ?? "sentence", HTMLElement).focus();
}
