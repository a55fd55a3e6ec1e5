/**
 * A worker that decodes one value and says what it is, off the page's thread, then waits for its end.
 *
 * Never asks the network.
 */

import { decode } from "../../volunteer/job/cbor-decode.ts";
import { isTyped } from "./layout.ts";
import { shapeOf } from "./shape.ts";
import type { Decoded } from "./decoding.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.addEventListener("message", ({ data }: MessageEvent<Uint8Array>) => {
  let answer: Decoded;
  try {
    answer = { shape: shapeOf(decode(data)) };
  } catch (problem) {
    answer = { problem: problem instanceof Error ? problem.message : String(problem) };
  }
  const value = "shape" in answer ? answer.shape.value : undefined;
  scope.postMessage(answer, isTyped(value) ? [value.buffer] : []);
});
