/** What the two lists of the queue's page can be sorted by: the server lists both with the most jobs first. Pure. */

import type { WaitingClassView, WaitingQueueView } from "../../../api/types.gen.ts";
import { type Orders, byName, earliestFirst, mostFirst } from "../../parts/orders.ts";
import { QUEUE } from "../../words/queue.ts";

const { orders } = QUEUE;
const OLDEST = {
  key: "oldest",
  name: orders.oldest,
  compare: earliestFirst<Pick<WaitingClassView, "oldestAt">>(({ oldestAt }) => oldestAt),
};

export const CLASS_ORDERS: Orders<WaitingClassView> = [{ key: "jobs", name: orders.jobs, compare: mostFirst(({ jobs }) => jobs) }, OLDEST];

export const NAME_ORDERS: Orders<WaitingQueueView> = [
  { key: "jobs", name: orders.jobs, compare: mostFirst(({ ready, delayed, held }) => ready + delayed + held) },
  OLDEST,
  { key: "name", name: orders.name, compare: byName(({ queue }) => queue) },
];
