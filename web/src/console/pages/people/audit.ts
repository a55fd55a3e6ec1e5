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
import { type Field, makeField, makeForm } from "../../parts/form.ts";
import { projectAddress } from "../../app/routes.ts";
import { now } from "../../app/clock.ts";
import { current, replaceQuery } from "../../app/where.ts";
import { makePaged } from "../../parts/paged.tsx";
import { makeLook } from "../../table/look.tsx";
import { has } from "./who.ts";
import { AUDIT, type Names, auditFacts, auditPeek, idOf, momentOf } from "../../words/audit.ts";

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
  title: AUDIT.title,
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
  const back = make("p", { class: "back" }, make("a", { href: projectAddress(slug) }, AUDIT.back));
  const people = () => (has("accounts:manage") ? nameAccounts() : nameMembers(slug));
  const names = async () => new Map([...(await nameProjects()), ...(await people())]);
  return fill(place, { title: AUDIT.titleOf(slug), read, names, whole: false }, back);
}

/** What stands in the fields, and in the address. */
type Written = Readonly<Record<"actor" | "action" | "project" | "from" | "to", string>>;

function writtenIn(query: URLSearchParams): Written {
  const get = (name: string): string => query.get(name) ?? "";
  return { actor: get("actor"), action: get("action"), project: get("project"), from: get("from"), to: get("to") };
}

function queryOf({ actor, action, project, from, to }: Written, names: Names): AuditQuery {
  return {
    actor: actor === "" ? null : idOf(actor, names),
    action: action || null,
    project: project || null,
    from: momentOf(from),
    to: momentOf(to),
  };
}

/** `back` stands above the title. */
function fill(place: HTMLElement, { title, read, names, whole }: Audited, ...back: Node[]): () => void {
  const head = make("h1", { tabindex: "-1" }, title);
  const known = namesOrNone(names);
  let written = writtenIn(current.peek().query);
  const list = makePaged({
    id: "audit",
    read: async (after) => {
      const named = await known;
      const { rows, next } = await read(queryOf(written, named), after);
      return { rows: rows.map((row) => ({ row, named })), next };
    },
    row: ({ row, named }) => entry(row, named),
    empty: AUDIT.nothing,
    noun: AUDIT.noun,
    nouns: AUDIT.nouns,
    keyOf: ({ row: { id } }) => id,
    peek: ({ row, named }) => auditPeek(row, named, now.value),
  });
  const save = make("div");
  const offer = async (): Promise<void> => {
    if (whole) save.replaceChildren(makeDownload(auditExportPath(queryOf(written, await known)), "audit.ndjson", AUDIT.save));
  };
  const form = makeFilter(save, whole, written, async (anew) => {
    written = anew;
    replaceQuery(written);
    await offer();
    await list.reload();
  });
  void offer();
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

function makeFilter(save: HTMLElement, whole: boolean, written: Written, onWritten: (anew: Written) => Promise<void>): HTMLElement {
  const text = { autocomplete: "off", spellcheck: "false", autocapitalize: "none" };
  const all = {
    actor: makeField("audit-actor", AUDIT.who, { ...text, placeholder: AUDIT.whoHint, value: written.actor }),
    action: makeField("audit-action", AUDIT.what, { ...text, placeholder: AUDIT.whatHint, value: written.action }),
    project: makeField("audit-project", AUDIT.where, { ...text, placeholder: AUDIT.whereHint, value: written.project }),
    from: makeField("audit-from", AUDIT.from, { type: "datetime-local", value: written.from }),
    to: makeField("audit-to", AUDIT.before, { type: "datetime-local", value: written.to }),
  };
  const textIn = ({ input }: Field<HTMLInputElement>): string => input.value.trim();
  const send = (): Promise<void> =>
    onWritten({
      actor: textIn(all.actor),
      action: textIn(all.action),
      project: textIn(all.project),
      from: textIn(all.from),
      to: textIn(all.to),
    });
  const shown = [all.actor, all.action, ...(whole ? [all.project] : []), all.from, all.to];
  const fields = make("div", { class: "side-by-side filter" }, ...shown.map(({ element }) => element));
  return makeForm([fields], { submit: AUDIT.show, busy: AUDIT.looking, aside: whole ? [save] : [], send });
}

function entry(row: AuditRowView, names: Names): HTMLElement {
  const { at, action, outcome, details } = row;
  const when = make("time", { class: "muted", datetime: new Date(at).toISOString() }, clock(at, Date.now(), true));
  const head = make("p", {}, makeLook(make("strong", {}, action)), " ", when);
  if (outcome !== "done") head.append(" ", make("span", { class: "badge", "data-tone": "bad" }, outcome));
  const facts = make("p", { class: "muted" }, auditFacts(row, names));
  const item = make("li", {}, make("div", { class: "entry-text" }, head, facts));
  if (details) item.append(make("code", { class: "details" }, details));
  return item;
}
