/**
 * The card of terms on a small screen: folded to its bold words once somebody has agreed to what it says, open before that and after a
 * change. Whether a screen is small is the style sheet's matter: on a large one all of it stands there.
 */

import { byId, setText } from "../dom.ts";
import type { Words } from "./words/words.ts";

export class Terms {
  private readonly words: () => Words;
  private readonly button = byId("fold", HTMLButtonElement);

  constructor(words: () => Words) {
    this.words = words;
    this.button.addEventListener("click", () => this.fold(!this.isFolded));
  }

  fold(folded: boolean): void {
    document.documentElement.dataset["terms"] = folded ? "folded" : "open";
    this.speak();
  }

  speak(): void {
    this.button.setAttribute("aria-expanded", String(!this.isFolded));
    setText(this.button, this.words().say(this.isFolded ? "readTerms" : "foldTerms"));
  }

  private get isFolded(): boolean {
    return document.documentElement.dataset["terms"] === "folded";
  }
}
