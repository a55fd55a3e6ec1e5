/** What stands where a list or a page would: while it loads, where nothing is there, and where the server refuses. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../../api/request.ts";
import { errorAddress } from "../app/routes.ts";
import { now } from "../app/clock.ts";
import { age } from "../words/format.ts";
import { PARTS } from "../words/parts.ts";
import { Copy } from "./id.tsx";

/** Shorter waits show nothing: what flickers disturbs. */
const OUTLINES_MS = 150;
const OUTLINES = [0, 1, 2, 3, 4];

export function Loading() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), OUTLINES_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <div class="outlines">
      <span class="unseen">{PARTS.loading}</span>
      {OUTLINES.map((row) => (
        <span key={row} />
      ))}
    </div>
  );
}

interface Nothing {
  readonly id?: string;
  readonly title: string;
  readonly children: ComponentChildren;
  /** The one button or link. */
  readonly action?: ComponentChildren;
  /** The same from a shell. */
  readonly command?: string;
}

export function Empty({ id, title, children, action, command }: Nothing) {
  return (
    <section class="empty" id={id}>
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
      {command !== undefined && <Command text={command} />}
    </section>
  );
}

export function Command({ text }: { readonly text: string }) {
  return (
    <p class="command">
      <code>{text}</code>
      <Copy text={text} label={PARTS.copyCommand} />
    </p>
  );
}

interface Wrong {
  readonly problem: unknown;
  /** Asks again. */
  readonly retry?: () => void;
  /** When what is still shown was asked, in milliseconds since 1970. */
  readonly shownSince?: number | undefined;
}

/** @throws whatever is no refusal, for that is the console's own mistake */
export function Failed({ problem, retry, shownSince }: Wrong) {
  if (!(problem instanceof Refusal)) throw problem;
  const { message, code, requestId } = problem;
  return (
    <div class="refused" role="alert">
      <p>{message}</p>
      <p class="muted">
        {requestId === "" ? <code>{code}</code> : <a href={errorAddress(code)}>{code}</a>}
        {requestId !== "" && <> {PARTS.request(requestId)}</>}
        {shownSince !== undefined && <span aria-live="off"> {PARTS.asOf(age(shownSince, now.value))}</span>}
      </p>
      {retry !== undefined && (
        <button class="button" type="button" onClick={retry}>
          {PARTS.retry}
        </button>
      )}
    </div>
  );
}
