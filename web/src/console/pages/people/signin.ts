/**
 * The page before the console's first view: name and password, or what a link in the address is good for.
 *
 * Owns the forms. That somebody is in hears the caller.
 */

import { acceptLink, lookAtLink, resetPassword, signIn } from "../../../api/access.ts";
import type { LinkView } from "../../../api/types.gen.ts";
import { Refusal } from "../../../api/request.ts";
import { make } from "../../../dom.ts";
import { filled } from "../../parts/elements.ts";
import { type Sending, makeField, makeForm, makePasswordField } from "../../parts/form.ts";
import { ahead } from "../../words/format.ts";
import { SIGN_IN } from "../../words/signin.ts";

const NAME = { autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: "" };

type OnIn = () => void;

/** Shows the form for name and password, with `trouble` above it where there is some. */
export function showSignIn(place: HTMLElement, onIn: OnIn, trouble = ""): void {
  const name = makeField("sign-in-name", SIGN_IN.name, NAME);
  const password = makePasswordField("sign-in-password", SIGN_IN.password, "current");
  const send = (): Promise<void> => signIn(name.input.value, password.input.value);
  const form = formOf([name.element, password.element], { submit: SIGN_IN.submit, busy: SIGN_IN.busy, send }, onIn);
  const problem = make("p", { class: "problem", role: "alert" }, trouble);
  show(place, SIGN_IN.title, problem, form, makeWithout());
}

/** Shows what the link is good for, or why it is not. */
export async function showLink(place: HTMLElement, link: string, onIn: OnIn): Promise<void> {
  show(place, SIGN_IN.moment, make("p", { class: "muted" }, SIGN_IN.looking));
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
  const { accept } = SIGN_IN;
  const name = makeField("new-name", SIGN_IN.name, NAME, accept.nameHint);
  const display = makeField("new-display", accept.display, { autocomplete: "name", required: "" }, accept.displayHint);
  const password = makePasswordField("new-password", SIGN_IN.password, "new", SIGN_IN.passwordHint);
  const send = (): Promise<void> =>
    acceptLink(link, { name: name.input.value, display: display.input.value, password: password.input.value });
  const form = formOf([name.element, display.element, password.element], { submit: accept.submit, busy: accept.busy, send }, onIn);
  const what = kind === "firstAdmin" ? accept.first : accept.invited;
  show(place, accept.title, make("p", {}, what), goodUntil(expiresAt), form);
}

function showReset(place: HTMLElement, link: string, { name, expiresAt }: LinkView, onIn: OnIn): void {
  const { reset } = SIGN_IN;
  const password = makePasswordField("new-password", reset.password, "new", SIGN_IN.passwordHint);
  // For what keeps passwords: it has to know whose this one is.
  const whose = make("input", { type: "text", autocomplete: "username", value: name ?? "", readonly: "", hidden: "" });
  const send = (): Promise<void> => resetPassword(link, password.input.value);
  const form = formOf([whose, password.element], { submit: reset.submit, busy: reset.busy, send }, onIn);
  const what = make("p", {}, ...(name === null ? [reset.what] : filled(reset.whatOf, make("strong", {}, name))));
  show(place, reset.title, what, goodUntil(expiresAt), form);
}

function goodUntil(expiresAt: number): HTMLElement {
  return make("p", { class: "muted" }, SIGN_IN.ends(ahead(expiresAt, Date.now())));
}

/** Whoever sits at the server needs no account. */
function makeWithout(): HTMLElement {
  const { title, command, how, why } = SIGN_IN.without;
  const alone = make("p", { class: "muted" }, ...filled(how, make("code", {}, command)));
  return make("section", { class: "without" }, make("h2", {}, title), alone, make("p", { class: "muted" }, why));
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
