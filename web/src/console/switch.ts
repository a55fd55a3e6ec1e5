/**
 * The switch in the console's head: which project lists, events and uploads are about. Who sees one project at most sees none of it.
 *
 * Owns the switch. What follows from another choice is the caller's.
 */

import { whenProjectIsAsked } from "../api/ask.ts";
import { chooseAmong, chooseProject, chosenProject } from "../api/chosen.ts";
import { allProjects } from "../api/projects.ts";
import { Refusal } from "../api/request.ts";
import type { ProjectView } from "../api/types.gen.ts";
import { byId, make } from "../dom.ts";
import { has, hasIn } from "./access/who.ts";

let projects: readonly ProjectView[] = [];
let onChoice = (): void => undefined;

/** `listener` hears of another choice once the first one stands. */
export async function prepareSwitch(listener: () => void): Promise<void> {
  const select = byId("project", HTMLSelectElement);
  select.addEventListener("change", () => {
    chooseProject(select.value);
    onChoice();
  });
  await refreshSwitch();
  onChoice = listener;
  whenProjectIsAsked(() => void refreshSwitch());
}

/** Projects have come, gone or changed. */
export async function refreshSwitch(): Promise<void> {
  const before = chosenProject();
  try {
    show(await allProjects());
  } catch (refused) {
    // What was offered stays: the server is away, and the line about the fleet says so.
    if (!(refused instanceof Refusal)) throw refused;
  }
  if (chosenProject() !== before) onChoice();
}

/** Whether it is of use to show somebody what needs this right in the project that lists are about. */
export function mayHere(right: string): boolean {
  const project = chosenProject();
  return project === null ? has(right) : hasIn(right, project);
}

/** The same for the project with this id. */
export function mayThere(right: string, id: string): boolean {
  const project = projects.find((one) => one.id === id);
  return project === undefined ? has(right) : hasIn(right, project.slug);
}

/** Whether the project that lists are about takes anything new. */
export function isOpenHere(): boolean {
  const project = projects.find(({ slug }) => slug === chosenProject()) ?? projects[0];
  return project === undefined || project.archivedAt === null;
}

function show(all: readonly ProjectView[]): void {
  projects = all;
  chooseAmong(projects);
  const select = byId("project", HTMLSelectElement);
  select.replaceChildren(...projects.map(({ slug, name, archivedAt }) => option(slug, archivedAt === null ? name : `${name} (archived)`)));
  select.value = chosenProject() ?? "";
  byId("switch", HTMLElement).hidden = chosenProject() === null;
}

function option(value: string, text: string): HTMLOptionElement {
  return make("option", { value }, text);
}
