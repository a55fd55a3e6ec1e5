/** The audit: who did what to what, the newest first; filtered, read page by page, and exported as a file. */

import { type AuditQuery, auditExportPath, listAudit } from "../../api/audit.ts";
import { nameAccounts } from "../../api/people.ts";
import { nameProjects } from "../../api/projects.ts";
import { Refusal } from "../../api/request.ts";
import type { AuditRowView } from "../../api/types.gen.ts";
import { make } from "../../dom.ts";
import { makeDownload } from "../download.ts";
import { clock } from "../format.ts";
import { makeField, makeForm } from "../form.ts";
import { makePaged } from "../section.ts";
import { type Names, auditFacts, idOf, momentOf } from "./words.ts";

const NOBODY: Names = new Map();

/** Fills `place`. */
export function openAudit(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, "Audit");
  let query: AuditQuery = { actor: null, action: null, project: null, from: null, to: null };
  const known = learnNames();
  const read = async (after: string | null) => {
    const [{ rows, next }, names] = await Promise.all([listAudit(query, after), known]);
    return { rows: rows.map((row) => ({ row, names })), next };
  };
  const list = makePaged({ id: "audit", read, row: entry, empty: "Nothing that fits." });
  const save = make("div");
  const offer = (): void => {
    save.replaceChildren(makeDownload(auditExportPath(query), "audit.ndjson", "Save what fits"));
  };
  const form = makeFilter(save, async (asked) => {
    query = { ...asked, actor: asked.actor && idOf(asked.actor, await known) };
    offer();
    await list.reload();
  });
  offer();
  document.title = "Audit";
  place.replaceChildren(title, make("section", { class: "card" }, form), make("section", { class: "card" }, list.element));
  title.focus({ preventScroll: true });
  return () => undefined;
}

/** Rows without names say as much. */
async function learnNames(): Promise<Names> {
  try {
    return new Map([...(await nameProjects()), ...(await nameAccounts())]);
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    return NOBODY;
  }
}

function makeFilter(save: HTMLElement, onQuery: (query: AuditQuery) => Promise<void>): HTMLElement {
  const text = { autocomplete: "off", spellcheck: "false" };
  const actor = makeField("audit-actor", "Who", { ...text, placeholder: "a name or local" });
  const action = makeField("audit-action", "What", { ...text, placeholder: "session.opened" });
  const project = makeField("audit-project", "Where", { ...text, placeholder: "default" });
  const from = makeField("audit-from", "From", { type: "datetime-local" });
  const to = makeField("audit-to", "Before", { type: "datetime-local" });
  const send = (): Promise<void> =>
    onQuery({
      actor: actor.input.value.trim() || null,
      action: action.input.value.trim() || null,
      project: project.input.value.trim() || null,
      from: momentOf(from.input.value),
      to: momentOf(to.input.value),
    });
  const fields = make("div", { class: "side-by-side filter" }, ...[actor, action, project, from, to].map(({ element }) => element));
  return makeForm([fields], { submit: "Show", busy: "Looking…", aside: [save], send });
}

function entry({ row, names }: { readonly row: AuditRowView; readonly names: Names }): HTMLElement {
  const { id, at, action, outcome, details } = row;
  const when = make("time", { class: "muted", datetime: new Date(at).toISOString() }, clock(at, Date.now(), true));
  const head = make("p", {}, make("strong", {}, action), " ", when);
  if (outcome !== "done") head.append(" ", make("span", { class: "badge", "data-tone": "bad" }, outcome));
  const facts = make("p", { class: "muted" }, auditFacts(row, names));
  const item = make("li", { "data-row": id }, make("div", { class: "entry-text" }, head, facts));
  if (details) item.append(make("code", { class: "details" }, details));
  return item;
}
