/**
 * The dialog with the card: looked at, saved as a PNG, or handed to what the device shares with. Nothing leaves the page but by
 * the volunteer's own hand.
 */

import { make } from "../../../dom.ts";
import type { ContributionWord, ContributionWords } from "../../words/contribution/words.ts";
import { utcOf } from "../days.ts";
import type { Figures } from "../figures.ts";
import { type Ledger, latestAims, total } from "../ledger.ts";
import { strip } from "../strip.ts";
import { drawCard, measureOn, toPng } from "./draw.ts";
import { type CardTexts, HEIGHT, WIDTH, layOut } from "./layout.ts";

const FILE = "weevilscout.png";
const MOST_AIMS = 2;

export async function showCard(ledger: Ledger, today: number, words: ContributionWords, figures: Figures): Promise<void> {
  const texts = textsOf(ledger, words, figures);
  const canvas = make("canvas", { id: "card-picture", width: String(WIDTH), height: String(HEIGHT), role: "img" });
  canvas.setAttribute("aria-label", spoken(texts));
  const problem = make("p", { class: "problem", role: "alert" });
  const dialog = makeDialog(canvas, problem, words);
  document.body.append(dialog);
  dialog.showModal();
  try {
    await drawCard(canvas, layOut(texts, measureOn(canvas)), strip(ledger, today));
    const png = await toPng(canvas);
    offer(dialog, new File([png], FILE, { type: png.type }), words, problem);
  } catch {
    problem.textContent = words.say("cardFailed");
  }
}

function textsOf(ledger: Ledger, words: ContributionWords, figures: Figures): CardTexts {
  const { jobs, ms } = total(ledger);
  const [first] = ledger.days;
  const project = latestAims(ledger, MOST_AIMS).join(", ");
  return {
    figures: [
      { value: figures.count(jobs), label: words.say("cardJobs") },
      { value: figures.span(ms), label: words.say("cardTime") },
    ],
    forLabel: words.say("cardFor"),
    project,
    line: words.say("cardLine", { host: location.host }),
    since: first === undefined ? "" : words.say("since", { date: figures.date(utcOf(first.day)) }),
  };
}

function spoken({ figures, forLabel, project, line, since }: CardTexts): string {
  const aim = project === "" ? "" : `${forLabel} ${project}`;
  return [...figures.map(({ value, label }) => `${value} ${label}`), aim, since, line].filter((text) => text !== "").join(". ");
}

function makeDialog(canvas: HTMLCanvasElement, problem: HTMLElement, words: ContributionWords): HTMLDialogElement {
  const title = make("h2", { id: "card-title" }, words.say("cardTitle"));
  const close = button("card-close", "cardClose", words);
  const buttons = make("div", { class: "buttons" }, close);
  const hint = make("p", { class: "muted" }, words.say("cardHint"));
  const dialog = make("dialog", { class: "card share-card", "aria-labelledby": "card-title" }, title, canvas, hint, problem, buttons);
  close.addEventListener("click", () => dialog.close());
  // It is made anew each time: the figures go on.
  dialog.addEventListener("close", () => dialog.remove());
  return dialog;
}

/** What can be done with the picture stands before *Close*. */
function offer(dialog: HTMLDialogElement, file: File, words: ContributionWords, problem: HTMLElement): void {
  const buttons = [save(file, words)];
  if (navigator.canShare?.({ files: [file] })) buttons.unshift(share(file, words, problem));
  buttons[0]?.classList.add("primary");
  dialog.querySelector(".buttons")?.prepend(...buttons);
  buttons[0]?.focus();
}

function save(file: File, words: ContributionWords): HTMLButtonElement {
  const saving = button("card-save", "cardSave", words);
  saving.addEventListener("click", () => {
    const address = URL.createObjectURL(file);
    make("a", { href: address, download: FILE }).click();
    URL.revokeObjectURL(address);
  });
  return saving;
}

function share(file: File, words: ContributionWords, problem: HTMLElement): HTMLButtonElement {
  const sharing = button("card-share", "cardShare", words);
  sharing.addEventListener("click", () => {
    navigator.share({ files: [file] }).catch((why: unknown) => {
      // Somebody has changed their mind.
      if (why instanceof DOMException && why.name === "AbortError") return;
      problem.textContent = words.say("cardFailed");
    });
  });
  return sharing;
}

function button(id: string, word: ContributionWord, words: ContributionWords): HTMLButtonElement {
  return make("button", { class: "button", type: "button", id }, words.say(word));
}
