/** The projects that somebody sees, and a form that makes one. */

import { listProjects, makeProject } from "../../../api/projects.ts";
import type { ProjectView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeField, makeForm } from "../../parts/form.ts";
import { now } from "../../app/clock.ts";
import { projectAddress } from "../../app/routes.ts";
import { makePagedCard } from "../../parts/paged.tsx";
import { refreshProjects } from "../../data/projects.ts";
import { has, roleIn } from "./who.ts";
import { projectText } from "../../words/people.ts";
import { projectPeek } from "../../words/peoplepeek.ts";
import { PROJECTS } from "../../words/projects.ts";

/** Fills `place`. */
export function openProjects(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, PROJECTS.title);
  const read = async (after: string | null) => {
    const { projects, next } = await listProjects(after);
    return { rows: projects, next };
  };
  const list = makePagedCard(has("projects:manage") ? PROJECTS.all : PROJECTS.yours, {
    id: "projects",
    read,
    row: entry,
    empty: PROJECTS.nothing,
    noun: PROJECTS.noun,
    keyOf: ({ slug }) => slug,
    find: {
      name: PROJECTS.filter,
      label: PROJECTS.label,
      entry: "listed",
      command: () => PROJECTS.listCommand,
      textOf: ({ slug, name }) => `${name} ${slug}`,
    },
    peek: (project) => projectPeek(project, roleIn(project.slug), now.value),
  });
  document.title = PROJECTS.title;
  place.replaceChildren(title, list.element, ...(has("projects:manage") ? [makeMaking()] : []));
  title.focus({ preventScroll: true });
  return () => undefined;
}

function entry(project: ProjectView): HTMLElement {
  const { slug, name, archivedAt } = project;
  const who = make("p", {}, make("a", { href: projectAddress(slug) }, name), " ", make("code", {}, slug));
  const since = make("p", { class: "muted" }, projectText(project, roleIn(slug), Date.now()));
  const item = make("li", { "data-project": slug }, make("div", { class: "entry-text" }, who, since));
  if (archivedAt !== null) item.append(make("span", { class: "badge" }, PROJECTS.archived));
  return item;
}

function makeMaking(): HTMLElement {
  const name = makeField("project-name", PROJECTS.name, { required: "", maxlength: "100", autocomplete: "off" }, PROJECTS.nameHint);
  const hidden = { required: "", minlength: "2", maxlength: "40", autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
  const slug = makeField("project-slug", PROJECTS.slug, hidden, PROJECTS.slugHint);
  const send = async (): Promise<void> => {
    const made = await makeProject(slug.input.value, name.input.value);
    await refreshProjects();
    location.hash = projectAddress(made.slug);
  };
  const form = makeForm([name.element, slug.element], { submit: PROJECTS.submit, busy: PROJECTS.busy, send });
  const intro = make("p", { class: "muted" }, PROJECTS.about);
  return make("section", { class: "card" }, make("h2", {}, PROJECTS.make), intro, form);
}
