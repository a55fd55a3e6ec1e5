/** Decoding off the page's thread: a worker for each value, ended when it has answered. */

import type { Shape } from "./shape.ts";

export type Decoded = { readonly shape: Shape } | { readonly problem: string };

/** The bytes are no value: the message says what is wrong with them. It is empty where the browser has no room for the value. */
export class UndecodableError extends Error {}

/** @throws UndecodableError */
export function decodeApart(bytes: Uint8Array): Promise<Shape> {
  const worker = new Worker(new URL("./decoder.ts", import.meta.url), { type: "module" });
  const answer = new Promise<Shape>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Decoded>) => {
      if ("shape" in data) resolve(data.shape);
      else reject(new UndecodableError(data.problem));
    });
    const fail = (): void => reject(new UndecodableError());
    worker.addEventListener("error", fail);
    worker.addEventListener("messageerror", fail);
  });
  worker.postMessage(bytes);
  return answer.finally(() => worker.terminate());
}
