/** The projects that somebody sees, and a form that makes one. */

import { listProjects, makeProject } from "../../../api/projects.ts";
import type { ProjectView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { makeField, makeForm } from "../../parts/form.ts";
import { projectAddress } from "../../app/routes.ts";
import { makePagedCard } from "../../parts/section.ts";
import { refreshProjects } from "../../data/projects.ts";
import { has, roleIn } from "./who.ts";
import { projectText } from "./words.ts";

const SLUG_HINT = "What stands in addresses and commands: 2 to 40 of a-z 0-9 -. It stays.";

/** Fills `place`. */
export function openProjects(place: HTMLElement): () => void {
  const title = make("h1", { tabindex: "-1" }, "Projects");
  const read = async (after: string | null) => {
    const { projects, next } = await listProjects(after);
    return { rows: projects, next };
  };
  const list = makePagedCard(has("projects:manage") ? "All projects" : "Your projects", {
    id: "projects",
    read,
    row: entry,
    empty: "You are in no project.",
  });
  document.title = "Projects";
  place.replaceChildren(title, list.element, ...(has("projects:manage") ? [makeMaking()] : []));
  title.focus({ preventScroll: true });
  return () => undefined;
}

function entry(project: ProjectView): HTMLElement {
  const { slug, name, archivedAt } = project;
  const who = make("p", {}, make("a", { href: projectAddress(slug) }, name), " ", make("code", {}, slug));
  const since = make("p", { class: "muted" }, projectText(project, roleIn(slug), Date.now()));
  const item = make("li", { "data-project": slug }, make("div", { class: "entry-text" }, who, since));
  if (archivedAt !== null) item.append(make("span", { class: "badge" }, "archived"));
  return item;
}

function makeMaking(): HTMLElement {
  const name = makeField("project-name", "Name", { required: "", maxlength: "100", autocomplete: "off" }, "What people read.");
  const hidden = { required: "", minlength: "2", maxlength: "40", autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
  const slug = makeField("project-slug", "Short name", hidden, SLUG_HINT);
  const send = async (): Promise<void> => {
    const made = await makeProject(slug.input.value, name.input.value);
    await refreshProjects();
    location.hash = projectAddress(made.slug);
  };
  const form = makeForm([name.element, slug.element], { submit: "Make the project", busy: "Making it…", send });
  const intro = make(
    "p",
    { class: "muted" },
    "Its runs, jobs, workflows and files are seen by its members alone. Workers are shared by all.",
  );
  return make("section", { class: "card" }, make("h2", {}, "Make a project"), intro, form);
}
