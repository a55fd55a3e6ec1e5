/** Code that stands inline in a page must not end its script element. */

import { expect, test } from "vitest";
import { inScript, scriptUrl } from "./sandbox.ts";

test("what would end or open a script in HTML is escaped, and means the same", () => {
  const code = 'var a = "</script><!-- </SCRIPT>"; a < b';
  expect(inScript(code)).toBe('var a = "\\x3C/script>\\x3C!-- \\x3C/SCRIPT>"; a < b');
  expect(new Function("var b = 1;" + inScript('return "</script>"'))()).toBe("</script>");
});

test("a script comes back from its address as it was", async () => {
  const code = "\"use strict\";\nvar a = `50 %20 ${'#\\t'} <b> é 🪲`;\r\n//# sourceURL=x.js\n\t";
  const answer = await fetch(scriptUrl(code));
  expect(await answer.text()).toBe(code);
});
