/**
 * Asks the checker, in a worker of its own: at most one question of each kind is under way, and an answer for an older text is dropped.
 * A worker that has trapped is replaced; what was asked meanwhile is answered as unknown.
 *
 * Never touches the DOM. When to ask is the caller's.
 */

import type { Answered, Asked, CheckedFile, Completion, Findings, Question } from "./said.ts";

/** What a checker is asked through; a test has its own. */
export type Port = Pick<Worker, "postMessage" | "terminate" | "addEventListener">;

export interface Checker {
  /** `undefined`: something newer was asked meanwhile, or the checker has failed. */
  readonly check: (files: readonly CheckedFile[], document: string | undefined) => Promise<Findings | undefined>;
  readonly complete: (document: string, at: number, paths: readonly string[]) => Promise<Completion | null | undefined>;
  readonly end: () => void;
}

type Answer = Findings | Completion | null | undefined;

interface Waiting {
  readonly number: number;
  readonly resolve: (answer: Answer) => void;
}

/** `onTrap` hears that the module had to be started again. */
export function makeChecker(open: () => Port, onTrap: () => void): Checker {
  let port: Port | undefined;
  let numbers = 0;
  const waiting = new Map<Question["kind"], Waiting>();

  function begin(): Port {
    const opened = open();
    opened.addEventListener("message", (event) => take((event as MessageEvent<Answered>).data));
    opened.addEventListener("error", fail);
    return opened;
  }

  function take({ number, answer }: Answered): void {
    if (answer === undefined) return fail();
    for (const [kind, asked] of waiting) {
      if (asked.number !== number) continue;
      waiting.delete(kind);
      asked.resolve(JSON.parse(answer) as Answer);
    }
  }

  function fail(): void {
    port?.terminate();
    port = undefined;
    for (const { resolve } of waiting.values()) resolve(undefined);
    waiting.clear();
    onTrap();
  }

  function ask(question: Question): Promise<Answer> {
    port ??= begin();
    const number = (numbers += 1);
    waiting.get(question.kind)?.resolve(undefined);
    port.postMessage({ number, question } satisfies Asked);
    return new Promise((resolve) => waiting.set(question.kind, { number, resolve }));
  }

  return {
    check: (files, document) => ask({ kind: "check", files, document }) as Promise<Findings | undefined>,
    complete: (document, at, paths) => ask({ kind: "complete", document, at, paths }) as Promise<Completion | null | undefined>,
    end: () => {
      port?.terminate();
      port = undefined;
      for (const { resolve } of waiting.values()) resolve(undefined);
      waiting.clear();
    },
  };
}

export function openChecking(): Port {
  return new Worker(new URL("./checking.ts", import.meta.url), { type: "module" });
}
