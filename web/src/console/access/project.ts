/** One project: since when it is there, whether it takes anything new, and its people. */

import { getProject } from "../../api/projects.ts";
import type { ProjectView } from "../../api/types.gen.ts";
import { make } from "../../dom.ts";
import { age } from "../format.ts";
import { PROJECTS } from "../route.ts";
import { makeCard } from "../section.ts";
import { makeMembers } from "./members.ts";
import { learnWho, roleIn } from "./who.ts";
import { projectText } from "./words.ts";

/** Fills `place` with the project of this name. */
export function openProject(place: HTMLElement, slug: string): () => void {
  const title = make("h1", { tabindex: "-1" }, "Project");
  const more = make("div", { class: "page" });
  const load = async (): Promise<ProjectView> => {
    // Somebody may have been made a member, or something else, since the console was opened.
    const [project] = await Promise.all([getProject(slug), learnWho()]);
    return project;
  };
  const card = makeCard("project-facts", "Project", load, (project) => {
    title.textContent = project.name;
    document.title = project.name;
    more.replaceChildren(makeMembers(slug).element);
    return describe(project);
  });
  const back = make("p", { class: "back" }, make("a", { href: PROJECTS }, "← Projects"));
  place.replaceChildren(back, title, card.element, more);
  title.focus({ preventScroll: true });
  return () => undefined;
}

function describe(project: ProjectView): Node[] {
  const { slug, archivedAt } = project;
  const facts = make(
    "p",
    {},
    make("code", {}, slug),
    " ",
    make("span", { class: "muted" }, projectText(project, roleIn(slug), Date.now())),
  );
  return [facts, make("p", { class: "paused" }, archivedAt === null ? "" : archivedText(archivedAt))];
}

function archivedText(since: number): string {
  return `Archived ${age(since, Date.now())}: it is there to be read, and takes nothing new.`;
}
