/** The page of whoever is signed in: who, what they may, password, sessions and programs. */

import { changePassword, signOut } from "../../../api/access.ts";
import type { Me } from "../../../api/types.gen.ts";
import { make, setText } from "../../../dom.ts";
import { makeDeed, makeForm, makePasswordField } from "../../parts/form.ts";
import { projectAddress } from "../../app/routes.ts";
import { keepPanel } from "../../parts/opened.ts";
import { makeCard } from "../../parts/section.ts";
import { makeSessions } from "./sessions.ts";
import { makeTokens } from "./tokens.ts";
import { learnWho } from "./who.ts";
import { ME } from "../../words/me.ts";
import { inOrder, rightText, roleText, whoText } from "../../words/people.ts";

/** Fills `place`. */
export function openMe(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, ME.title);
  const more = make("div", { class: "page" });
  const who = makeCard("who", ME.who, learnWho, (me) => {
    // The rest follows from who it is, and stays while its own parts change.
    if (more.childElementCount === 0 && me.kind === "account") more.append(...partsFor(me));
    return describe(me);
  });
  document.title = ME.title;
  place.replaceChildren(title, who.element, more);
  title.focus({ preventScroll: true });
  return () => undefined;
}

function partsFor(me: Me): Node[] {
  const sessions = makeSessions();
  return [makePassword(sessions.reload), sessions.element, makeTokens(me)];
}

function describe(me: Me): Node[] {
  const { kind, account, memberships, rights } = me;
  const name = make("p", { class: "who" }, make("strong", {}, whoText(me)));
  if (account !== null) name.append(" ", make("code", {}, account.name));
  if (account?.admin) name.append(" ", make("span", { class: "badge", "data-tone": "good" }, ME.admin));
  const attack = account?.underAttack ? [make("p", { class: "notice", "data-tone": "bad" }, ME.attack)] : [];
  const projects = memberships.map(({ project, name: called, role }) =>
    make("li", {}, make("a", { href: projectAddress(project) }, called), make("span", { class: "muted" }, ME.as(roleText(role)))),
  );
  const list = make("ul", { class: "plain" }, ...projects);
  const without = kind === "local" ? ME.local : ME.noProject;
  const where = projects.length > 0 ? [make("h3", {}, ME.projects), list] : account?.admin ? [] : [make("p", { class: "muted" }, without)];
  const words = inOrder(rights).map((right) => make("li", {}, rightText(right)));
  const may = make("details", {}, make("summary", {}, ME.may), make("ul", { class: "plain" }, ...words));
  keepPanel(may, "may");
  const out = makeDeed(ME.out, ME.out, async () => {
    await signOut();
    location.replace("#/");
    location.reload();
  });
  return [name, ...attack, ...where, ...(words.length > 0 ? [may] : []), out];
}

function makePassword(onChanged: () => Promise<void>): HTMLElement {
  const password = makePasswordField("change-password", ME.newPassword, "new", ME.passwordHint);
  const told = make("p", { class: "muted", role: "status" });
  const send = async (): Promise<void> => {
    setText(told, "");
    await changePassword(password.input.value);
    password.input.value = "";
    setText(told, ME.changed);
    await onChanged();
  };
  const form = makeForm([password.element], { submit: ME.submit, busy: ME.busy, send });
  return make("section", { class: "card" }, make("h2", {}, ME.password), form, told);
}
