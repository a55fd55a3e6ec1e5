/** Which project the console's lists are about: what was chosen before, or what the server would take. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { choiceAmong, chooseAmong, chooseProject, chosenProject } from "./chosen.ts";

type Projects = Parameters<typeof choiceAmong>[0];

/** Those in capitals are archived. */
function projects(...names: string[]): Projects {
  return names.map((name) => ({ slug: name.toLowerCase(), archivedAt: name === name.toLowerCase() ? null : 1 }));
}

function storage(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
}

beforeEach(() => {
  for (const name of ["sessionStorage", "localStorage"]) vi.stubGlobal(name, storage());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each<readonly [Projects, string | null, string | null]>([
  [projects(), null, null],
  [projects("scope"), null, null],
  [projects("scope"), "scope", null],
  [projects("scope", "default"), null, "default"],
  [projects("scope", "default"), "scope", "scope"],
  [projects("scope", "default"), "gone", "default"],
  [projects("OLD", "scope"), null, "scope"],
  [projects("OLD", "scope"), "old", "old"],
  [projects("OLD", "PAST"), null, "old"],
])("among %o, %s before: %s", (among, before, choice) => {
  expect(choiceAmong(among, before)).toBe(choice);
});

test("a tab keeps its choice, and a new one begins with the last", () => {
  const among = projects("default", "scope");
  chooseProject("scope");
  localStorage.setItem("weevil-project", "default");
  chooseAmong(among);
  expect(chosenProject()).toBe("scope");
  chooseAmong(projects("scope"));
  expect(chosenProject()).toBeNull();
  vi.stubGlobal("sessionStorage", storage());
  localStorage.setItem("weevil-project", "scope");
  chooseAmong(among);
  expect(chosenProject()).toBe("scope");
});
