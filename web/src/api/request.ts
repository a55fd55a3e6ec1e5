/**
 * One question to the server's HTTP API, by its route.
 *
 * Owns turning a refusal of any kind into a `Refusal` with words for people. Knows no session, and never touches the DOM.
 */

import type { Route } from "./routes.gen.ts";
import type { DiagnosticView, Problem } from "./types.gen.ts";

/** The status of an answer without a body (RFC 9110, section 15.3.5). */
const NO_CONTENT = 204;

/** What is read of a refusal's body. */
export type Refused = Pick<Problem, "code" | "detail" | "diagnostics"> & Partial<Pick<Problem, "requestId">>;

/** The server said no, or could not be asked. */
export class Refusal extends Error {
  readonly code: string;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly diagnostics: readonly DiagnosticView[];
  /** Empty where the answer is not this server's own. */
  readonly requestId: string;

  constructor({ code, detail, diagnostics = [], requestId = "" }: Refused, status: number) {
    super(detail);
    this.requestId = requestId;
    this.code = code;
    this.status = status;
    this.diagnostics = diagnostics;
  }
}

/** What the server answers, told by its body. @throws Refusal */
export async function read<T>(route: Route<T>, request: RequestInit = {}): Promise<T> {
  return bodyOf<T>(await respond(route, request));
}

/** `undefined` where the answer has no body. */
export async function bodyOf<T>(response: Response): Promise<T> {
  return (response.status === NO_CONTENT ? undefined : await response.json()) as T;
}

/** `onAnswer` sees every answer, refusals as well. @throws Refusal */
export async function respond(
  { method, path }: Route<unknown>,
  request: RequestInit,
  onAnswer: (response: Response) => void = () => undefined,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...request, method });
  } catch {
    throw new Refusal({ code: "unreachable", detail: unreachable(request.body) }, 0);
  }
  onAnswer(response);
  if (response.ok) return response;
  throw new Refusal(errorIn(await response.text(), response.status), response.status);
}

/** A server that stops reading a body while it is still being sent looks like one that is not there. */
function unreachable(body: unknown): string {
  const first = "The server cannot be reached.";
  return body instanceof FormData ? `${first} It may also have ended an upload that is larger than it allows.` : first;
}

/** The error in a refusal's body, whatever stands in it: a proxy may answer in HTML. */
export function errorIn(body: string, status: number): Refused {
  try {
    const { code, detail, diagnostics, requestId } = JSON.parse(body) as Partial<Problem>;
    if (typeof code === "string" && typeof detail === "string") {
      const told = typeof requestId === "string" ? { requestId } : {};
      return { code, detail, diagnostics: Array.isArray(diagnostics) ? diagnostics : [], ...told };
    }
  } catch {
    // Falls through to the status alone.
  }
  return { code: `http_${status}`, detail: `The server answered with status ${status}.` };
}
