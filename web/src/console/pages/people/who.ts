/** Who is signed in, as the server last said. Never decides what somebody may: the server refuses. */

import { getMe } from "../../../api/access.ts";
import type { Me } from "../../../api/types.gen.ts";

/** Who makes projects may do everything in each of them. */
const EVERYWHERE = "projects:manage";

let known: Me | undefined;

/** Asks the server. @throws Refusal */
export async function learnWho(): Promise<Me> {
  known = await getMe();
  return known;
}

/** Whether it is of use to show somebody what needs this right, in one project at least. */
export function has(right: string): boolean {
  return known?.rights.includes(right) ?? false;
}

/** The same in the project of this name. */
export function hasIn(right: string, project: string): boolean {
  return known !== undefined && mayIn(known, right, project);
}

/** What somebody is there, as its word; empty where they are no member. */
export function roleIn(project: string): string {
  return known?.memberships.find((member) => member.project === project)?.role ?? "";
}

/** The least role for a right, by the verb in the right's word; what administers the server needs none. */
const LEAST: Readonly<Record<string, readonly string[]>> = {
  read: ["viewer", "researcher", "admin"],
  write: ["researcher", "admin"],
  manage: ["admin"],
};

export function mayIn({ rights, memberships }: Pick<Me, "rights" | "memberships">, right: string, project: string): boolean {
  if (rights.includes(EVERYWHERE)) return rights.includes(right);
  const roles = LEAST[right.split(":")[1] ?? ""] ?? [];
  return rights.includes(right) && memberships.some((member) => member.project === project && roles.includes(member.role));
}
