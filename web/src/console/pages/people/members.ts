/** The people of a project: who they are and as what, and for those who look after it a way in for others. */

import { findAccount } from "../../../api/people.ts";
import * as api from "../../../api/projects.ts";
import { Refusal } from "../../../api/request.ts";
import type { MemberView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { now } from "../../app/clock.ts";
import { age } from "../../words/format.ts";
import { makeDeed, makeField, makeForm } from "../../parts/form.ts";
import { confirmed } from "../../parts/question.ts";
import { makePagedCard } from "../../parts/paged.tsx";
import type { Loaded } from "../../parts/section.ts";
import { makeLook } from "../../table/look.tsx";
import { makeHours, makeRoleChoice, showInvitation } from "./invitation.ts";
import { has, hasIn } from "./who.ts";
import { MEMBERS } from "../../words/projects.ts";
import { ROLES, ROLES_HINT, roleText } from "../../words/people.ts";
import { memberPeek } from "../../words/peoplepeek.ts";

/** The members of the project of this name. */
export function makeMembers(slug: string): Loaded {
  const manages = hasIn("project:manage", slug);
  const read = async (after: string | null) => {
    const { members, next } = await api.listMembers(slug, after);
    return { rows: members, next };
  };
  const row = (member: MemberView): HTMLElement => entry(slug, member, manages ? card.reload : undefined);
  const card = makePagedCard<MemberView>(MEMBERS.title, {
    id: "members",
    read,
    row,
    empty: MEMBERS.nothing,
    keyOf: ({ account }) => account,
    peek: (member) => memberPeek(member, has("accounts:manage"), now.value),
  });
  if (manages) card.element.append(has("accounts:manage") ? makeAdding(slug, card.reload) : makeInviting(slug));
  return card;
}

/** With what can be done to them, where `onChanged` is there. */
function entry(slug: string, member: MemberView, onChanged: (() => Promise<void>) | undefined): HTMLElement {
  const { account, name, display, role, since } = member;
  const who = make("p", {}, makeLook(make("strong", {}, display || name)), " ", make("code", {}, name));
  const facts = make("p", { class: "muted" }, MEMBERS.facts(roleText(role), age(since, Date.now())));
  const item = make("li", { "data-member": account }, make("div", { class: "entry-text" }, who, facts));
  if (onChanged !== undefined) item.append(makeRole(slug, member, onChanged), makeRemoval(slug, member, onChanged));
  return item;
}

function makeRole(slug: string, { account, name, role }: MemberView, onChanged: () => Promise<void>): HTMLElement {
  const label = { class: "field small", "aria-label": MEMBERS.roleLabel(name) };
  const select = make("select", label, ...ROLES.map((value) => make("option", { value }, roleText(value))));
  select.value = role;
  const deed = makeDeed(MEMBERS.set, MEMBERS.setLabel(name), async () => {
    await api.setMember(slug, account, select.value);
    await onChanged();
  });
  return make("div", { class: "role" }, select, deed);
}

function makeRemoval(slug: string, { account, name, display }: MemberView, onChanged: () => Promise<void>): HTMLElement {
  return makeDeed(MEMBERS.takeOut, MEMBERS.takeOutLabel(name), async () => {
    const { takingOut } = MEMBERS;
    if (!(await confirmed({ id: "take-out", ...takingOut, title: takingOut.title(display || name) }))) return;
    await api.removeMember(slug, account);
    await onChanged();
  });
}

/** By the name of an account, for those who may look for accounts. */
function makeAdding(slug: string, onAdded: () => Promise<void>): HTMLElement {
  const attributes = { required: "", autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
  const name = makeField("member-name", MEMBERS.name, attributes, MEMBERS.nameHint);
  const role = makeRoleChoice("member-role");
  const send = async (): Promise<void> => {
    const account = await findAccount(name.input.value.trim());
    if (account === undefined) throw new Refusal({ code: "noSuchAccount", detail: MEMBERS.nobody }, 404);
    await api.setMember(slug, account.id, role.input.value);
    name.input.value = "";
    await onAdded();
  };
  const fields = make("div", { class: "side-by-side" }, name.element, role.element);
  const form = makeForm([fields, make("p", { class: "muted" }, ROLES_HINT)], { submit: MEMBERS.addDo, busy: MEMBERS.adding, send });
  return make("details", { id: "add-member" }, make("summary", {}, MEMBERS.add), form);
}

/** By a link, for those who look after this project alone. */
function makeInviting(slug: string): HTMLElement {
  const role = makeRoleChoice("member-role");
  const hours = makeHours("member-hours");
  const link = make("div");
  const send = async (): Promise<void> => {
    showInvitation(link, await api.inviteToProject(slug, role.input.value, Number(hours.input.value)));
  };
  const fields = make("div", { class: "side-by-side" }, role.element, hours.element);
  const form = makeForm([fields, make("p", { class: "muted" }, ROLES_HINT)], { submit: MEMBERS.submit, busy: MEMBERS.busy, send });
  return make("details", { id: "add-member" }, make("summary", {}, MEMBERS.invite), form, link);
}
