/** What the palette finds. */

import { expect, test } from "vitest";
import type { RunSummary } from "../../api/types.gen.ts";
import { type Entry, fitting, idEntries, runEntries } from "./entries.ts";

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
  const deeds = many.map((one) => ({ ...one, to: () => undefined }));
  expect(fitting(deeds, "run")).toHaveLength(20);
});

test("a run is found by the beginning of its id, of which the palette shows the ends", () => {
  const entries = runEntries([{ id: "run_38fyq0j4r0000", name: "pi", state: "STARTED", paused: false } as RunSummary]);
  for (const asked of ["run_38fyq0", "PI", "run_38fyq0j4r0000"]) expect(fitting(entries, asked), asked).toHaveLength(1);
  expect(fitting(entries, "run_38g")).toEqual([]);
});

const HASH = "0123456789abcdef".repeat(4);
const RUN = "run_38fyq0j4r0000";

test.each([
  [RUN, ["#/runs/run_38fyq0j4r0000"]],
  [" job_38fyq0j4r0000 ", ["#/jobs/job_38fyq0j4r0000"]],
  ["wrk_38fyq0j4r0000", ["#/workers/wrk_38fyq0j4r0000"]],
  ["acc_38fyq0j4r0000", ["#/people/acc_38fyq0j4r0000"]],
  [HASH, [`opens ${HASH}`]],
  ["W0101", ["/docs/errors/W0101.html"]],
  [`https://weevil.example/console#/runs/${RUN}/graph?node=job_a`, ["#/runs/run_38fyq0j4r0000"]],
  [`/user/rootSupervisor/${RUN}/val3 by (wrk_38fyq0j4r0000), again ${RUN}`, ["#/runs/run_38fyq0j4r0000", "#/workers/wrk_38fyq0j4r0000"]],
  [`workflow ${HASH}: error W0113`, [`opens ${HASH}`, "/docs/errors/W0113.html"]],
  [Array.from({ length: 9 }, (_, at) => `job_38fyq0j4r000${at}`).join(" "), [0, 1, 2, 3, 4].map((at) => `#/jobs/job_38fyq0j4r000${at}`)],
  ["run_", []],
  ["run_38fyq0j4r00001", []],
  ["run_38fyq0j4r000i", []],
  ["my_run_38fyq0j4r0000", []],
  [`${HASH}0`, []],
  ["pi", []],
])("%s", (asked, addresses) => {
  const opened: string[] = [];
  const told = idEntries(asked, (hash) => opened.push(`opens ${hash}`)).map(({ to }) => {
    if (typeof to === "string") return to;
    to();
    return opened.at(-1);
  });
  expect(told).toEqual(addresses);
});
