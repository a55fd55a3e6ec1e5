/** What stands around a place. */

import { expect, test } from "vitest";
import { contextAt } from "./context.ts";

function told(marked: string): string {
  const at = marked.indexOf("|");
  const context = contextAt(marked.replace("|", ""), at);
  switch (context?.kind) {
    case undefined:
      return "";
    case "element":
      return `element${context.tag ? "" : "?"} in ${context.parent ?? "nothing"} beside ${context.siblings.join(" ")} from ${context.from}`;
    case "close":
      return `close ${context.parent ?? "nothing"} from ${context.from}`;
    case "attribute":
      return `attribute of ${context.element} beside ${context.present.join(" ")} from ${context.from}`;
    case "value":
      return `${context.attribute} of ${context.element} from ${context.from} to ${context.to}`;
  }
}

test.each([
  ["<|", "element in nothing beside  from 1"],
  ["|", "element? in nothing beside  from 0"],
  ["<workflow>\n  |\n</workflow>", "element? in workflow beside  from 13"],
  ["<workflow><no|</workflow>", "element in workflow beside  from 11"],
  ["<workflow><nodes/><|<finalnode/></workflow>", "element in workflow beside nodes finalnode from 19"],
  ["<a><b><c/></b><d><|</d><e/></a>", "element in d beside  from 18"],
  ["<a><!-- <b> --><|", "element in a beside  from 16"],
  ["<a><b></|", "close b from 8"],
  ["<a><b></b></a|", "close a from 12"],
  ["<!-- <a |", ""],
  ["<job |", "attribute of job beside  from 5"],
  ["<job id=\"x\" s| src='y'/>", "attribute of job beside id src from 12"],
  ['<job id="x" |\n<job src="y"/>', "attribute of job beside id from 12"],
  ['<edge source="|', "source of edge from 14 to 14"],
  ['<edge id=\'e\' source="a|b" dest="c"/>', "source of edge from 21 to 23"],
  ['<edge source="a|\n<edge/>', "source of edge from 14 to 15"],
  ['<a x="1"|/>', ""],
  ["<a>text|</a>", ""],
])("%j", (marked, expected) => {
  expect(told(marked)).toBe(expected);
});
