/** In which orders what waits is listed. */

import { expect, test } from "vitest";
import type { WaitingClassView, WaitingQueueView } from "../../../api/types.gen.ts";
import { inOrder, orderOf } from "../../parts/orders.ts";
import { CLASS_ORDERS, NAME_ORDERS } from "./orders.ts";

const NEEDS = { capabilities: ["javascript"], memoryMb: 0 };

function waiting(jobs: number, oldestAt: number | null): WaitingClassView {
  return { needs: NEEDS, leftOut: [], jobs, oldestAt, workers: 0, idle: 0, why: [] };
}

function named(queue: string, [ready, delayed, held]: readonly [number, number, number], oldestAt: number | null): WaitingQueueView {
  return { project: "prj_1", queue, ready, delayed, held, oldestAt };
}

test.each([
  ["", [9, 4, 4, 1]],
  ["jobs", [9, 4, 4, 1]],
  ["oldest", [1, 9, 4, 4]],
  ["unknown", [9, 4, 4, 1]],
])("classes by %o", (key, expected) => {
  const rows = [waiting(4, null), waiting(1, 10), waiting(9, 20), waiting(4, null)];
  expect(inOrder(rows, orderOf(CLASS_ORDERS, key)).map(({ jobs }) => jobs)).toEqual(expected);
});

test.each([
  ["", ["sums", "logs", "Ends"]],
  ["oldest", ["logs", "Ends", "sums"]],
  ["name", ["Ends", "logs", "sums"]],
])("queues by %o", (key, expected) => {
  const rows = [named("logs", [0, 3, 2], 10), named("sums", [1, 0, 8], null), named("Ends", [4, 0, 0], 20)];
  expect(inOrder(rows, orderOf(NAME_ORDERS, key)).map(({ queue }) => queue)).toEqual(expected);
  expect(rows[0]?.queue, "what is at hand stays as it was").toBe("logs");
});
