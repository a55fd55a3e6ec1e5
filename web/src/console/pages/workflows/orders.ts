/** What stored workflows can be sorted by: the server lists the ones uploaded last first. Pure. */

import type { NamedWorkflowView } from "../../../api/types.gen.ts";
import { type Orders, byName, mostFirst } from "../../parts/orders.ts";
import { WORKFLOWS } from "../../words/workflows.ts";
import { together } from "./last.ts";

const { orders } = WORKFLOWS;

/** By when the newest version came, and by the newest run of any version, for that is what the list shows. */
export const WORKFLOW_ORDERS: Orders<NamedWorkflowView> = [
  { key: "uploaded", name: orders.uploaded, compare: mostFirst(({ versions }) => versions[0]?.createdAt ?? 0) },
  { key: "run", name: orders.run, compare: mostFirst(({ versions }) => together(versions).lastRun?.createdAt ?? 0) },
  { key: "name", name: orders.name, compare: byName(({ name }) => name) },
];
