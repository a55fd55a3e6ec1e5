/** What stored workflows can be sorted by: the server lists the ones uploaded last first. Pure. */

import type { NamedWorkflowView } from "../../../api/types.gen.ts";
import { type Orders, byName, mostFirst } from "../../parts/orders.ts";
import { WORKFLOWS } from "../../words/workflows.ts";

const { orders } = WORKFLOWS;

/** By the newest version of each, for that is what the list shows. */
export const WORKFLOW_ORDERS: Orders<NamedWorkflowView> = [
  { key: "uploaded", name: orders.uploaded, compare: mostFirst(({ versions }) => versions[0]?.createdAt ?? 0) },
  { key: "run", name: orders.run, compare: mostFirst(({ versions }) => versions[0]?.lastRun?.createdAt ?? 0) },
  { key: "name", name: orders.name, compare: byName(({ name }) => name) },
];
