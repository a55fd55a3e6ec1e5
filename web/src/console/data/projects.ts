/**
 * The projects that somebody sees, and which one lists, events and uploads are about. Who sees one project at most chooses none.
 *
 * Owns what is known of them. What follows from another choice is the caller's. Never touches the DOM.
 */

import { signal } from "@preact/signals";
import { whenProjectIsAsked } from "../../api/ask.ts";
import { chooseAmong, chooseProject, chosenProject } from "../../api/chosen.ts";
import { allProjects } from "../../api/projects.ts";
import { Refusal } from "../../api/request.ts";
import type { ProjectView } from "../../api/types.gen.ts";
import { has, hasIn } from "../pages/people/who.ts";

export const projects = signal<readonly ProjectView[]>([]);
/** Its name in addresses; `null` where there is nothing to choose. */
export const chosen = signal<string | null>(null);

let onChoice = (): void => undefined;

/** `listener` hears of another choice once the first one stands. */
export async function prepareProjects(listener: () => void): Promise<void> {
  await refreshProjects();
  onChoice = listener;
  whenProjectIsAsked(() => void refreshProjects());
}

/** Projects have come, gone or changed. */
export async function refreshProjects(): Promise<void> {
  const before = chosenProject();
  try {
    projects.value = await allProjects();
  } catch (refused) {
    // What was offered stays: the server is away, and the live mark says so.
    if (!(refused instanceof Refusal)) throw refused;
    return;
  }
  chooseAmong(projects.value);
  chosen.value = chosenProject();
  if (chosen.value !== before) onChoice();
}

export function switchTo(slug: string): void {
  chooseProject(slug);
  chosen.value = slug;
  onChoice();
}

/** Whether it is of use to show somebody what needs this right in the project that lists are about. */
export function mayHere(right: string): boolean {
  const project = chosenProject();
  return project === null ? has(right) : hasIn(right, project);
}

/** The same for the project with this id. */
export function mayThere(right: string, id: string): boolean {
  const project = projects.value.find((one) => one.id === id);
  return project === undefined ? has(right) : hasIn(right, project.slug);
}

/** Whether the project that lists are about takes anything new. */
export function isOpenHere(): boolean {
  const project = projects.value.find(({ slug }) => slug === chosenProject()) ?? projects.value[0];
  return project === undefined || project.archivedAt === null;
}

/** Whether somebody may start something new here. */
export function mayStart(): boolean {
  return mayHere("runs:write") && isOpenHere();
}
