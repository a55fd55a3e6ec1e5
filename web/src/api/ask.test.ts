/** What a session needs along the way of a question. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask, whenProjectIsAsked, whenProofIsAsked } from "./ask.ts";
import type { Route } from "./routes.gen.ts";
import { hasSession, keepSession } from "./session.ts";

const KEY = "x-weevil-session-key";
const ROUTE: Route<number> = { method: "POST", path: "/deed" };

/** One answer after the other, and the keys that came with the questions. */
function server(...answers: (() => Response | Promise<Response>)[]): { keys: unknown[] } {
  const keys: unknown[] = [];
  vi.stubGlobal("fetch", async (_path: string, request: RequestInit) => {
    keys.push((request.headers as Record<string, string>)[KEY]);
    return answers.shift()?.() ?? new Response("", { status: 500 });
  });
  return { keys };
}

function refused(status: number, code: string): () => Response {
  return () => new Response(JSON.stringify({ code, detail: code }), { status });
}

function done(key?: string): () => Response {
  return () => new Response("7", { headers: key === undefined ? {} : { [KEY]: key } });
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  keepSession("old");
});

afterEach(() => {
  vi.unstubAllGlobals();
  whenProofIsAsked(() => Promise.resolve(false));
});

test("a key that an answer brings goes with the next question, also where the answer is a refusal", async () => {
  const { keys } = server(done("new"), () => new Response("{}", { status: 404, headers: { [KEY]: "newer" } }), done());
  expect(await ask(ROUTE)).toBe(7);
  await expect(ask(ROUTE)).rejects.toMatchObject({ status: 404 });
  await ask(ROUTE);
  expect(keys).toEqual(["old", "new", "newer"]);
});

test("what was meant goes on after a new proof, and is refused without one", async () => {
  const { keys } = server(refused(403, "signInAgain"), done(), refused(403, "signInAgain"));
  whenProofIsAsked(() => {
    keepSession("proved");
    return Promise.resolve(true);
  });
  expect(await ask(ROUTE)).toBe(7);
  whenProofIsAsked(() => Promise.resolve(false));
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "signInAgain" });
  expect(keys).toEqual(["old", "proved", "proved"]);
});

test("a proof is asked for once", async () => {
  const { keys } = server(refused(403, "signInAgain"), refused(403, "signInAgain"));
  whenProofIsAsked(() => Promise.resolve(true));
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "signInAgain" });
  expect(keys.length).toBe(2);
});

test("a wrong proof ends nothing, and an ended session is forgotten", async () => {
  server(refused(401, "wrongSignIn"), refused(401, "notSignedIn"));
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "wrongSignIn" });
  expect(hasSession()).toBe(true);
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "notSignedIn" });
  expect(hasSession()).toBe(false);
});

test("a question that had the new cookie and the old key is asked again once the new key is there", async () => {
  const bringers: ((answer: Response) => void)[] = [];
  const slow = new Promise<Response>((resolve) => bringers.push(resolve));
  const { keys } = server(() => slow, refused(403, "noSessionKey"), done());
  const both = [ask(ROUTE), ask(ROUTE)];
  bringers[0]?.(done("new")());
  expect(await Promise.all(both)).toEqual([7, 7]);
  expect(keys).toEqual(["old", "old", "new"]);
});

test("a key that fits to nothing ends the session", async () => {
  const { keys } = server(refused(403, "noSessionKey"));
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "noSessionKey" });
  expect([keys.length, hasSession()]).toEqual([1, false]);
});

test("who has to name a project hears of it with the refusal", async () => {
  let heard = 0;
  whenProjectIsAsked(() => (heard += 1));
  server(refused(400, "whichProject"), refused(404, "noSuchProject"));
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "whichProject" });
  await expect(ask(ROUTE)).rejects.toMatchObject({ code: "noSuchProject" });
  expect(heard).toBe(1);
});
