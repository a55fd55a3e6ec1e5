/** Events come whole, however their text is cut. */

import { expect, test } from "vitest";
import { eventReader } from "./sse.ts";

const SENT = ': still here\n\nevent: runs\ndata: [1]\n\nid: 7-1\nevent: fleet\ndata: {"a":"b"}\n\nid: 7-2\n\ndata: 7\n\n';

test.each([1, 2, 7, SENT.length])("in pieces of %i", (size) => {
  const read = eventReader();
  const pieces = Array.from({ length: Math.ceil(SENT.length / size) }, (_, at) => SENT.slice(at * size, (at + 1) * size));
  expect(pieces.flatMap((piece) => [...read(piece)])).toEqual([
    { name: "runs", data: "[1]" },
    { name: "fleet", data: '{"a":"b"}', id: "7-1" },
    { name: "message", id: "7-2" },
    { name: "message", data: "7" },
  ]);
});

test("what has not ended is no event yet", () => {
  const read = eventReader();
  expect(read("event: runs\ndata: [1]\n")).toEqual([]);
  expect(read("\n")).toEqual([{ name: "runs", data: "[1]" }]);
});
