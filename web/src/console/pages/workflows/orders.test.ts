/** In which orders stored workflows are listed. */

import { expect, test } from "vitest";
import type { NamedWorkflowView } from "../../../api/types.gen.ts";
import { inOrder, orderOf } from "../../parts/orders.ts";
import { WORKFLOW_ORDERS } from "./orders.ts";

function workflow(name: string, uploadedAt: number, ranAt: number | null): NamedWorkflowView {
  const lastRun = ranAt === null ? null : ({ run: "run_1", state: "FINISHED", createdAt: ranAt } as const);
  const newest = { workflow: "2", createdAt: uploadedAt, files: 1, bytes: 1, lastRun, runs: 1 };
  const before = {
    workflow: "1",
    createdAt: 0,
    files: 1,
    bytes: 1,
    lastRun: { run: "run_0", state: "FAILED", createdAt: 3 },
    runs: 1,
  } as const;
  return { name, versions: [newest, before] };
}

test.each([
  ["", ["pi", "add", "sum"]],
  ["run", ["sum", "pi", "add"]],
  ["name", ["add", "pi", "sum"]],
])("workflows by %o", (key, expected) => {
  const rows = [workflow("sum", 1, 9), workflow("add", 2, null), workflow("pi", 3, 4)];
  expect(inOrder(rows, orderOf(WORKFLOW_ORDERS, key)).map(({ name }) => name)).toEqual(expected);
});
