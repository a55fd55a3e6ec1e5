/** The page of whoever is signed in: who, what they may, password, sessions and programs. */

import { changePassword, signOut } from "../../../api/access.ts";
import type { Me } from "../../../api/types.gen.ts";
import { make, setText } from "../../../dom.ts";
import { makeDeed, makeForm, makePasswordField } from "../../parts/form.ts";
import { projectAddress } from "../../app/routes.ts";
import { makeCard } from "../../parts/section.ts";
import { makeSessions } from "./sessions.ts";
import { makeTokens } from "./tokens.ts";
import { learnWho } from "./who.ts";
import { inOrder, rightText, roleText, whoText } from "./words.ts";

/** Fills `place`. */
export function openMe(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, "Me");
  const more = make("div", { class: "page" });
  const who = makeCard("who", "Signed in as", learnWho, (me) => {
    // The rest follows from who it is, and stays while its own parts change.
    if (more.childElementCount === 0 && me.kind === "account") more.append(...partsFor(me));
    return describe(me);
  });
  document.title = "Me";
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
  if (account?.admin) name.append(" ", make("span", { class: "badge", "data-tone": "good" }, "server admin"));
  const attack = account?.underAttack ? [make("p", { class: "notice", "data-tone": "bad" }, ATTACK)] : [];
  const projects = memberships.map(({ project, name: called, role }) =>
    make("li", {}, make("a", { href: projectAddress(project) }, called), make("span", { class: "muted" }, ` as ${roleText(role)}`)),
  );
  const list = make("ul", { class: "plain" }, ...projects);
  const without =
    kind === "local" ? "You came by a link from the server's own machine: no account, and nothing is closed to you." : NO_PROJECT;
  const where = projects.length > 0 ? [make("h3", {}, "Projects"), list] : account?.admin ? [] : [make("p", { class: "muted" }, without)];
  const words = inOrder(rights).map((right) => make("li", {}, rightText(right)));
  const may = make("details", {}, make("summary", {}, "What you may do"), make("ul", { class: "plain" }, ...words));
  const out = makeDeed("Sign out", "Sign out", async () => {
    await signOut();
    location.replace("#/");
    location.reload();
  });
  return [name, ...attack, ...where, ...(words.length > 0 ? [may] : []), out];
}

const ATTACK =
  "Somebody is guessing your password: a thousand sign-ins as you have failed within a day. It does not hold up a browser in which you have signed in before. A long password that you use nowhere else keeps them out.";
const NO_PROJECT = "You are in no project yet. Ask somebody who looks after one, or after the server.";

function makePassword(onChanged: () => Promise<void>): HTMLElement {
  const password = makePasswordField("change-password", "New password", "new", "At least 12 characters. Your other sessions end.");
  const told = make("p", { class: "muted", role: "status" });
  const send = async (): Promise<void> => {
    setText(told, "");
    await changePassword(password.input.value);
    password.input.value = "";
    setText(told, "The password is changed.");
    await onChanged();
  };
  const form = makeForm([password.element], { submit: "Change the password", busy: "Changing it…", send });
  return make("section", { class: "card" }, make("h2", {}, "Password"), form, told);
}
