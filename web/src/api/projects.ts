/** What the console asks of the server about projects and their members. Never touches the DOM. */

import { ask, tell } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { AuditQuery } from "./audit.ts";
import type { AuditPage, LinkMade, MemberPage, ProjectPage, ProjectTokenPage, ProjectView, QuotasView, UsageView } from "./types.gen.ts";

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
export function makeProject(slug: string, name: string): Promise<ProjectView> {
  return tell(routes.makeProject(), { slug, name });
}

/** Gives it another name for people. @throws Refusal */
export function changeProject(project: string, name: string): Promise<unknown> {
  return tell(routes.changeProject(project), { name });
}

/** @throws Refusal */
export function setQuotas(project: string, quotas: QuotasView): Promise<unknown> {
  return tell(routes.setQuotas(project), quotas);
}

/** What is archived takes nothing new. @throws Refusal */
export function setArchived(project: string, archived: boolean): Promise<unknown> {
  return ask(archived ? routes.archiveProject(project) : routes.restoreProject(project));
}

/** @throws Refusal */
export function getUsage(project: string): Promise<UsageView> {
  return ask(routes.showUsage(project));
}

/** @throws Refusal */
export function getProject(project: string): Promise<ProjectView> {
  return ask(routes.showProject(project));
}

/** Members behind those of the page before. @throws Refusal */
export function listMembers(project: string, after: string | null): Promise<MemberPage> {
  return ask(routes.listMembers(project, { after }));
}

/** Names of members by the ids of their accounts. @throws Refusal */
export async function nameMembers(project: string): Promise<ReadonlyMap<string, string>> {
  const { members } = await ask(routes.listMembers(project, { limit: ALL }));
  return new Map(members.map(({ account, name }) => [account, name]));
}

/** Makes somebody a member, or gives a member another role. @throws Refusal */
export function setMember(project: string, account: string, role: string): Promise<unknown> {
  return tell(routes.setMember(project, account), { role });
}

/** @throws Refusal */
export function removeMember(project: string, account: string): Promise<unknown> {
  return ask(routes.removeMember(project, account));
}

/** A link that makes an account which belongs to the project. @throws Refusal */
export function inviteToProject(project: string, role: string, hours: number): Promise<LinkMade> {
  return tell(routes.inviteToProject(project), { role, hours });
}

/** Tokens that are for this project alone, whoever's they are, behind those of the page before. @throws Refusal */
export function listProjectTokens(project: string, after: string | null): Promise<ProjectTokenPage> {
  return ask(routes.projectTokens(project, { after }));
}

/** @throws Refusal */
export function revokeProjectToken(project: string, token: string): Promise<unknown> {
  return ask(routes.revokeProjectToken(project, token));
}

/** Rows of the audit that are about this project, the newest first, behind those of the page before. @throws Refusal */
export function projectAudit(project: string, { actor, action, from, to }: AuditQuery, after: string | null): Promise<AuditPage> {
  return ask(routes.projectAudit(project, { actor, action, from, to, after }));
}
