/** What a peek tells of the people of a project, of sessions and of tokens. Pure; every moment comes in as an argument. */

import type { MemberView, SessionView, TokenView } from "../../api/types.gen.ts";
import { personAddress } from "../app/routes.ts";
import { GRANT, SESSIONS } from "./me.ts";
import { ahead, inOrder, isLive, rightText, roleText, sessionText } from "./people.ts";
import { type Peek, moment, told } from "./peek.ts";

const TERMS = {
  name: "Signs in as",
  role: "Role",
  since: "Member since",
  opened: "Opened",
  used: "Last used",
  session: "Session",
  owner: "Owner",
  project: "Project",
  made: "Made",
  expires: "Expires",
  expired: "Expired",
  revoked: "Revoked",
  may: "May",
  id: "Id",
  never: "never",
} as const;

/** `opens`: the reader may see the page of the account. */
export function memberPeek({ account, name, display, role, since }: MemberView, opens: boolean, now: number): Peek {
  return {
    title: display || name,
    mark: undefined,
    ...(opens && { address: personAddress(account) }),
    facts: told([
      [TERMS.name, name],
      [TERMS.role, roleText(role)],
      [TERMS.since, moment(since, now)],
      [TERMS.id, account],
    ]),
  };
}

export function sessionPeek(session: SessionView, now: number): Peek {
  const { id, openedAt, usedAt, current } = session;
  return {
    title: sessionText(session),
    mark: undefined,
    facts: told([
      [TERMS.session, current ? SESSIONS.current : ""],
      [TERMS.opened, moment(openedAt, now)],
      [TERMS.used, moment(usedAt, now)],
      [TERMS.id, id],
    ]),
  };
}

/** `owner`: the name of whose it is, where that is told. */
export function tokenPeek(token: TokenView & { readonly owner?: string }, now: number): Peek {
  const { id, name, owner, project, scopes, createdAt, usedAt, expiresAt, revokedAt } = token;
  return {
    title: name,
    mark: undefined,
    facts: told([
      [TERMS.owner, owner],
      [TERMS.project, project ?? GRANT.all],
      [TERMS.made, moment(createdAt, now)],
      [TERMS.used, usedAt === null ? TERMS.never : moment(usedAt, now)],
      [TERMS.revoked, revokedAt === null ? "" : moment(revokedAt, now)],
      [TERMS.expires, isLive(token, now) ? ahead(expiresAt, now) : ""],
      [TERMS.expired, revokedAt === null && expiresAt <= now ? moment(expiresAt, now) : ""],
      [TERMS.may, inOrder(scopes).map(rightText).join("\n")],
      [TERMS.id, id],
    ]),
  };
}
