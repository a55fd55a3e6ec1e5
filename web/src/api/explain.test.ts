/** What several of the server's explanations say together. */

import { expect, test } from "vitest";
import { together } from "./explain.ts";

test("each sentence stands once, in the order in which it was told", () => {
  const reason = (text: string, jobs = 1) => ({ code: "noWorker", numbers: { jobs }, text });
  const told = together([[reason("paused"), reason("nobody")], [], [reason("nobody", 2), reason("busy")]]);
  expect(told.reasons).toEqual([reason("paused"), reason("nobody"), reason("busy")]);
  expect(together([])).toEqual({ reasons: [] });
});
