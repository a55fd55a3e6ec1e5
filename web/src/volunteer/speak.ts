/** Puts the texts of a language into the page: everything that is written in it, and the consent. */

import { byId, setText } from "../dom.ts";
import { CONSENT_VERSION, type Consent } from "./consent.ts";
import type { Phrases, Values, Words } from "./words/words.ts";

/** Every element with `data-say`, the page's title among them; the root gets the language's tag. */
export function speak<W extends string>(words: Phrases<W>, values: Values = {}): void {
  document.documentElement.lang = words.language;
  for (const element of document.querySelectorAll<HTMLElement>("[data-say]")) {
    const word = element.dataset["say"] ?? "";
    if (words.has(word)) setText(element, words.say(word, { host: location.host, ...values }));
  }
}

/** What the card says about the consent, and what Start says with it. */
export function showConsent(consent: Consent, words: Words): void {
  const date = consent.kind === "none" ? "" : words.day(consent.at);
  const word = { none: "consentNew", given: "consentGiven", changed: "consentChanged" } as const;
  setText(byId("consent", HTMLElement), words.say(word[consent.kind], { date, version: CONSENT_VERSION }));
  byId("consent", HTMLElement).dataset["consent"] = consent.kind;
  setText(byId("start", HTMLElement), words.say(consent.kind === "given" ? "start" : "agreeAndStart"));
}
