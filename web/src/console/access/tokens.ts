/** One's own programs: the tokens by which they ask, a form that makes one, and its secret, which is shown once. */

import { listTokens, makeToken, revokeToken } from "../../api/tokens.ts";
import type { Me, TokenView } from "../../api/types.gen.ts";
import { make } from "../../dom.ts";
import { makeDeed, makeField, makeForm } from "../form.ts";
import { makeCard } from "../section.ts";
import { showOnceHere } from "../shownonce.ts";
import { makeGrant } from "./grant.ts";
import { inOrder, isLive, rightText, tokenTimes } from "./words.ts";

const HINT = "Copy it now: it is shown once. A program sends it as “authorization: Bearer …”.";

export function makeTokens(me: Me): HTMLElement {
  const card = makeCard("tokens", "Programs", listTokens, (tokens) => listOf(tokens, (token) => revoke(token)));
  const revoke = async (token: string): Promise<void> => {
    await revokeToken(token);
    await card.reload();
  };
  const secret = make("div");
  const name = makeField("token-name", "Name", { required: "", maxlength: "100", autocomplete: "off" }, "What you will know it by.");
  const grant = makeGrant("token", me);
  const send = async (): Promise<void> => {
    const made = await makeToken(name.input.value, grant.read());
    showOnceHere(secret, "token-secret", `The token of ${made.token.name}`, made.secret, HINT);
    name.input.value = "";
    await card.reload();
  };
  const form = makeForm([name.element, ...grant.elements], { submit: "Make a token", busy: "Making it…", send });
  const intro = make("p", { class: "muted" }, "A token lets a program ask in your name. ");
  intro.append("On the command line ", make("code", {}, "weevil login"), " gets one by itself.");
  card.element.append(secret, make("details", { id: "new-token" }, make("summary", {}, "Make a token"), intro, form));
  return card.element;
}

/** What still opens something first. */
export function listOf(tokens: readonly TokenView[], revoke: (token: string) => Promise<void>): Node[] {
  if (tokens.length === 0) return [make("p", { class: "muted" }, "No tokens.")];
  const now = Date.now();
  const sorted = [...tokens].sort((one, other) => Number(isLive(other, now)) - Number(isLive(one, now)));
  return [make("ul", { class: "entries" }, ...sorted.map((token) => entry(token, now, revoke)))];
}

function entry(token: TokenView, now: number, revoke: (token: string) => Promise<void>): HTMLElement {
  const where = token.project === null ? "in all projects of its owner" : `in ${token.project}`;
  const may = make("details", {}, make("summary", { class: "muted" }, `What it may do, ${where}`));
  may.append(make("ul", { class: "plain" }, ...inOrder(token.scopes).map((scope) => make("li", {}, rightText(scope)))));
  const times = make("p", { class: "muted" }, tokenTimes(token, now));
  const item = make(
    "li",
    { "data-token": token.id },
    make("div", { class: "entry-text" }, make("p", {}, make("strong", {}, token.name)), times, may),
  );
  if (isLive(token, now)) item.append(makeDeed("Revoke", `Revoke ${token.name}`, () => revoke(token.id)));
  return item;
}
