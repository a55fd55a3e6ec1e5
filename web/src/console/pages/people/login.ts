/** Letting a program in that waits at a command line: who it says it is, from where, and what it is given. */

import { approveLogin, getLogin, refuseLogin } from "../../../api/tokens.ts";
import { make } from "../../../dom.ts";
import { age } from "../../words/format.ts";
import { makeDeed, makeForm } from "../../parts/form.ts";
import { makeCard } from "../../parts/section.ts";
import { makeGrant } from "./grant.ts";
import { learnWho } from "./who.ts";

/** Fills `place` with the question whether the program behind `code` is let in. */
export function openLogin(place: HTMLElement, code: string): () => void {
  const title = make("h1", { tabindex: "-1" }, "Let a program in?");
  const ask = async () => ({ login: await getLogin(code), me: await learnWho() });
  const card = makeCard("login", "It asks for a token of yours", ask, ({ login, me }) => {
    const grant = makeGrant("login", me);
    const approve = async (): Promise<void> => {
      await approveLogin(code, grant.read());
      decided("It is let in: it goes on by itself.");
    };
    const refuse = makeDeed("Refuse", "Refuse this program", async () => {
      await refuseLogin(code);
      decided("It is refused.");
    });
    const form = makeForm([...grant.elements], { submit: "Let it in", busy: "Letting it in…", aside: [refuse], send: approve });
    const facts = make("p", {}, make("strong", {}, login.name), `, from ${login.place}, ${age(login.since, Date.now())}`);
    const sure = make("p", { class: "muted" }, "Go on only if you began this yourself and its code is ", make("code", {}, code), ".");
    return [facts, sure, form];
  });
  function decided(text: string): void {
    place.replaceChildren(title, make("p", { class: "card notice", role: "status" }, text));
    title.focus();
  }
  document.title = "Let a program in?";
  place.replaceChildren(title, card.element);
  title.focus({ preventScroll: true });
  return () => undefined;
}
