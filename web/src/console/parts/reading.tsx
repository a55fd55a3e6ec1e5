/**
 * What a part that is made by hand says where it could not be read: the refusal with a button that asks again, and how old what it still
 * shows is.
 *
 * Owns the place for that, and dims what is shown below it. A refusal of a deed stands in its form, by `elements.ts`.
 */

import { render } from "preact";
import { makeHolder } from "../table/held.tsx";
import { Failed } from "./faces.tsx";

export interface Reading {
  readonly place: HTMLElement;
  readonly succeeded: () => void;
  /** @throws whatever is no refusal, for that is the console's own mistake */
  readonly refused: (problem: unknown, retry: () => void) => void;
  /** Whether it was ever read. */
  readonly isKnown: () => boolean;
}

/** `shown`: what the answers fill. */
export function makeReading(shown: HTMLElement): Reading {
  const place = makeHolder();
  let since: number | undefined;
  const succeeded = (): void => {
    since = Date.now();
    delete shown.dataset["old"];
    render(null, place);
  };
  const refused = (problem: unknown, retry: () => void): void => {
    if (since !== undefined) shown.dataset["old"] = "true";
    render(<Failed problem={problem} retry={retry} shownSince={since} />, place);
  };
  return { place, succeeded, refused, isKnown: () => since !== undefined };
}
