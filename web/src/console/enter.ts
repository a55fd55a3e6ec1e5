/**
 * Before the console's first view: a link in the address is traded for a session; without one, words that say where to get a link.
 */

import { openSession } from "../api/client.ts";
import { Refusal } from "../api/request.ts";
import { hasSession, keepSession, linkIn, whenSignedOut } from "../api/session.ts";
import { byId, setText } from "../dom.ts";

/** Calls `begin` once somebody is signed in. */
export async function enter(begin: () => void): Promise<void> {
  let begun = false;
  whenSignedOut(showWay);
  // An address that differs in its fragment alone is no new page.
  addEventListener("hashchange", () => {
    if (linkIn(location.hash) === undefined) return;
    if (begun) location.reload();
    else void tryIn();
  });

  async function tryIn(): Promise<void> {
    await takeLink();
    begun = hasSession();
    if (!begun) return showWay();
    show(true);
    begin();
  }
  await tryIn();
}

/** Trades the link in the address, if there is one. */
async function takeLink(): Promise<void> {
  const link = linkIn(location.hash);
  if (link === undefined) return;
  // It is worth nothing from now on, and is not to stay in the history.
  history.replaceState(null, "", "#/");
  try {
    keepSession((await openSession(link)).key);
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    // A session that was opened before goes on.
  }
}

function showWay(): void {
  document.documentElement.dataset["live"] = "false";
  setText(byId("fleet", HTMLElement), "Not signed in");
  show(false);
}

function show(inside: boolean): void {
  byId("way-in", HTMLElement).hidden = inside;
  byId("inside", HTMLElement).hidden = !inside;
}
