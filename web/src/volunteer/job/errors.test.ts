/** What strangers throw, cut to what a person can use. */

import { expect, test } from "vitest";
import { thrownError } from "./errors.ts";

function stackOf(stack: string): string {
  return thrownError({ message: "m", stack }).stack;
}

test("the runtime's own lines are left out of a stack", () => {
  const own = "Error: m\n    at weevil_main (Add.js:3:9)";
  const runtime = "\n    at e.run (weevil-job-runtime.js:1:99)";
  expect(stackOf(`${own}${runtime}${runtime}`)).toBe(own);
  expect(stackOf(`weevil_main@Add.js:3:9\nrun@data:text/javascript;charset=utf-8,%22use:1:5\n`)).toBe("weevil_main@Add.js:3:9\n");
});

test.each([
  [new TypeError("t"), "TypeError: t"],
  [new Error("e"), "e"],
  [null, "null"],
  [5n, "5"],
  [Symbol("s"), "Symbol(s)"],
  [{ message: "like an error" }, "like an error"],
  [{ odd: true }, "[object Object]"],
  [Object.create(null), "[object Object]"],
])("%o", (thrown, message) => {
  expect(thrownError(thrown)).toMatchObject({ kind: "thrown", message });
});

test("nothing that is thrown throws here", () => {
  const nasty = new Proxy(
    {},
    {
      get: () => nasty,
      getPrototypeOf: () => {
        throw new Error("no");
      },
    },
  );
  expect(thrownError(nasty).kind).toBe("thrown");
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  expect(thrownError(revoked.proxy).message).toBe("something that cannot be shown as text");
});
