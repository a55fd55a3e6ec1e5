/** What the octets mean by which the API tells the states of many nodes. Knows neither a run nor a page. */

import type { NodeState } from "./types.gen.ts";

/** The state that each octet stands for (`NodeState::ALL` of `crates/model`). */
export const STATES: readonly NodeState[] = [
  "STARTED",
  "PARAM_NOT_FULFILLED",
  "PARAM_FULFILLED",
  "ENQUEUED",
  "RUNNING",
  "ANSWERED",
  "FINISHED",
  "FAILED",
  "CANCELLED",
];
