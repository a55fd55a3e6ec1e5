/** What the console asks of the server about projects and their members. Never touches the DOM. */

import { ask, tell } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { MemberPage, ProjectPage, ProjectView } from "./types.gen.ts";

/** Those of one page at most, and of the whole server. */
const ALL = 1000;

/** Projects that somebody may see, behind those of the page before, the oldest first. @throws Refusal */
export function listProjects(after: string | null): Promise<ProjectPage> {
  return ask(routes.listProjects({ after }));
}

/** All of them. @throws Refusal */
export async function allProjects(): Promise<readonly ProjectView[]> {
  return (await ask(routes.listProjects({ limit: ALL }))).projects;
}

/** Their names in addresses, by their ids. @throws Refusal */
export async function nameProjects(): Promise<ReadonlyMap<string, string>> {
  return new Map((await allProjects()).map(({ id, slug }) => [id, slug]));
}

/** @throws Refusal */
export function getProject(project: string): Promise<ProjectView> {
  return ask(routes.showProject(project));
}

/** Members behind those of the page before. @throws Refusal */
export function listMembers(project: string, after: string | null): Promise<MemberPage> {
  return ask(routes.listMembers(project, { after }));
}

/** Makes somebody a member, or gives a member another role. @throws Refusal */
export function setMember(project: string, account: string, role: string): Promise<unknown> {
  return tell(routes.setMember(project, account), { role });
}

/** @throws Refusal */
export function removeMember(project: string, account: string): Promise<unknown> {
  return ask(routes.removeMember(project, account));
}
