/** For whom it is of use to show something that needs a right in a project. */

import { expect, test } from "vitest";
import { mayIn } from "./who.ts";

const READS = ["runs:read", "jobs:read", "workflows:read", "workers:read", "project:read"];
const WRITES = [...READS, "runs:write", "jobs:write", "workflows:write"];
const OWN = [...WRITES, "project:manage"];
const ALL = [...OWN, "projects:manage", "queue:pause", "audit:read"];

const of = (role: string) => ({ project: "scope", name: "Scope", role });
const viewsOther = { project: "other", name: "Other", role: "viewer" };

test.each<readonly [string, readonly string[], readonly ReturnType<typeof of>[], readonly string[]]>([
  ["nobody's member", [], [], []],
  ["a viewer", READS, [of("viewer")], ["runs:read"]],
  ["a researcher", WRITES, [of("researcher")], ["runs:read", "runs:write"]],
  ["an admin of it", OWN, [of("admin"), viewsOther], ["runs:read", "runs:write", "project:manage"]],
  ["an admin of another", OWN, [{ ...of("admin"), project: "other" }], []],
  ["who administers the server", ALL, [viewsOther], ["runs:read", "runs:write", "project:manage", "queue:pause"]],
])("%s", (_, rights, memberships, may) => {
  const asked = ["runs:read", "runs:write", "project:manage", "queue:pause"];
  const me = { rights: [...rights], memberships: [...memberships] };
  expect(asked.filter((right) => mayIn(me, right, "scope"))).toEqual(may);
});
