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
import { projectText } from "../../words/people.ts";
import { PROJECT } from "../../words/projects.ts";

type Changed = () => Promise<void>;

/** Fills `place` with the project of this name. */
export function openProject(place: HTMLElement, slug: string): () => void {
  const title = make("h1", { tabindex: "-1" }, PROJECT.title);
  const more = make("div", { class: "page" });
  const load = async (): Promise<ProjectView> => {
    // Somebody may have been made a member, or something else, since the console was opened.
    const [project] = await Promise.all([api.getProject(slug), learnWho()]);
    return project;
  };
  const card = makeCard("project-facts", PROJECT.title, load, (project) => {
    title.textContent = project.name;
    document.title = project.name;
    // The rest stays while the facts change.
    if (more.childElementCount === 0) more.append(...partsFor(slug));
    return describe(project, changed);
  });
  async function changed(): Promise<void> {
    await Promise.all([card.reload(), refreshProjects()]);
  }
  const back = make("p", { class: "back" }, make("a", { href: PROJECTS }, PROJECT.back));
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
  return makeTokenCard("project-tokens", PROJECT.programs, read, (token) => api.revokeProjectToken(slug, token));
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
  const closed = make("p", { class: "paused" }, archivedAt === null ? "" : PROJECT.archived(age(archivedAt, Date.now())));
  const deeds = make("div", { class: "deeds" }, ...(has("projects:manage") ? [makeArchive(project, changed)] : []));
  if (!hasIn("project:manage", slug)) return [facts, closed];
  const audit = make("p", {}, make("a", { href: projectAuditAddress(slug) }, PROJECT.audit));
  return [facts, closed, audit, makeRename(project, changed), deeds];
}

function makeRename({ slug, name }: ProjectView, changed: Changed): HTMLElement {
  const attributes = { required: "", maxlength: "100", autocomplete: "off", value: name };
  const field = makeField("project-name", PROJECT.name, attributes, PROJECT.nameHint);
  const send = async (): Promise<void> => {
    await api.changeProject(slug, field.input.value);
    await changed();
  };
  const form = makeForm([field.element], { submit: PROJECT.rename, busy: PROJECT.renaming, send });
  return make("details", { id: "rename" }, make("summary", {}, PROJECT.rename), form);
}

function makeArchive({ slug, name, archivedAt }: ProjectView, changed: Changed): HTMLElement {
  const archived = archivedAt !== null;
  const { button, label, title, ...question } = archived ? PROJECT.restore : PROJECT.archive;
  return makeDeed(button, label(name), async () => {
    if (!(await confirmed({ id: "archive", ...question, title: title(name) }))) return;
    await api.setArchived(slug, !archived);
    await changed();
  });
}
