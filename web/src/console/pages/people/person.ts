/** One account, and what can be done to it: a link for a new password, its role, its sessions and programs, its end. */

import * as api from "../../../api/people.ts";
import { listAccountTokens, revokeAccountToken } from "../../../api/tokens.ts";
import type { AccountView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { age, ahead } from "../../words/format.ts";
import { makeDeed } from "../../parts/form.ts";
import { confirmed } from "../../parts/question.ts";
import { PEOPLE } from "../../app/routes.ts";
import { type Loaded, makeCard } from "../../parts/section.ts";
import { showOnceHere } from "../../parts/shownonce.ts";
import { makeSessionList } from "./sessions.ts";
import { makeTokenCard } from "./tokens.ts";
import { PERSON } from "../../words/accounts.ts";
import { accountBadge, accountTone } from "../../words/people.ts";

/** Fills `place` with the account of this id. */
export function openPerson(place: HTMLElement, id: string): () => void {
  const title = make("h1", { tabindex: "-1" }, PERSON.title);
  const back = make("p", { class: "back" }, make("a", { href: PEOPLE }, PERSON.back));
  const link = make("div");
  const account = makeCard(
    "account",
    PERSON.title,
    () => api.getAccount(id),
    (it) => {
      title.textContent = it.display || it.name || PERSON.removed;
      document.title = title.textContent;
      return [describe(it), make("div", { class: "deeds" }, ...deeds(it, link, changed))];
    },
  );
  const [sessions, tokens] = [makeSessions(id), makeTokens(id)];
  async function changed(): Promise<void> {
    await Promise.all([account.reload(), sessions.reload(), tokens.reload()]);
  }
  account.element.append(link);
  place.replaceChildren(back, title, account.element, sessions.element, tokens.element);
  title.focus({ preventScroll: true });
  return () => undefined;
}

function describe(account: AccountView): HTMLElement {
  const badge = make("span", { class: "badge", "data-tone": accountTone(account) }, accountBadge(account));
  badge.hidden = badge.textContent === "";
  return make("p", {}, make("code", {}, account.name), " ", badge, " ", PERSON.made(age(account.createdAt, Date.now())));
}

type Changed = () => Promise<void>;

function deeds(account: AccountView, link: HTMLElement, changed: Changed): HTMLElement[] {
  const { id, name, admin, state } = account;
  if (state === "removed") return [];
  const after = (deed: () => Promise<unknown>) => async (): Promise<void> => {
    await deed();
    await changed();
  };
  const reset = makeDeed(PERSON.reset, PERSON.resetLabel(name), async () => {
    const made = await api.makeResetLink(id);
    const hint = PERSON.resetHint(ahead(made.expiresAt, Date.now()));
    showOnceHere(link, "reset-link", PERSON.resetTitle(name), made.address, hint);
  });
  const disabled = state === "disabled";
  const all = [
    makeDeed(
      admin ? PERSON.noAdmin : PERSON.makeAdmin,
      admin ? PERSON.noAdminLabel(name) : PERSON.makeAdminLabel(name),
      after(() => api.setAdmin(id, !admin)),
    ),
    makeDeed(
      disabled ? PERSON.enable : PERSON.disable,
      disabled ? PERSON.enableLabel(name) : PERSON.disableLabel(name),
      after(() => api.setDisabled(id, !disabled)),
    ),
    makeDeed(PERSON.remove, PERSON.removeLabel(name), () => remove(account)),
  ];
  return disabled ? all : [reset, ...all];
}

async function remove({ id, name }: AccountView): Promise<void> {
  if (!(await confirmed({ id: "remove", ...PERSON.removal, title: PERSON.removal.title(name) }))) return;
  await api.removeAccount(id);
  location.hash = PEOPLE;
}

function makeSessions(id: string): Loaded {
  const card = makeCard(
    "account-sessions",
    PERSON.sessions,
    () => api.listAccountSessions(id),
    (sessions) => {
      if (sessions.length === 0) return [make("p", { class: "muted" }, PERSON.nowhere)];
      const end = makeDeed(PERSON.endAll, PERSON.endAllLabel, async () => {
        await api.endAccountSessions(id);
        await card.reload();
      });
      return [makeSessionList("account-sessions", sessions, () => []), end];
    },
  );
  return card;
}

function makeTokens(id: string): Loaded {
  return makeTokenCard(
    "account-tokens",
    PERSON.programs,
    (after) => listAccountTokens(id, after),
    (token) => revokeAccountToken(id, token),
  );
}
