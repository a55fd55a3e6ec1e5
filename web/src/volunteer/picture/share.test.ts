/** The lit part of the run's bar: this browser's jobs among those that the aim counts. */

import { expect, test } from "vitest";
import type { EndedAttempts } from "../../api/types.gen.ts";
import { OwnShare } from "./share.ts";

function ended(done: number, workflowHash = "aa"): EndedAttempts {
  return { slot: 0, workflow: "pi", workflowHash, done, failed: 1, computeMs: 1, flops: 1 };
}

const aim = (done: number) => ({ name: "pi", done, total: 100 });

test("own jobs are counted by workflow, and are never more than all", () => {
  const share = new OwnShare();
  share.hear([ended(3), ended(4, "bb")]);
  share.hear([ended(2)]);
  expect([share.of("aa", aim(50)), share.of("bb", aim(50)), share.of("cc", aim(50))]).toEqual([5, 4, 0]);
  expect(share.of("aa", aim(50))).toBe(5);
  share.hear([ended(60)]);
  expect(share.of("aa", aim(52))).toBe(52);
});

test("a run that ends takes its jobs along", () => {
  const share = new OwnShare();
  share.hear([ended(30)]);
  expect(share.of("aa", aim(40))).toBe(30);
  expect(share.of("aa", aim(10))).toBe(0);
  share.hear([ended(2)]);
  expect(share.of("aa", aim(12))).toBe(2);
});
