/**
 * The worker that the checker's module runs in: one question after the other, each with one answer. After a trap it only says so, for
 * what the module holds is not to be trusted then.
 *
 * Asks the network for its module alone.
 */

import init, { check, complete, outline } from "../../wasm/weevil_check.js";
import type { Answered, Asked, Question } from "./said.ts";

const scope = self as unknown as DedicatedWorkerGlobalScope;
const ready = init();

scope.addEventListener("message", ({ data }: MessageEvent<Asked>) => void reply(data));

async function reply({ number, question }: Asked): Promise<void> {
  let answer: Answered["answer"];
  try {
    await ready;
    answer = answerTo(question);
  } catch {
    answer = undefined;
  }
  scope.postMessage({ number, answer } satisfies Answered);
}

/** A `Completion` or nothing, else `Findings`. */
function answerTo(question: Question): string {
  if (question.kind === "complete") {
    const { document, at, paths } = question;
    return complete(document, at, [...paths]);
  }
  const { files, document } = question;
  const paths = files.map(({ path }) => path);
  const contents = files.map(({ content }) => content);
  const checked = check(paths, contents);
  const outlined = document === undefined ? "null" : outline(document);
  return `{"checked":${checked},"outline":${outlined}}`;
}
