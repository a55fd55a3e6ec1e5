/**
 * The question for the password, where the server wants to know anew who asks. What was meant goes on afterwards.
 */

import { proveAgain } from "../../../api/access.ts";
import { make } from "../../../dom.ts";
import { makeForm, makePasswordField } from "../../parts/form.ts";
import { showOnce } from "../../parts/question.ts";
import { AGAIN } from "../../words/signin.ts";

let open: Promise<boolean> | undefined;

/** Whether somebody has proved it. All who ask meanwhile get the one answer. */
export function askAgain(): Promise<boolean> {
  open ??= ask().finally(() => (open = undefined));
  return open;
}

function ask(): Promise<boolean> {
  return new Promise((resolve) => {
    const password = makePasswordField("again-password", AGAIN.password, "current");
    const no = make("button", { class: "button", type: "button" }, AGAIN.no);
    let proved = false;
    const send = async (): Promise<void> => {
      await proveAgain(password.input.value);
      proved = true;
      dialog.close();
    };
    const title = make("h2", { id: "again-title" }, AGAIN.title);
    const means = make("p", { id: "again-text" }, AGAIN.means);
    const form = makeForm([title, means, password.element], { submit: AGAIN.submit, busy: AGAIN.busy, aside: [no], send });
    const names = { "aria-labelledby": "again-title", "aria-describedby": "again-text" };
    const dialog = make("dialog", { class: "card question", id: "again", ...names }, form);
    no.addEventListener("click", () => {
      dialog.close();
    });
    password.input.autofocus = true;
    showOnce(dialog, () => {
      resolve(proved);
    });
  });
}
