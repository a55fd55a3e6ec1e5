/** What a project may use, and the form that says so. */

import * as api from "../../api/projects.ts";
import type { QuotasView } from "../../api/types.gen.ts";
import { make } from "../../dom.ts";
import { makeField, makeForm } from "../form.ts";
import { type Loaded, makeCard } from "../section.ts";
import { QUOTA_FIELDS, boundsOf, quotaText, quotasOf } from "./quotas.ts";
import { has } from "./who.ts";

/** Of the project of this name. */
export function makeBounds(slug: string): Loaded {
  const load = async () => (await api.getProject(slug)).quotas;
  const card: Loaded = makeCard("project-bounds", "What it may use", load, (quotas) => [
    describe(quotas),
    ...(has("projects:manage") ? [makeQuotas(slug, quotas, card.reload)] : []),
  ]);
  return card;
}

function describe(quotas: QuotasView): HTMLElement {
  const pairs = boundsOf(quotas).map(({ name, text }) => make("div", {}, make("dt", {}, name), make("dd", {}, text)));
  return make("dl", { class: "bounds" }, ...pairs);
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
  const hint = make("p", { class: "muted" }, "0 is no bound. What goes on already is not stopped by a smaller one.");
  const form = makeForm([line, hint], { submit: "Set the bounds", busy: "Setting them…", send });
  return make("details", { id: "quotas" }, make("summary", {}, "Change what it may use"), form);
}
