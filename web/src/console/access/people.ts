/** The people of this server: an invitation for somebody, and the accounts that there are. */

import { invite, listAccounts } from "../../api/people.ts";
import type { AccountState, AccountView } from "../../api/types.gen.ts";
import { make } from "../../dom.ts";
import { age } from "../format.ts";
import { makeChoice, makeForm, makeTick } from "../form.ts";
import { personAddress } from "../route.ts";
import { makePaged } from "../section.ts";
import { showOnceHere } from "../shownonce.ts";
import { has } from "./who.ts";
import { accountBadge, accountTone, ahead } from "./words.ts";

const HOURS = [
  ["24", "a day"],
  ["168", "a week"],
  ["720", "a month"],
] as const;
const USUAL_HOURS = "168";
const STATES = [
  ["", "all"],
  ["active", "active"],
  ["disabled", "disabled"],
] as const;

/** Fills `place`. */
export function openPeople(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, "People");
  document.title = "People";
  place.replaceChildren(title, ...(has("accounts:manage") ? [makeInvite()] : []), makeAccounts());
  title.focus({ preventScroll: true });
  return () => undefined;
}

function makeInvite(): HTMLElement {
  const hours = makeChoice("invite-hours", "The link is good for", HOURS);
  hours.input.value = USUAL_HOURS;
  const admin = makeTick("invite-admin", "Looks after the server", "May do everything, like you.");
  const link = make("div");
  const send = async (): Promise<void> => {
    const made = await invite(admin.input.checked, Number(hours.input.value));
    const hint = `Give it to one person by a way that only they read. It is good once, and ends ${ahead(made.expiresAt, Date.now())}.`;
    showOnceHere(link, "invite-link", "The invitation", made.address, hint);
  };
  const form = makeForm([hours.element, admin.element], { submit: "Make an invitation", busy: "Making it…", send });
  return make("section", { class: "card" }, make("h2", {}, "Invite somebody"), form, link);
}

function makeAccounts(): HTMLElement {
  const state = makeChoice("account-state", "Show", STATES);
  const read = async (after: string | null) => {
    const { accounts, next } = await listAccounts((state.input.value || null) as AccountState | null, after);
    return { rows: accounts, next };
  };
  const list = makePaged({ id: "accounts", read, row: entry, empty: "No accounts." });
  state.input.addEventListener("change", () => void list.reload());
  return make("section", { class: "card" }, make("h2", {}, "Accounts"), state.element, list.element);
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
  const since = make("p", { class: "muted" }, `Made ${age(account.createdAt, Date.now())}`);
  return make("li", { "data-account": account.id }, make("div", { class: "entry-text" }, who, since), badge);
}
