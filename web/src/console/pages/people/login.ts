/** Letting a program in that waits at a command line: who it says it is, from where, and what it is given. */

import { approveLogin, getLogin, refuseLogin } from "../../../api/tokens.ts";
import { make } from "../../../dom.ts";
import { age } from "../../words/format.ts";
import { filled } from "../../parts/elements.ts";
import { makeDeed, makeForm } from "../../parts/form.ts";
import { makeCard } from "../../parts/section.ts";
import { makeGrant } from "./grant.ts";
import { LOGIN } from "../../words/me.ts";
import { learnWho } from "./who.ts";

/** Fills `place` with the question whether the program behind `code` is let in. */
export function openLogin(place: HTMLElement, code: string): () => void {
  const title = make("h1", { tabindex: "-1" }, LOGIN.title);
  const ask = async () => ({ login: await getLogin(code), me: await learnWho() });
  const card = makeCard("login", LOGIN.asks, ask, ({ login, me }) => {
    const grant = makeGrant("login", me);
    const approve = async (): Promise<void> => {
      await approveLogin(code, grant.read());
      decided(LOGIN.approved);
    };
    const refuse = makeDeed(LOGIN.refuse, LOGIN.refuseLabel, async () => {
      await refuseLogin(code);
      decided(LOGIN.refused);
    });
    const form = makeForm([...grant.elements], { submit: LOGIN.submit, busy: LOGIN.busy, aside: [refuse], send: approve });
    const facts = make("p", {}, make("strong", {}, login.name), LOGIN.from(login.place, age(login.since, Date.now())));
    const sure = make("p", { class: "muted" }, ...filled(LOGIN.sure, make("code", {}, code)));
    return [facts, sure, form];
  });
  function decided(text: string): void {
    place.replaceChildren(title, make("p", { class: "card notice", role: "status" }, text));
    title.focus();
  }
  document.title = LOGIN.title;
  place.replaceChildren(title, card.element);
  title.focus({ preventScroll: true });
  return () => undefined;
}
