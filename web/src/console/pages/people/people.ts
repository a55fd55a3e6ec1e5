/** The people of this server: an invitation for somebody, and the accounts that there are. */

import { invite, listAccounts } from "../../../api/people.ts";
import type { AccountView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { allProjects } from "../../../api/projects.ts";
import { age } from "../../words/format.ts";
import { makeChoice, makeForm, makeTick } from "../../parts/form.ts";
import { now } from "../../app/clock.ts";
import { personAddress } from "../../app/routes.ts";
import { makePaged } from "../../parts/paged.tsx";
import { type Loaded, makeCard } from "../../parts/section.ts";
import { makeShowing } from "../../parts/showing.ts";
import { makeHours, makeRoleChoice, showInvitation } from "./invitation.ts";
import { has } from "./who.ts";
import { PEOPLE } from "../../words/accounts.ts";
import { ROLES_HINT, accountBadge, accountTone } from "../../words/people.ts";
import { accountPeek } from "../../words/peoplepeek.ts";

/** Fills `place`. */
export function openPeople(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, PEOPLE.title);
  document.title = PEOPLE.title;
  place.replaceChildren(title, ...(has("accounts:manage") ? [makeInvite()] : []), makeAccounts());
  title.focus({ preventScroll: true });
  return () => undefined;
}

function makeInvite(): HTMLElement {
  const link = make("div");
  const card = makeCard("invite", PEOPLE.invite, allProjects, (projects) => {
    const open = projects.filter(({ archivedAt }) => archivedAt === null);
    const nowhere = ["", PEOPLE.nowhere] as const;
    const project = makeChoice("invite-project", PEOPLE.into, [nowhere, ...open.map(({ slug, name }) => [slug, name] as const)]);
    const [role, hours] = [makeRoleChoice("invite-role"), makeHours("invite-hours")];
    const admin = makeTick("invite-admin", PEOPLE.admin, PEOPLE.adminHint);
    const roles = make("p", { class: "muted" }, ROLES_HINT);
    const follow = (): void => {
      role.element.hidden = project.input.value === "";
      roles.hidden = role.element.hidden;
    };
    const send = async (): Promise<void> => {
      const into = project.input.value === "" ? undefined : { project: project.input.value, role: role.input.value };
      showInvitation(link, await invite(admin.input.checked, Number(hours.input.value), into));
    };
    project.input.addEventListener("change", follow);
    follow();
    const fields = make("div", { class: "side-by-side" }, project.element, role.element, hours.element);
    return [makeForm([fields, roles, admin.element], { submit: PEOPLE.submit, busy: PEOPLE.busy, send })];
  });
  card.element.append(link);
  return card.element;
}

function makeAccounts(): HTMLElement {
  const { element, chosen } = makeShowing("account-state", PEOPLE.show, PEOPLE.states, () => void list.reload());
  const read = async (after: string | null) => {
    const { accounts, next } = await listAccounts(chosen.value || null, after);
    return { rows: accounts, next };
  };
  const list: Loaded = makePaged<AccountView>({
    id: "accounts",
    read,
    row: entry,
    empty: PEOPLE.nothing,
    noun: PEOPLE.noun,
    keyOf: ({ id }) => id,
    find: {
      name: PEOPLE.filter,
      label: PEOPLE.name,
      entry: "listed",
      command: () => PEOPLE.listCommand(chosen.value),
      textOf: ({ name, display }) => `${display} ${name}`,
    },
    peek: (account) => accountPeek(account, now.value),
  });
  return make("section", { class: "card" }, make("h2", {}, PEOPLE.accounts), element, list.element);
}

function entry(account: AccountView): HTMLElement {
  const badge = make("span", { class: "badge", "data-tone": accountTone(account) }, accountBadge(account));
  badge.hidden = badge.textContent === "";
  const who = make(
    "p",
    {},
    make("a", { href: personAddress(account.id) }, account.display || account.name),
    " ",
    make("code", {}, account.name),
  );
  const since = make("p", { class: "muted" }, PEOPLE.made(age(account.createdAt, Date.now())));
  return make("li", { "data-account": account.id }, make("div", { class: "entry-text" }, who, since), badge);
}
