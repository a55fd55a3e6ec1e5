/** Programs: lists of the tokens by which they ask; a form that makes one's own, and its secret, which is shown once. */

import { listTokens, makeToken, revokeToken } from "../../../api/tokens.ts";
import type { Me, TokenView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeDeed, makeField, makeForm } from "../../parts/form.ts";
import { type Loaded, makePagedCard } from "../../parts/section.ts";
import { showOnceHere } from "../../parts/shownonce.ts";
import { makeGrant } from "./grant.ts";
import { inOrder, liveFirst, isLive, rightText, tokenTimes } from "./words.ts";

const HINT = "Copy it now: it is shown once. A program sends it as “authorization: Bearer …”.";

export function makeTokens(me: Me): HTMLElement {
  const card = makeTokenCard("tokens", "Programs", listTokens, revokeToken);
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
  const card = makePagedCard(title, { id, read, row: (token: OwnedToken) => entry(token, end), empty: "No tokens." });
  return card;
}

function entry(token: OwnedToken, revoke: Revoke): HTMLElement {
  const now = Date.now();
  const where = token.project === null ? "in all projects of its owner" : `in ${token.project}`;
  const may = make("details", {}, make("summary", { class: "muted" }, `What it may do, ${where}`));
  may.append(make("ul", { class: "plain" }, ...inOrder(token.scopes).map((scope) => make("li", {}, rightText(scope)))));
  const times = make("p", { class: "muted" }, tokenTimes(token, now));
  const item = make(
    "li",
    { "data-token": token.id },
    make(
      "div",
      { class: "entry-text" },
      make("p", {}, make("strong", {}, token.name), ...(token.owner === undefined ? [] : [` of ${token.owner}`])),
      times,
      may,
    ),
  );
  if (isLive(token, now)) item.append(makeDeed("Revoke", `Revoke ${token.name}`, () => revoke(token.id)));
  return item;
}
