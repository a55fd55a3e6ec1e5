/**
 * What a program is given: scopes, one project or all, days. Shared by tokens that somebody makes and logins that somebody approves.
 *
 * Offers what its owner may at this moment. Whether a token may do something the server decides each time.
 */

import type { TokenAsked } from "../../../api/tokens.ts";
import type { Me } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeChoice, makeTick } from "../../parts/form.ts";
import { GRANT } from "../../words/me.ts";
import { inOrder, rightText } from "../../words/people.ts";

const USUAL_DAYS = "90";
/** Ticked at first: what a program needs that has work computed. */
const USUAL = new Set(["runs:read", "runs:write", "jobs:read", "jobs:write", "workflows:read", "workflows:write"]);

export interface Grant {
  readonly elements: readonly HTMLElement[];
  readonly read: () => TokenAsked;
}

/** Ids of the fields begin with `id`. */
export function makeGrant(id: string, { memberships, rights }: Me): Grant {
  const ticks = inOrder(rights).map((right) => {
    const tick = makeTick(`${id}-${right.replace(":", "-")}`, rightText(right));
    tick.input.checked = USUAL.has(right);
    return { right, tick };
  });
  const legend = make("legend", {}, GRANT.may);
  const scopes = make("fieldset", { class: "ticks" }, legend, ...ticks.map(({ tick }) => tick.element));
  const all = ["", GRANT.all] as const;
  const project = makeChoice(`${id}-project`, GRANT.projects, [
    all,
    ...memberships.map(({ project: slug, name }) => [slug, name] as const),
  ]);
  const days = makeChoice(`${id}-days`, GRANT.days, GRANT.spans);
  days.input.value = USUAL_DAYS;
  const read = (): TokenAsked => {
    const asked = { scopes: ticks.filter(({ tick }) => tick.input.checked).map(({ right }) => right), days: Number(days.input.value) };
    return project.input.value === "" ? asked : { ...asked, project: project.input.value };
  };
  return { elements: [scopes, make("div", { class: "side-by-side" }, project.element, days.element)], read };
}
