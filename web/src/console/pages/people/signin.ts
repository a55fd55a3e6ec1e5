/**
 * The page before the console's first view: name and password, or what a link in the address is good for.
 *
 * Owns the forms. That somebody is in hears the caller.
 */

import { acceptLink, lookAtLink, resetPassword, signIn } from "../../../api/access.ts";
import type { LinkView } from "../../../api/types.gen.ts";
import { Refusal } from "../../../api/request.ts";
import { make } from "../../../dom.ts";
import { type Sending, makeField, makeForm, makePasswordField } from "../../parts/form.ts";
import { ahead } from "./words.ts";

const NAME = { autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: "" };
const PASSWORD_HINT = "At least 12 characters; a few words that do not belong together are good.";

type OnIn = () => void;

/** Shows the form for name and password, with `trouble` above it where there is some. */
export function showSignIn(place: HTMLElement, onIn: OnIn, trouble = ""): void {
  const name = makeField("sign-in-name", "Name", NAME);
  const password = makePasswordField("sign-in-password", "Password", "current");
  const send = (): Promise<void> => signIn(name.input.value, password.input.value);
  const form = formOf([name.element, password.element], { submit: "Sign in", busy: "Signing in…", send }, onIn);
  const problem = make("p", { class: "problem", role: "alert" }, trouble);
  show(place, "Sign in", problem, form, makeWithout());
}

/** Shows what the link is good for, or why it is not. */
export async function showLink(place: HTMLElement, link: string, onIn: OnIn): Promise<void> {
  show(place, "One moment", make("p", { class: "muted" }, "Looking at the link…"));
  try {
    const view = await lookAtLink(link);
    if (view.kind === "reset") showReset(place, link, view, onIn);
    else showAccept(place, link, view, onIn);
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    showSignIn(place, onIn, refused.message);
  }
}

function showAccept(place: HTMLElement, link: string, { kind, expiresAt }: LinkView, onIn: OnIn): void {
  const name = makeField("new-name", "Name", NAME, "What you sign in with: 3 to 64 of a-z 0-9 . _ - @");
  const display = makeField("new-display", "Shown name", { autocomplete: "name", required: "" }, "What others read.");
  const password = makePasswordField("new-password", "Password", "new", PASSWORD_HINT);
  const send = (): Promise<void> =>
    acceptLink(link, { name: name.input.value, display: display.input.value, password: password.input.value });
  const form = formOf([name.element, display.element, password.element], { submit: "Make the account", busy: "Making it…", send }, onIn);
  const what =
    kind === "firstAdmin"
      ? "The first account looks after this server: it invites others, and may do everything."
      : "You are invited to this server. Choose how you sign in.";
  show(place, "Make an account", make("p", {}, what), goodUntil(expiresAt), form);
}

function showReset(place: HTMLElement, link: string, { name, expiresAt }: LinkView, onIn: OnIn): void {
  const password = makePasswordField("new-password", "New password", "new", PASSWORD_HINT);
  // For what keeps passwords: it has to know whose this one is.
  const whose = make("input", { type: "text", autocomplete: "username", value: name ?? "", readonly: "", hidden: "" });
  const send = (): Promise<void> => resetPassword(link, password.input.value);
  const form = formOf([whose, password.element], { submit: "Set the password", busy: "Setting it…", send }, onIn);
  const what = make(
    "p",
    {},
    "A new password",
    ...(name === null ? [] : [" for ", make("strong", {}, name)]),
    ". All sessions that are open end.",
  );
  show(place, "Set a new password", what, goodUntil(expiresAt), form);
}

function goodUntil(expiresAt: number): HTMLElement {
  return make("p", { class: "muted" }, `The link is good once, and ends ${ahead(expiresAt, Date.now())}.`);
}

/** Whoever sits at the server needs no account. */
function makeWithout(): HTMLElement {
  const how = make("p", { class: "muted" }, "Alone on your machine: run ", make("code", {}, "weevil console"));
  how.append(" on the machine on which the server runs, as the same user, and open the address that it prints.");
  const why = make("p", { class: "muted" }, "Elsewhere: somebody who looks after this server can invite you.");
  return make("section", { class: "without" }, make("h2", {}, "No account?"), how, why);
}

function formOf(fields: readonly Node[], sending: Sending, onIn: OnIn): HTMLFormElement {
  const send = async (): Promise<void> => {
    await sending.send();
    onIn();
  };
  return makeForm(fields, { ...sending, send });
}

function show(place: HTMLElement, title: string, ...below: Node[]): void {
  const head = make("h1", { tabindex: "-1" }, title);
  place.replaceChildren(head, ...below);
  (place.querySelector<HTMLElement>("input:not([hidden])") ?? head).focus();
}
