/**
 * Entry of `/sandbox-check`: runs every probe in this browser and shows what came of it.
 *
 * `data-verdict` of the document and `data-state` of each row say the same to tests.
 */

import { byId, make, setText } from "../dom.ts";
import { Lab } from "./lab.ts";
import { type Finding, sentence, verdictOf } from "./probe.ts";
import { PROBES, type Probe, findingOf } from "./run.ts";

/** So many probes run at a time: most of them wait for something. */
const AT_A_TIME = 4;

const list = byId("probes", HTMLUListElement);
const verdict = byId("verdict", HTMLElement);
const again = byId("again", HTMLButtonElement);

function rowOf(probe: Probe): HTMLElement {
  const row = make(
    "li",
    { "data-probe": probe.id, "data-state": "running" },
    make("h2", {}, probe.title),
    make("p", { class: "muted" }, `A job ${probe.tries}.`),
    make("p", { class: "found" }, "Trying…"),
  );
  if (probe.code !== undefined) {
    row.append(make("details", {}, make("summary", {}, "The job's code"), make("pre", { tabindex: "0" }, probe.code)));
  }
  return row;
}

function show(row: HTMLElement, finding: Finding): void {
  row.dataset["state"] = finding.state;
  const place = row.querySelector(".found");
  if (place !== null) setText(place, sentence(finding));
}

function conclude(findings: readonly Finding[]): void {
  const result = verdictOf(findings);
  const absent = findings.filter((finding) => finding.state === "absent").length;
  const open = findings.filter((finding) => finding.state === "open").length;
  const rest = absent > 0 ? ` ${absent} of them this browser does not even have.` : "";
  document.documentElement.dataset["verdict"] = result;
  setText(
    verdict,
    result === "closed"
      ? `All ${findings.length} doors are closed: jobs stay in their sandbox.${rest}`
      : `${open} of ${findings.length} doors are open. Do not compute with this browser, and tell the people behind this server.`,
  );
}

async function check(): Promise<void> {
  again.disabled = true;
  document.documentElement.dataset["verdict"] = "running";
  setText(verdict, `Trying ${PROBES.length} doors…`);
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

again.addEventListener("click", () => void check());
void check();
