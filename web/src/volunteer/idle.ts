/** The `Status` before anything has happened: where every other one starts from. Owns no wording. */

import type { Status } from "../api/types.gen.ts";

export const IDLE: Status = {
  state: "idle",
  message: null,
  retryMs: null,
  slots: 0,
  busy: 0,
  waiting: 0,
  done: 0,
  failed: 0,
  mflops: 0,
  workflow: null,
  workflowHash: null,
  source: null,
  firstJobMs: null,
  standing: null,
  eachSlot: [],
  ended: [],
};
