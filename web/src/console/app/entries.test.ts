/** What the palette finds. */

import { expect, test } from "vitest";
import { type Entry, fitting, idEntries } from "./entries.ts";

function entry(name: string, part = "Pages", hint = ""): Entry {
  return { id: name, part, name, hint, icon: "x", to: `#/${name}` };
}

test("every word has to stand there; what begins with the first one comes first, in its part", () => {
  const all = [entry("Overview"), entry("Re view"), entry("view", "Runs", "run_1"), entry("Preview", "Runs")];
  const rows = [
    ["", ["Overview", "Re view", "view", "Preview"]],
    ["VIEW", ["Overview", "Re view", "view", "Preview"]],
    ["re", ["Re view", "Preview"]],
    ["run_1 view", ["view"]],
    ["nothing", []],
  ] as const;
  for (const [asked, names] of rows)
    expect(
      fitting(all, asked).map(({ name }) => name),
      asked,
    ).toEqual(names);
});

test("of each part only some are shown", () => {
  const many = Array.from({ length: 20 }, (_, index) => entry(`run ${index}`, "Runs"));
  expect(fitting([entry("Runs"), ...many], "run")).toHaveLength(13);
});

test.each([
  ["run_38fyq0j4r0000", ["#/runs/run_38fyq0j4r0000"]],
  [" job_38fyq0j4r0000 ", ["#/jobs/job_38fyq0j4r0000"]],
  ["a".repeat(64), [`#/runs?workflow=${"a".repeat(64)}`]],
  ["W0101", ["/docs/errors/W0101.html"]],
  ["run_", []],
  ["pi", []],
])("%s is an id", (asked, addresses) => {
  expect(idEntries(asked).map(({ to }) => to)).toEqual(addresses);
});
