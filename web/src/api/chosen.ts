/**
 * The project that the console's lists, events and uploads are about, where somebody sees several.
 *
 * Owns the choice: this tab's, which a new tab begins with. Never touches the DOM.
 */

import type { ProjectView } from "./types.gen.ts";

const STORED = "weevil-project";
/** The project that every database has. */
const FIRST = "default";

type Projects = readonly Pick<ProjectView, "slug" | "archivedAt">[];

let chosen: string | null = null;

/** Its name in addresses; `null` where there is one at most, which the server finds by itself. */
export function chosenProject(): string | null {
  return chosen;
}

export function chooseProject(slug: string): void {
  chosen = slug;
  for (const store of [sessionStorage, localStorage]) store.setItem(STORED, slug);
}

/** Takes what was chosen before, where it still is among these. */
export function chooseAmong(projects: Projects): void {
  chosen = choiceAmong(projects, chosen ?? sessionStorage.getItem(STORED) ?? localStorage.getItem(STORED));
}

export function choiceAmong(projects: Projects, before: string | null): string | null {
  if (projects.length < 2) return null;
  const named = (slug: string | null) => projects.find((project) => project.slug === slug);
  const open = projects.find(({ archivedAt }) => archivedAt === null);
  return (named(before) ?? named(FIRST) ?? open ?? projects[0])?.slug ?? null;
}
