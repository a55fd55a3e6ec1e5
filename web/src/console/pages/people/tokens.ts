/** Programs: lists of the tokens by which they ask; a form that makes one's own, and its secret, which is shown once. */

import { listTokens, makeToken, revokeToken } from "../../../api/tokens.ts";
import type { Me, TokenView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { now } from "../../app/clock.ts";
import { filled } from "../../parts/elements.ts";
import { makeDeed, makeField, makeForm } from "../../parts/form.ts";
import { keepPanel } from "../../parts/opened.ts";
import { makePagedCard } from "../../parts/paged.tsx";
import type { Loaded } from "../../parts/section.ts";
import { showOnceHere } from "../../parts/shownonce.ts";
import { makeLook } from "../../table/look.tsx";
import { makeGrant } from "./grant.ts";
import { TOKENS } from "../../words/me.ts";
import { inOrder, isLive, liveFirst, rightText, tokenTimes } from "../../words/people.ts";
import { tokenPeek } from "../../words/peoplepeek.ts";

export function makeTokens(me: Me): HTMLElement {
  const card = makeTokenCard("tokens", TOKENS.title, listTokens, revokeToken);
  const secret = make("div");
  const name = makeField("token-name", TOKENS.name, { required: "", maxlength: "100", autocomplete: "off" }, TOKENS.nameHint);
  const grant = makeGrant("token", me);
  const send = async (): Promise<void> => {
    const made = await makeToken(name.input.value, grant.read());
    showOnceHere(secret, "token-secret", TOKENS.secret(made.token.name), made.secret, TOKENS.secretHint);
    name.input.value = "";
    await card.reload();
  };
  const form = makeForm([name.element, ...grant.elements], { submit: TOKENS.make, busy: TOKENS.busy, send });
  const intro = make("p", { class: "muted" }, ...filled(TOKENS.intro, make("code", {}, TOKENS.login)));
  card.element.append(secret, make("details", { id: "new-token" }, make("summary", {}, TOKENS.make), intro, form));
  return card.element;
}

/** `owner`: the name of whose it is, where that is told. */
type OwnedToken = TokenView & { readonly owner?: string };
type ReadTokens = (after: string | null) => Promise<{ readonly tokens: readonly OwnedToken[]; readonly next: string | null }>;
type Revoke = (token: string) => Promise<unknown>;

/** Tokens page by page, on each what still opens something first. */
export function makeTokenCard(id: string, title: string, readPage: ReadTokens, revoke: Revoke): Loaded {
  const read = async (after: string | null) => {
    const { tokens, next } = await readPage(after);
    return { rows: liveFirst(tokens, Date.now()), next };
  };
  const end = async (token: string): Promise<void> => {
    await revoke(token);
    await card.reload();
  };
  const card = makePagedCard<OwnedToken>(title, {
    id,
    read,
    row: (token) => entry(token, end),
    empty: TOKENS.nothing,
    keyOf: (token) => token.id,
    peek: (token) => tokenPeek(token, now.value),
  });
  return card;
}

function entry(token: OwnedToken, revoke: Revoke): HTMLElement {
  const at = Date.now();
  const what = token.project === null ? TOKENS.mayEverywhere : TOKENS.mayIn(token.project);
  const may = make("details", {}, make("summary", { class: "muted" }, what));
  keepPanel(may, `may-${token.id}`);
  may.append(make("ul", { class: "plain" }, ...inOrder(token.scopes).map((scope) => make("li", {}, rightText(scope)))));
  const times = make("p", { class: "muted" }, tokenTimes(token, at));
  const item = make(
    "li",
    { "data-token": token.id },
    make(
      "div",
      { class: "entry-text" },
      make("p", {}, makeLook(make("strong", {}, token.name)), ...(token.owner === undefined ? [] : [TOKENS.of(token.owner)])),
      times,
      may,
    ),
  );
  if (isLive(token, at)) item.append(makeDeed(TOKENS.revoke, TOKENS.revokeLabel(token.name), () => revoke(token.id)));
  return item;
}
