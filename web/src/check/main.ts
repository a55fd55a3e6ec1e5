/**
 * Entry of `/sandbox-check`: runs every probe in this browser and shows what came of it.
 *
 * `data-verdict` of the document and `data-state` of each row say the same to tests.
 */

import { byId, make, setText } from "../dom.ts";
import { readChoices } from "../volunteer/choices.ts";
import { speak } from "../volunteer/speak.ts";
import { Phrases, languageFor } from "../volunteer/words/words.ts";
import { Lab } from "./lab.ts";
import { type Finding, verdictOf } from "./probe.ts";
import { PROBES, type Probe, findingOf } from "./run.ts";
import { CATALOGUES } from "./words/words.ts";

/** So many probes run at a time: most of them wait for something. */
const AT_A_TIME = 4;

/** As chosen on the volunteer's page, else as the browser wishes. */
const language = readChoices(() => localStorage, 1).language ?? languageFor(navigator.languages);
const words = new Phrases(language, CATALOGUES[language]);
const list = byId("probes", HTMLUListElement);
const verdict = byId("verdict", HTMLElement);
const again = byId("again", HTMLButtonElement);

function rowOf(probe: Probe): HTMLElement {
  const row = make(
    "li",
    { "data-probe": probe.id, "data-state": "running" },
    make("h2", {}, words.say(probe.id)),
    make("p", { class: "muted" }, words.say(`${probe.id}Tries`)),
    make("p", { class: "found" }, words.say("running")),
  );
  if (probe.code !== undefined) {
    row.append(make("details", {}, make("summary", {}, words.say("code")), make("pre", { tabindex: "0" }, probe.code)));
  }
  return row;
}

function show(row: HTMLElement, finding: Finding): void {
  row.dataset["state"] = finding.state;
  const place = row.querySelector(".found");
  if (place !== null) setText(place, words.say(finding.state, { detail: finding.detail }));
}

function conclude(findings: readonly Finding[]): void {
  const result = verdictOf(findings);
  document.documentElement.dataset["verdict"] = result;
  setText(verdict, result === "closed" ? allClosed(findings) : words.say("someOpen", counts(findings)));
}

function counts(findings: readonly Finding[]): { count: number; open: number; absent: number } {
  const those = (state: Finding["state"]): number => findings.filter((finding) => finding.state === state).length;
  return { count: findings.length, open: those("open"), absent: those("absent") };
}

function allClosed(findings: readonly Finding[]): string {
  const { count, absent } = counts(findings);
  const closed = words.say("allClosed", { count });
  return absent > 0 ? `${closed} ${words.say("someAbsent", { count: absent })}` : closed;
}

async function check(): Promise<void> {
  again.disabled = true;
  document.documentElement.dataset["verdict"] = "running";
  setText(verdict, words.say("tryingAll", { count: PROBES.length }));
  const rows = PROBES.map((probe) => [probe, rowOf(probe)] as const);
  list.replaceChildren(...rows.map(([, row]) => row));
  const lab = new Lab();
  const waiting = [...rows];
  const findings: Finding[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const finding = await findingOf(next[0], lab);
      findings.push(finding);
      show(next[1], finding);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  lab.close();
  conclude(findings);
  again.disabled = false;
}

speak(words);
again.addEventListener("click", () => void check());
void check();
