/** Code that stands inline in a page must not end its script element. */

import { expect, test } from "vitest";
import { inScript } from "./sandbox.ts";

test("what would end or open a script in HTML is escaped, and means the same", () => {
  const code = 'var a = "</script><!-- </SCRIPT>"; a < b';
  expect(inScript(code)).toBe('var a = "\\x3C/script>\\x3C!-- \\x3C/SCRIPT>"; a < b');
  expect(new Function("var b = 1;" + inScript('return "</script>"'))()).toBe("</script>");
});
