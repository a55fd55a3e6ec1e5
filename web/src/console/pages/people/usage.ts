/** What a project uses beside what it may use, and the form that says what it may. */

import * as api from "../../../api/projects.ts";
import type { QuotasView, UsageView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeField, makeForm } from "../../parts/form.ts";
import { type Loaded, makeCard } from "../../parts/section.ts";
import { QUOTA_FIELDS, type Use, quotaText, quotasOf, usesOf } from "./quotas.ts";
import { USAGE } from "../../words/projects.ts";
import { has } from "./who.ts";

/** What the project of this name uses. */
export function makeUsage(slug: string): Loaded {
  const load = async () => {
    const [project, usage] = await Promise.all([api.getProject(slug), api.getUsage(slug)]);
    return { quotas: project.quotas, usage };
  };
  const card: Loaded = makeCard("project-usage", USAGE.title, load, ({ quotas, usage }) => [
    describe(usage, quotas),
    ...(has("projects:manage") ? [makeQuotas(slug, quotas, card.reload)] : []),
  ]);
  return card;
}

function describe(usage: UsageView, quotas: QuotasView): HTMLElement {
  const pairs = usesOf(usage, quotas).map((use) => make("div", {}, make("dt", {}, use.name), make("dd", {}, use.text, ...barOf(use))));
  return make("dl", { class: "uses" }, ...pairs);
}

function barOf({ name, text, share }: Use): HTMLElement[] {
  if (share === null) return [];
  return [make("progress", { value: String(share), "aria-label": name, "aria-valuetext": text })];
}

function makeQuotas(slug: string, quotas: QuotasView, onChanged: () => Promise<void>): HTMLElement {
  const fields = QUOTA_FIELDS.map((field) => {
    const step = field.unit === 1 ? "1" : "any";
    const attributes = { type: "number", min: "0", step, inputmode: "decimal", value: quotaText(quotas, field) };
    return makeField(`quota-${field.quota}`, field.label, attributes);
  });
  const send = async (): Promise<void> => {
    await api.setQuotas(slug, quotasOf(fields.map(({ input }) => input.value)));
    await onChanged();
  };
  const line = make("div", { class: "side-by-side" }, ...fields.map(({ element }) => element));
  const hint = make("p", { class: "muted" }, USAGE.hint);
  const form = makeForm([line, hint], { submit: USAGE.submit, busy: USAGE.busy, send });
  return make("details", { id: "quotas" }, make("summary", {}, USAGE.change), form);
}
