/** The projects that somebody sees. */

import { listProjects } from "../../api/projects.ts";
import type { ProjectView } from "../../api/types.gen.ts";
import { make } from "../../dom.ts";
import { projectAddress } from "../route.ts";
import { makePagedCard } from "../section.ts";
import { has, roleIn } from "./who.ts";
import { projectText } from "./words.ts";

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
  place.replaceChildren(title, list.element);
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
