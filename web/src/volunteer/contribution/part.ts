/**
 * What the page keeps and shows of this browser's own work: joins the ledger, the picture and the card. Loaded by `own.ts` once
 * there is something to show.
 *
 * Paints at most once a second, and not while hidden. Sends nothing.
 */

import "./contribution.css";
import "../picture/picture.css";
import type { Status } from "../../api/types.gen.ts";
import type { Situation } from "../describe.ts";
import { paintDelay } from "../pace.ts";
import { OwnShare } from "../picture/share.ts";
import { PictureOfWork } from "../picture/show.ts";
import { WorkPicture } from "../picture/work.ts";
import { isEnd } from "../session.ts";
import { ContributionWords } from "../words/contribution/words.ts";
import type { Language } from "../words/words.ts";
import { Book } from "./book.ts";
import { dayOf } from "./days.ts";
import { Figures } from "./figures.ts";
import { KEY } from "./key.ts";
import { Recorder } from "./recorder.ts";
import { Section } from "./section.ts";

/** A status, and when it came. */
export interface Heard {
  readonly status: Pick<Status, "state" | "eachSlot" | "ended">;
  /** Milliseconds since the epoch. */
  readonly date: number;
  /** Milliseconds of a clock that only grows. */
  readonly now: number;
}

export class Part {
  private readonly book = new Book(() => localStorage);
  private readonly recorder = new Recorder(this.book);
  private readonly work = new WorkPicture();
  private readonly share = new OwnShare();
  private readonly picture = new PictureOfWork();
  private readonly section = new Section({ forget: () => this.forget(), share: () => void this.makeCard() });
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private words: ContributionWords;
  private figures: Figures;
  private situation: Situation | undefined;
  private paintedAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private bookChanged = true;

  constructor(language: Language) {
    this.words = new ContributionWords(language);
    this.figures = new Figures(language);
    this.speak(language);
    addEventListener("pagehide", () => this.recorder.save(performance.now()));
    addEventListener("storage", ({ key }) => key === KEY && this.turnPage());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.recorder.save(performance.now());
      this.turnPage();
    });
  }

  speak(language: Language): void {
    this.words = new ContributionWords(language);
    this.figures = new Figures(language);
    this.section.speak(this.words, this.figures);
    // No page is in two languages, not for a second.
    this.paintedAt = -Infinity;
    this.turnPage();
  }

  hear({ status, date, now }: Heard): void {
    this.work.hear(status, now);
    this.share.hear(status.ended);
    if (this.recorder.hear(status.ended, { date, now }, isEnd(status.state))) this.bookChanged = true;
    this.schedule();
  }

  /** Painted with the next status, so that the page has one frame a second to draw, not two. */
  show(situation: Situation): void {
    const { aim, status } = situation;
    this.situation = situation;
    if (typeof aim?.project === "string" && status.workflowHash !== null) this.recorder.know(status.workflowHash, aim.project);
  }

  private turnPage(): void {
    this.bookChanged = true;
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const delay = paintDelay(performance.now(), this.paintedAt, false, document.hidden);
    if (delay === 0) this.paint();
    else if (delay !== undefined) this.timer = setTimeout(() => this.paint(), delay);
  }

  private paint(): void {
    const now = performance.now();
    this.paintedAt = now;
    this.picture.show(this.work.view(now, this.still.matches), this.words);
    this.paintShare();
    if (this.bookChanged) this.paintBook();
  }

  private paintShare(): void {
    const { aim, status } = this.situation ?? {};
    if (aim === undefined || status?.workflowHash === null || status === undefined) return;
    this.picture.showShare(this.share.of(status.workflowHash, aim), aim.total, this.words);
  }

  private paintBook(): void {
    this.bookChanged = false;
    const { ledger, isFleeting, hasSetAside } = this.book;
    this.section.show({ ledger, today: dayOf(Date.now()), isFleeting, hasSetAside });
  }

  private forget(): void {
    this.recorder.forget();
    this.paintBook();
    this.section.showForgotten();
  }

  private async makeCard(): Promise<void> {
    const { showCard } = await import("./card/dialog.ts");
    await showCard(this.book.ledger, dayOf(Date.now()), this.words, this.figures);
  }
}
