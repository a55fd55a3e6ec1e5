/** The picture of the work on the page, with the same in words beside it, and the lit part of the run's bar. Owns its elements. */

import { byId, make, setText } from "../../dom.ts";
import type { ContributionWords } from "../words/contribution/words.ts";
import { drawWork } from "./draw.ts";
import type { WorkView } from "./work.ts";

export class PictureOfWork {
  private readonly canvas = make("canvas", { role: "img", "aria-labelledby": "picture-text" });
  private readonly text = make("p", { class: "muted", id: "picture-text" });
  private readonly box = make("div", { class: "picture", id: "picture" }, this.canvas, this.text);
  private readonly lit = make("i", { id: "aim-own" });
  private readonly share = make("p", { class: "muted", id: "aim-own-text" });

  constructor() {
    this.box.hidden = true;
    byId("aim", HTMLElement).after(this.box);
    byId("aim-bar", HTMLElement).after(this.lit);
    byId("aim-text", HTMLElement).after(this.share);
  }

  show(view: WorkView, words: ContributionWords): void {
    this.box.hidden = view.cells.length === 0;
    if (this.box.hidden) return;
    drawWork(this.canvas, view);
    setText(this.text, inWords(view, words));
  }

  /** `own` of `total` jobs are this browser's. */
  showShare(own: number, total: number, words: ContributionWords): void {
    this.lit.style.inlineSize = `${(100 * own) / Math.max(1, total)}%`;
    this.share.hidden = own === 0;
    setText(this.share, words.say("ownShare", { own: words.count(own) }));
  }
}

function inWords({ cells, ended }: WorkView, words: ContributionWords): string {
  const number = (activity: string): number => cells.filter((cell) => cell.activity === activity).length;
  const [busy, resting] = [number("working"), number("resting")];
  const sentences = [words.say("pictureBusy", { busy, slots: cells.length })];
  if (resting > 0) sentences.push(words.say("pictureResting", { resting }));
  sentences.push(words.say("pictureEnded", { ended: words.count(ended) }));
  return sentences.join(words.language === "zh-Hans" ? "" : " ");
}
