/** Lists of sessions: the browsers in which somebody is signed in. One's own have a button each that ends it. */

import { endOtherSessions, endSession, listSessions } from "../../../api/access.ts";
import type { SessionView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { now } from "../../app/clock.ts";
import { makeDeed } from "../../parts/form.ts";
import { type Loaded, makeCard } from "../../parts/section.ts";
import { makePeekable } from "../../table/held.tsx";
import { makeLook } from "../../table/look.tsx";
import { letRove } from "../../table/rove.ts";
import { SESSIONS } from "../../words/me.ts";
import { sessionText, sessionTimes } from "../../words/people.ts";
import { sessionPeek } from "../../words/peoplepeek.ts";

export function makeSessions(): Loaded {
  const card: Loaded = makeCard("sessions", SESSIONS.title, listSessions, (sessions) => {
    const all = makeDeed(SESSIONS.endOthers, SESSIONS.endOthersLabel, async () => {
      await endOtherSessions();
      await card.reload();
    });
    all.hidden = sessions.length < 2;
    return [makeSessionList("sessions", sessions, (session) => [makeEnd(session, card.reload)]), all];
  });
  return card;
}

/** Sessions as people know them; `aside` stands at the end of each. Keys lead through the list, which peeks call `id`. */
export function makeSessionList(id: string, sessions: readonly SessionView[], aside: (session: SessionView) => HTMLElement[]): HTMLElement {
  const entries = sessions.map((session) => {
    const times = make("p", { class: "muted" }, sessionTimes(session, Date.now()));
    const text = make("div", { class: "entry-text" }, make("p", {}, makeLook(sessionText(session))), times);
    return make("li", { "data-session": session.id, "data-row": session.id }, text, ...aside(session));
  });
  const list = make("ul", { class: "entries" }, ...entries);
  letRove(list, () => entries);
  return makePeekable(id, list, (key) => {
    const session = sessions.find((one) => one.id === key);
    return session && sessionPeek(session, now.value);
  });
}

function makeEnd(session: SessionView, onEnded: () => Promise<void>): HTMLElement {
  if (session.current) return make("span", { class: "badge", "data-tone": "good" }, SESSIONS.current);
  return makeDeed(SESSIONS.end, SESSIONS.endLabel(sessionText(session)), async () => {
    await endSession(session.id);
    await onEnded();
  });
}
