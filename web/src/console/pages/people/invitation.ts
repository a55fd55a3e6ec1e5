/** What forms for invitations have in common: role, time, and the link, which is shown once. */

import type { LinkMade } from "../../../api/types.gen.ts";
import { type Field, makeChoice } from "../../parts/form.ts";
import { showOnceHere } from "../../parts/shownonce.ts";
import { ROLES, ahead, roleText } from "./words.ts";

const HOURS = [
  ["24", "a day"],
  ["168", "a week"],
  ["720", "a month"],
] as const;
const USUAL_HOURS = "168";
const USUAL_ROLE = "researcher";

/** What somebody is to be in a project. */
export function makeRoleChoice(id: string): Field<HTMLSelectElement> {
  const choice = makeChoice(
    id,
    "As",
    ROLES.map((role) => [role, roleText(role)] as const),
  );
  choice.input.value = USUAL_ROLE;
  return choice;
}

/** For how long a link is good. */
export function makeHours(id: string): Field<HTMLSelectElement> {
  const choice = makeChoice(id, "The link is good for", HOURS);
  choice.input.value = USUAL_HOURS;
  return choice;
}

export function showInvitation(place: HTMLElement, { address, expiresAt }: LinkMade): void {
  const hint = `Give it to one person by a way that only they read. It is good once, and ends ${ahead(expiresAt, Date.now())}.`;
  showOnceHere(place, "invite-link", "The invitation", address, hint);
}
