/** What forms for invitations have in common: role, time, and the link, which is shown once. */

import type { LinkMade } from "../../../api/types.gen.ts";
import { type Field, makeChoice } from "../../parts/form.ts";
import { showOnceHere } from "../../parts/shownonce.ts";
import { INVITATION } from "../../words/accounts.ts";
import { ahead } from "../../words/format.ts";
import { ROLES, roleText } from "../../words/people.ts";

const USUAL_HOURS = "168";
const USUAL_ROLE = "researcher";

/** What somebody is to be in a project. */
export function makeRoleChoice(id: string): Field<HTMLSelectElement> {
  const choice = makeChoice(
    id,
    INVITATION.as,
    ROLES.map((role) => [role, roleText(role)] as const),
  );
  choice.input.value = USUAL_ROLE;
  return choice;
}

/** For how long a link is good. */
export function makeHours(id: string): Field<HTMLSelectElement> {
  const choice = makeChoice(id, INVITATION.hours, INVITATION.spans);
  choice.input.value = USUAL_HOURS;
  return choice;
}

export function showInvitation(place: HTMLElement, { address, expiresAt }: LinkMade): void {
  const hint = INVITATION.hint(ahead(expiresAt, Date.now()));
  showOnceHere(place, "invite-link", INVITATION.title, address, hint);
}
