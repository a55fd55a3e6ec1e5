/** Words of the audit, and what it says of who did what. Pure; every moment comes in as an argument. */

import type { AuditRowView } from "../../api/types.gen.ts";
import { type Peek, moment, told } from "./peek.ts";

export const AUDIT = {
  title: "Audit",
  titleOf: (slug: string) => `Audit of ${slug}`,
  back: "← The project",
  nothing: "Nothing that fits.",
  noun: "entry",
  nouns: "entries",
  save: "Save what fits",
  who: "Who",
  whoHint: "a name or local",
  what: "What",
  whatHint: "session.opened",
  where: "Where",
  whereHint: "default",
  from: "From",
  before: "Before",
  show: "Show",
  looking: "Looking…",
  peek: {
    when: "When",
    outcome: "Outcome",
    who: "Who",
    to: "To what",
    where: "In project",
    from: "From",
    details: "Details",
    id: "Id",
  },
} as const;

/** Names of accounts, and of projects in addresses, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The id of the account that somebody means by its name; anything else as it is. */
export function idOf(text: string, names: Names): string {
  const wanted = text.toLowerCase();
  for (const [id, name] of names) if (name === wanted && id.startsWith("acc_")) return id;
  return text;
}

/** `by ada, to bob, in default, from 192.0.2.1`; ids of accounts as names, where they are known. */
export function auditFacts({ actor, subject, project, place }: AuditRowView, names: Names): string {
  const facts = [
    ["by", names.get(actor) ?? actor],
    ["to", subject && (names.get(subject) ?? subject)],
    ["in", project && (names.get(project) ?? project)],
    ["from", place],
  ] as const;
  return facts
    .filter(([, of]) => of)
    .map((fact) => fact.join(" "))
    .join(", ");
}

/** A moment that somebody wrote into a field, by the clock of this browser; nothing where nothing is written. */
export function momentOf(text: string): number | null {
  const at = text === "" ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}

/** All there is to say of an entry, for it has no page. */
export function auditPeek(row: AuditRowView, names: Names, now: number): Peek {
  const { id, at, actor, action, subject, project, place, outcome, details } = row;
  const { peek } = AUDIT;
  const named = (one: string | null): string => (one === null ? "" : names.has(one) ? `${names.get(one)}, ${one}` : one);
  return {
    title: action,
    mark: undefined,
    facts: told([
      [peek.when, moment(at, now)],
      [peek.outcome, outcome],
      [peek.who, named(actor)],
      [peek.to, named(subject)],
      [peek.where, named(project)],
      [peek.from, place ?? ""],
      [peek.details, details ?? ""],
      [peek.id, id],
    ]),
  };
}
