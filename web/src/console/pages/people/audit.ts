/**
 * The audit of the server or of one project: who did what to what, the newest first; filtered, read page by page, and that of the server
 * exported as a file.
 */

import { type AuditQuery, auditExportPath, listAudit } from "../../../api/audit.ts";
import { nameAccounts } from "../../../api/people.ts";
import { nameMembers, nameProjects, projectAudit } from "../../../api/projects.ts";
import { Refusal } from "../../../api/request.ts";
import type { AuditPage, AuditRowView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeDownload } from "../../parts/download.ts";
import { clock } from "../../words/format.ts";
import { makeField, makeForm } from "../../parts/form.ts";
import { projectAddress } from "../../app/routes.ts";
import { makePaged } from "../../parts/section.ts";
import { has } from "./who.ts";
import { type Names, auditFacts, idOf, momentOf } from "./words.ts";

/** Whose audit it is. */
interface Audited {
  readonly title: string;
  readonly read: (query: AuditQuery, after: string | null) => Promise<AuditPage>;
  /** Names of accounts by their ids. @throws Refusal */
  readonly names: () => Promise<Names>;
  /** Whether it has rows of several projects, and can be saved. */
  readonly whole: boolean;
}

const NOBODY: Names = new Map();

const SERVER: Audited = {
  title: "Audit",
  read: listAudit,
  names: async () => new Map([...(await nameProjects()), ...(await nameAccounts())]),
  whole: true,
};

/** Fills `place` with the audit of the server. */
export function openAudit(place: HTMLElement): () => void {
  return fill(place, SERVER);
}

/** Fills `place` with that of the project of this name. */
export function openProjectAudit(place: HTMLElement, slug: string): () => void {
  const read: Audited["read"] = (query, after) => projectAudit(slug, query, after);
  const back = make("p", { class: "back" }, make("a", { href: projectAddress(slug) }, "← The project"));
  const people = () => (has("accounts:manage") ? nameAccounts() : nameMembers(slug));
  const names = async () => new Map([...(await nameProjects()), ...(await people())]);
  return fill(place, { title: `Audit of ${slug}`, read, names, whole: false }, back);
}

/** `back` stands above the title. */
function fill(place: HTMLElement, { title, read, names, whole }: Audited, ...back: Node[]): () => void {
  const head = make("h1", { tabindex: "-1" }, title);
  const known = namesOrNone(names);
  let query: AuditQuery = { actor: null, action: null, project: null, from: null, to: null };
  const list = makePaged({
    id: "audit",
    read: async (after) => {
      const { rows, next } = await read(query, after);
      const named = await known;
      return { rows: rows.map((row) => ({ row, named })), next };
    },
    row: ({ row, named }) => entry(row, named),
    empty: "Nothing that fits.",
  });
  const save = make("div");
  const offer = (): void => {
    if (whole) save.replaceChildren(makeDownload(auditExportPath(query), "audit.ndjson", "Save what fits"));
  };
  const form = makeFilter(save, whole, async (asked) => {
    query = { ...asked, actor: asked.actor && idOf(asked.actor, await known) };
    offer();
    await list.reload();
  });
  offer();
  document.title = title;
  place.replaceChildren(...back, head, make("section", { class: "card" }, form), make("section", { class: "card" }, list.element));
  head.focus({ preventScroll: true });
  return () => undefined;
}

/** Rows without names say as much. */
async function namesOrNone(names: () => Promise<Names>): Promise<Names> {
  try {
    return await names();
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    return NOBODY;
  }
}

function makeFilter(save: HTMLElement, whole: boolean, onQuery: (query: AuditQuery) => Promise<void>): HTMLElement {
  const text = { autocomplete: "off", spellcheck: "false", autocapitalize: "none" };
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
  const shown = [actor, action, ...(whole ? [project] : []), from, to];
  const fields = make("div", { class: "side-by-side filter" }, ...shown.map(({ element }) => element));
  return makeForm([fields], { submit: "Show", busy: "Looking…", aside: whole ? [save] : [], send });
}

function entry(row: AuditRowView, names: Names): HTMLElement {
  const { id, at, action, outcome, details } = row;
  const when = make("time", { class: "muted", datetime: new Date(at).toISOString() }, clock(at, Date.now(), true));
  const head = make("p", {}, make("strong", {}, action), " ", when);
  if (outcome !== "done") head.append(" ", make("span", { class: "badge", "data-tone": "bad" }, outcome));
  const facts = make("p", { class: "muted" }, auditFacts(row, names));
  const item = make("li", { "data-row": id }, make("div", { class: "entry-text" }, head, facts));
  if (details) item.append(make("code", { class: "details" }, details));
  return item;
}
