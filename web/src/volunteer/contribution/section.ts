/**
 * The part of the page that shows the ledger: totals, the heat strip, the same as a table, the card and *Forget it all*. Owns its
 * elements; reads and writes nothing by itself.
 */

import { make, setText } from "../../dom.ts";
import type { ContributionWord, ContributionWords } from "../words/contribution/words.ts";
import { utcOf } from "./days.ts";
import type { Figures } from "./figures.ts";
import { type Ledger, isEmpty, total } from "./ledger.ts";
import { type Cell, LEVELS, months, strip } from "./strip.ts";
import { StripPicture } from "./svg.ts";

export interface Facts {
  readonly ledger: Ledger;
  readonly today: number;
  readonly isFleeting: boolean;
  readonly hasSetAside: boolean;
}

export interface Acts {
  readonly forget: () => void;
  readonly share: () => void;
}

const FIGURES = ["jobs", "time", "operations", "days"] as const;
const COLUMNS = ["day", "tableJobs", "tableTime", "tableOperations", "tableAims"] as const;

export class Section {
  private readonly root = make("section", { class: "card contribution", id: "contribution", "aria-labelledby": "contribution-title" });
  private readonly said = new Map<ContributionWord, HTMLElement>();
  private readonly values = new Map<(typeof FIGURES)[number], HTMLElement>();
  private readonly since = make("p", { class: "muted since" });
  private readonly notice = make("p", { class: "notice", role: "status", id: "contribution-notice" });
  private readonly strip = new StripPicture();
  private readonly rows = make("tbody");
  private readonly table = make("details", { class: "as-table" });
  private readonly question = make("div", { class: "question", id: "forget-question", hidden: "" });
  private readonly card = this.button("share", "button", "make-card");
  private readonly forget = this.button("forget", "button", "forget");
  private cells: readonly Cell[] = [];
  private texts: { readonly words: ContributionWords; readonly figures: Figures } | undefined;

  constructor(acts: Acts) {
    this.build(acts);
    this.table.addEventListener("toggle", () => this.fillTable());
    this.root.hidden = true;
    document.querySelector("main")?.append(this.root);
  }

  speak(words: ContributionWords, figures: Figures): void {
    this.texts = { words, figures };
    for (const [word, element] of this.said) setText(element, words.say(word));
  }

  show(facts: Facts): void {
    if (this.texts === undefined) return;
    const { words } = this.texts;
    if (isEmpty(facts.ledger) && !facts.hasSetAside && this.root.hidden) return;
    this.root.hidden = false;
    this.cells = strip(facts.ledger, facts.today);
    this.showTotals(facts.ledger);
    this.showStrip(facts.today);
    this.fillTable();
    const trouble = facts.isFleeting ? words.say("fleeting") : facts.hasSetAside ? words.say("setAside") : "";
    if (!isEmpty(facts.ledger) || trouble !== "") this.tell(trouble);
  }

  /** It was forgotten: said where the focus goes. */
  showForgotten(): void {
    this.tell(this.texts?.words.say("forgotten") ?? "");
    this.ask(false);
    this.forget.focus();
  }

  private build({ forget, share }: Acts): void {
    const title = this.element("h2", "title");
    title.id = "contribution-title";
    const yes = this.button("forgetYes", "button danger", "forget-yes");
    const no = this.button("forgetNo", "button", "forget-no");
    this.question.append(this.element("p", "forgetQuestion"), make("div", { class: "buttons" }, no, yes));
    this.forget.addEventListener("click", () => {
      this.ask(true);
      no.focus();
    });
    no.addEventListener("click", () => {
      this.ask(false);
      this.forget.focus();
    });
    yes.addEventListener("click", forget);
    this.card.addEventListener("click", share);
    const acts = make("div", { class: "acts" }, make("div", { class: "buttons" }, this.card, this.forget), this.question);
    const totals = make("div", { class: "totals" }, this.makeFigures(), this.since);
    this.root.append(title, this.notice, totals, this.makeStrip(), acts, this.element("p", "note", "muted note"));
  }

  private makeFigures(): HTMLElement {
    const list = make("dl", { class: "figures" });
    for (const name of FIGURES) {
      const value = make("dd", { id: `given-${name}` });
      this.values.set(name, value);
      list.append(make("div", {}, this.element("dt", name), value));
    }
    return list;
  }

  private makeStrip(): HTMLElement {
    const head = make("tr", {}, ...COLUMNS.map((word) => this.element("th", word)));
    for (const cell of head.children) cell.setAttribute("scope", "col");
    const table = make("table", {}, make("thead", {}, head), this.rows);
    this.table.append(this.element("summary", "asTable"), make("div", { class: "scroll", tabindex: "0" }, table));
    const shades = Array.from({ length: LEVELS + 1 }, (_, level) => make("i", { "data-level": String(level) }));
    const scale = make("p", { class: "scale muted" }, this.element("span", "less"), ...shades, this.element("span", "more"));
    const caption = make("div", { class: "caption" }, this.element("p", "stripCaption", "muted"), scale);
    return make("div", { class: "strip-box" }, this.strip.element as unknown as HTMLElement, caption, this.table);
  }

  private showTotals(ledger: Ledger): void {
    if (this.texts === undefined) return;
    const { words, figures } = this.texts;
    const { jobs, ms, flops } = total(ledger);
    const texts = {
      jobs: figures.count(jobs),
      time: figures.span(ms),
      operations: figures.large(flops),
      days: figures.count(ledger.days.length),
    };
    for (const [name, element] of this.values) setText(element, texts[name]);
    this.card.disabled = jobs === 0;
    const first = ledger.days[0];
    setText(this.since, first === undefined ? "" : words.say("since", { date: figures.date(utcOf(first.day)) }));
  }

  private showStrip(today: number): void {
    if (this.texts === undefined) return;
    const { words, figures } = this.texts;
    const text = ({ day, jobs, ms }: Cell): string =>
      words.say("dayText", { date: figures.date(utcOf(day)), jobs: figures.count(jobs), time: figures.span(ms) });
    this.strip.show({
      cells: this.cells.map((cell) => ({ cell, text: text(cell) })),
      months: months(today).map((month) => ({ month, text: figures.monthName(utcOf(month.day)) })),
    });
  }

  /** Nobody reads a table that is closed. */
  private fillTable(): void {
    if (!this.table.open || this.texts === undefined) return;
    const { figures } = this.texts;
    const worked = this.cells.filter(({ level }) => level > 0).sort((a, b) => b.day - a.day);
    const row = ({ day, jobs, ms, flops, aims }: Cell): HTMLElement => {
      const head = make("th", { scope: "row" }, figures.date(utcOf(day)));
      const facts = [figures.count(jobs), figures.span(ms), figures.large(flops)].map((text) => make("td", {}, text));
      return make("tr", {}, head, ...facts, make("td", { dir: "auto" }, aims.join(", ")));
    };
    this.rows.replaceChildren(...worked.map(row));
  }

  private tell(text: string): void {
    setText(this.notice, text);
  }

  private ask(asked: boolean): void {
    this.question.hidden = !asked;
    this.forget.hidden = asked;
  }

  private element<K extends keyof HTMLElementTagNameMap>(tag: K, word: ContributionWord, type = ""): HTMLElementTagNameMap[K] {
    const element = make(tag, type === "" ? {} : { class: type });
    this.said.set(word, element);
    return element;
  }

  private button(word: ContributionWord, type: string, id: string): HTMLButtonElement {
    const button = this.element("button", word, type);
    [button.type, button.id] = ["button", id];
    return button;
  }
}
