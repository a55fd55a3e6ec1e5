/** The pages that list jobs: the stand-alone jobs of a queue, and the jobs of a run. */

import { listQueued, listRunJobs } from "../api/client.ts";
import { make } from "../dom.ts";
import { makeJobList } from "./joblist.ts";
import { queueAddress, runAddress } from "./route.ts";

/** Fills `place` with the stand-alone jobs of a queue; the returned function ends it. */
export function openQueue(place: HTMLElement, name: string): () => void {
  const title = make("h1", { tabindex: "-1" }, "Jobs");
  const how = make("p", { class: "muted" }, "Stand-alone jobs of one queue, oldest first. Put one in with ");
  how.append(make("code", {}, "weevil submit"), " or ", make("code", {}, "POST /api/v1/jobs"), ".");
  const list = makeJobList((after, limit) => listQueued(name, after, limit));
  const top = make("section", { class: "card" }, title, how, makeQueueForm(name));
  document.title = `Jobs of ${name}`;
  place.replaceChildren(top, list.element);
  title.focus({ preventScroll: true });
  return list.stop;
}

/** Fills `place` with the jobs of a run; the returned function ends it. */
export function openRunJobs(place: HTMLElement, run: string): () => void {
  const title = make("h1", { tabindex: "-1" }, "Jobs of the run");
  const back = make("p", { class: "back" }, make("a", { href: runAddress(run) }, "← The run"));
  const list = makeJobList((after, limit) => listRunJobs(run, after, limit));
  const id = make("p", { class: "muted run-id" }, "run ", make("code", {}, run));
  document.title = "Jobs of a run";
  place.replaceChildren(back, make("section", {}, title, id, list.element));
  title.focus({ preventScroll: true });
  return list.stop;
}

function makeQueueForm(name: string): HTMLFormElement {
  const field = make("input", { class: "field", id: "queue-name", value: name, required: "", autocomplete: "off", spellcheck: "false" });
  const label = make("label", { for: field.id }, "Queue");
  const show = make("button", { class: "button small", type: "submit" }, "Show");
  const form = make("form", { class: "queue-form" }, label, field, show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = queueAddress(field.value);
  });
  return form;
}
