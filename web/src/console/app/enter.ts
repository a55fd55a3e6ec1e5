/**
 * Before the console's first view: a link in the address is taken, or somebody signs in. Then the server says who that is.
 *
 * Owns what stands there until somebody is in, and again once nobody is.
 */

import { openSession } from "../../api/access.ts";
import type { Me } from "../../api/types.gen.ts";
import { Refusal } from "../../api/request.ts";
import { hasSession, isConsoleLink, linkIn, whenSignedOut } from "../../api/session.ts";
import { byId, setText } from "../../dom.ts";
import { showLink, showSignIn } from "../pages/people/signin.ts";
import { learnWho } from "../pages/people/who.ts";

const RETRY_MS = 2000;

/** Calls `begin` once somebody is signed in. */
export async function enter(begin: (me: Me) => void): Promise<void> {
  let begun = false;
  const place = byId("way-in", HTMLElement);
  whenSignedOut(() => {
    showWay();
    showSignIn(place, start);
  });
  // An address that differs in its fragment alone is no new page.
  addEventListener("hashchange", () => {
    if (linkIn(location.hash) === undefined) return;
    if (begun) location.reload();
    else void tryIn();
  });
  // Somebody signed in beside this tab.
  addEventListener("storage", () => {
    if (hasSession() && !byId("way-in", HTMLElement).hidden) start();
  });

  async function tryIn(): Promise<void> {
    const link = linkIn(location.hash);
    // It is a secret, and is not to stay in the history.
    if (link !== undefined) history.replaceState(null, "", "#/");
    if (link !== undefined && !isConsoleLink(link)) {
      showWay();
      return showLink(place, link, start);
    }
    const trouble = link === undefined ? "" : await opened(link);
    if (hasSession()) return goIn();
    showWay();
    showSignIn(place, start, trouble);
  }
  /** What was begun for somebody else is not to go on. */
  function start(): void {
    if (begun) location.reload();
    else void goIn();
  }
  async function goIn(): Promise<void> {
    const me = await whoIsIn();
    if (me === undefined) return;
    begun = true;
    place.replaceChildren();
    show(true);
    begin(me);
  }
  await tryIn();
}

/** Trades a console's link for a session; answers why it was refused. A session that was opened before goes on then. */
async function opened(link: string): Promise<string> {
  try {
    await openSession(link);
    return "";
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    return problem.message;
  }
}

/** Asks until the server is there; `undefined` where nobody is signed in any more. */
async function whoIsIn(): Promise<Me | undefined> {
  for (;;) {
    try {
      return await learnWho();
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      if (!hasSession()) return undefined;
      show(false);
      setText(byId("way-in", HTMLElement), problem.message);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function showWay(): void {
  document.documentElement.dataset["live"] = "false";
  show(false);
}

function show(inside: boolean): void {
  byId("way-in", HTMLElement).hidden = inside;
  byId("inside", HTMLElement).hidden = !inside;
}
