/** One project: its name, whether it takes anything new, what it uses, its people and its programs. */

import * as api from "../../../api/projects.ts";
import type { ProjectView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { age } from "../../words/format.ts";
import { makeDeed, makeField, makeForm } from "../../parts/form.ts";
import { confirmed } from "../../parts/question.ts";
import { PROJECTS, projectAuditAddress } from "../../app/routes.ts";
import { makeCard } from "../../parts/section.ts";
import { refreshProjects } from "../../data/projects.ts";
import { makeMembers } from "./members.ts";
import { makeTokenCard } from "./tokens.ts";
import { makeUsage } from "./usage.ts";
import { has, hasIn, learnWho, roleIn } from "./who.ts";
import { projectText } from "./words.ts";

const ARCHIVE = "It takes nothing new: no runs, no jobs, no workflows. What goes on ends as it would, and everything stays to be read.";
const RESTORE = "It takes runs, jobs and workflows again.";

type Changed = () => Promise<void>;

/** Fills `place` with the project of this name. */
export function openProject(place: HTMLElement, slug: string): () => void {
  const title = make("h1", { tabindex: "-1" }, "Project");
  const more = make("div", { class: "page" });
  const load = async (): Promise<ProjectView> => {
    // Somebody may have been made a member, or something else, since the console was opened.
    const [project] = await Promise.all([api.getProject(slug), learnWho()]);
    return project;
  };
  const card = makeCard("project-facts", "Project", load, (project) => {
    title.textContent = project.name;
    document.title = project.name;
    // The rest stays while the facts change.
    if (more.childElementCount === 0) more.append(...partsFor(slug));
    return describe(project, changed);
  });
  async function changed(): Promise<void> {
    await Promise.all([card.reload(), refreshProjects()]);
  }
  const back = make("p", { class: "back" }, make("a", { href: PROJECTS }, "← Projects"));
  place.replaceChildren(back, title, card.element, more);
  title.focus({ preventScroll: true });
  return () => undefined;
}

function partsFor(slug: string): HTMLElement[] {
  const parts = [makeUsage(slug), makeMembers(slug)];
  return (hasIn("project:manage", slug) ? [...parts, makePrograms(slug)] : parts).map(({ element }) => element);
}

function makePrograms(slug: string) {
  const read = async (after: string | null) => {
    const { tokens, next } = await api.listProjectTokens(slug, after);
    return { tokens: tokens.map(({ token, owner }) => ({ ...token, owner })), next };
  };
  return makeTokenCard("project-tokens", "Programs for this project alone", read, (token) => api.revokeProjectToken(slug, token));
}

function describe(project: ProjectView, changed: Changed): Node[] {
  const { slug, archivedAt } = project;
  const facts = make(
    "p",
    {},
    make("code", {}, slug),
    " ",
    make("span", { class: "muted" }, projectText(project, roleIn(slug), Date.now())),
  );
  const closed = make("p", { class: "paused" }, archivedAt === null ? "" : archivedText(archivedAt));
  const deeds = make("div", { class: "deeds" }, ...(has("projects:manage") ? [makeArchive(project, changed)] : []));
  if (!hasIn("project:manage", slug)) return [facts, closed];
  const audit = make("p", {}, make("a", { href: projectAuditAddress(slug) }, "Who did what here"));
  return [facts, closed, audit, makeRename(project, changed), deeds];
}

function archivedText(since: number): string {
  return `Archived ${age(since, Date.now())}: it is there to be read, and takes nothing new.`;
}

function makeRename({ slug, name }: ProjectView, changed: Changed): HTMLElement {
  const attributes = { required: "", maxlength: "100", autocomplete: "off", value: name };
  const field = makeField("project-name", "Name", attributes, "What people read. The short name stays.");
  const send = async (): Promise<void> => {
    await api.changeProject(slug, field.input.value);
    await changed();
  };
  const form = makeForm([field.element], { submit: "Change the name", busy: "Changing it…", send });
  return make("details", { id: "rename" }, make("summary", {}, "Change the name"), form);
}

function makeArchive({ slug, name, archivedAt }: ProjectView, changed: Changed): HTMLElement {
  const archived = archivedAt !== null;
  const verb = archived ? "Restore" : "Archive";
  return makeDeed(`${verb}…`, `${verb} ${name}`, async () => {
    const no = archived ? "Leave it archived" : "Leave it open";
    const question = { title: `${verb} ${name}?`, means: archived ? RESTORE : ARCHIVE, no, yes: `${verb} the project` };
    if (!(await confirmed({ id: "archive", ...question }))) return;
    await api.setArchived(slug, !archived);
    await changed();
  });
}
