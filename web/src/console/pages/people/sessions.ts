/** One's own sessions: the browsers in which one is signed in, each with a button that ends it. */

import { endOtherSessions, endSession, listSessions } from "../../../api/access.ts";
import type { SessionView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeDeed } from "../../parts/form.ts";
import { type Loaded, makeCard } from "../../parts/section.ts";
import { SESSIONS } from "../../words/me.ts";
import { sessionText, sessionTimes } from "../../words/people.ts";

export function makeSessions(): Loaded {
  const card: Loaded = makeCard("sessions", SESSIONS.title, listSessions, (sessions) => {
    const all = makeDeed(SESSIONS.endOthers, SESSIONS.endOthersLabel, async () => {
      await endOtherSessions();
      await card.reload();
    });
    all.hidden = sessions.length < 2;
    return [make("ul", { class: "entries" }, ...sessions.map((session) => entry(session, card.reload))), all];
  });
  return card;
}

/** A session as people know it. */
export function describeSession(session: SessionView): HTMLElement {
  const times = make("p", { class: "muted" }, sessionTimes(session, Date.now()));
  return make("div", { class: "entry-text" }, make("p", {}, sessionText(session)), times);
}

function entry(session: SessionView, onEnded: () => Promise<void>): HTMLElement {
  const item = make("li", { "data-session": session.id }, describeSession(session));
  const end = async (): Promise<void> => {
    await endSession(session.id);
    await onEnded();
  };
  item.append(
    session.current
      ? make("span", { class: "badge", "data-tone": "good" }, SESSIONS.current)
      : makeDeed(SESSIONS.end, SESSIONS.endLabel(sessionText(session)), end),
  );
  return item;
}
