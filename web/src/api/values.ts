/**
 * Values as the server has them: results, inputs and what nodes have, each by its own route, in the form that is asked for.
 *
 * Never touches the DOM, and decodes nothing.
 */

import { type Expected, readExpected } from "./expected.ts";
import { answerOf, ask } from "./ask.ts";
import { Refusal } from "./request.ts";
import * as routes from "./routes.gen.ts";

/** Bytes of a value that are read at most; none has more. */
const MAX_BYTES = 16 * 1024 * 1024;
const CUT = "x-weevil-bytes";

export interface ValueSource {
  /** In the words of the page. */
  readonly title: string;
  /** The id of the element that it is shown in. */
  readonly id: string;
  /** What its files are called, without an ending. */
  readonly file: string;
  readonly route: (query: { readonly max?: number }) => routes.Route<unknown>;
  /** What it should be, where somebody has said so. */
  readonly expected?: () => Promise<Expected | undefined>;
}

export function runResultSource(title: string, run: string, workflow: string): ValueSource {
  const route: ValueSource["route"] = (query) => routes.runResult(run, query);
  return { title, id: "result", file: `result-${run}`, route, expected: () => expectedOf(workflow) };
}

export function jobResultSource(title: string, job: string): ValueSource {
  return { title, id: "result", file: `result-${job}`, route: (query) => routes.jobResult(job, query) };
}

export function jobInputSource(title: string, job: string): ValueSource {
  return { title, id: "input", file: `input-${job}`, route: (query) => routes.jobInput(job, query) };
}

export function nodeValueSource(title: string, run: string, node: string): ValueSource {
  return { title, id: "node-value", file: `value-${node}-${run}`, route: (query) => routes.nodeValue(run, node, query) };
}

/** The value has more bytes than are answered. */
export class CutValueError extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super();
    this.bytes = bytes;
  }
}

/** The exact bytes. @throws Refusal, CutValueError */
export async function readValue({ route }: ValueSource): Promise<Uint8Array<ArrayBuffer>> {
  const response = await answerOf(route({ max: MAX_BYTES }), { headers: { accept: "application/cbor" } });
  const all = response.headers.get(CUT);
  if (all !== null) throw new CutValueError(Number(all));
  return new Uint8Array(await response.arrayBuffer());
}

/** The body of the route, with the value in its JSON view. @throws Refusal */
export async function readJson({ route }: ValueSource): Promise<Blob> {
  return (await answerOf(route({}), { headers: { accept: "application/json" } })).blob();
}

/** What the workflow's own file says; nothing where it has none, or it cannot be read: it is only a help. */
async function expectedOf(workflow: string): Promise<Expected | undefined> {
  try {
    const { files } = await ask(routes.showWorkflow(workflow));
    const file = files.find(({ path }) => path === "expected.json");
    if (file === undefined) return undefined;
    return readExpected(await (await answerOf({ method: "GET", path: `/blobs/${file.hash}` })).text());
  } catch (refused) {
    if (refused instanceof Refusal) return undefined;
    throw refused;
  }
}
