/**
 * A peek: the main facts of a row in a panel beside its list, without leaving it. The focus stays on the row; where it goes on to another
 * row of the list, so does the peek.
 *
 * Which row that is says `peeked.ts`. Asks nobody: what is told is what the list knows of the row.
 */

import { type ComponentChildren, Fragment, type RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { announce } from "../app/announce.tsx";
import { StateMark } from "../parts/state.tsx";
import { PEEK, type Peek, peekText } from "../words/peek.ts";
import { PEEK_EVENT, closePeek, peeked, showPeek } from "./peeked.ts";
import { linkOf, rowOf } from "./rove.ts";

/** Hears of peeks inside an element whose rows have `data-row`. */
export function usePeeks(list: string, place: RefObject<HTMLElement | null>, peeks: boolean): void {
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null || !peeks) return undefined;
    const turn = ({ target }: Event): void => {
      const row = rowOf(target)?.dataset["row"];
      const isOpen = peeked.value?.list === list && peeked.value.row === row;
      showPeek(row === undefined || isOpen ? undefined : { list, row });
    };
    const follow = ({ target }: Event): void => {
      const row = rowOf(target)?.dataset["row"];
      const now = peeked.value;
      if (row !== undefined && now?.list === list && now.row !== row) showPeek({ list, row });
    };
    element.addEventListener(PEEK_EVENT, turn);
    element.addEventListener("focusin", follow);
    return () => {
      element.removeEventListener(PEEK_EVENT, turn);
      element.removeEventListener("focusin", follow);
    };
  }, [list, peeks]);
}

interface Shown {
  readonly list: string;
  /** What to tell about the row with this key; `undefined` where there is none any more. */
  readonly tell: (row: string) => Peek | undefined;
  readonly children: ComponentChildren;
}

/** A list, and beside it the panel of the row that is peeked at. */
export function Peekable({ list, tell, children }: Shown) {
  const now = peeked.value;
  const told = now?.list === list ? tell(now.row) : undefined;
  return (
    <div class="peekable" data-peeks={told !== undefined}>
      {children}
      {told !== undefined && <Panel key={now?.row} told={told} />}
    </div>
  );
}

function Panel({ told }: { readonly told: Peek }) {
  const { title, mark, address, facts } = told;
  useEffect(() => announce(peekText(told)), []);
  return (
    <section class="peek panel" id="peek" aria-label={PEEK.label(title)}>
      <div class="section-head">
        <h2>{title}</h2>
        {mark !== undefined && <StateMark mark={mark} />}
      </div>
      <dl class="facts">
        {facts.map(([term, text]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      <p class="buttons">
        {address !== undefined && (
          <a class="button small" href={address}>
            {PEEK.open}
          </a>
        )}
        <button class="button small" id="peek-close" type="button" onClick={leave}>
          {PEEK.close}
        </button>
      </p>
    </section>
  );
}

/** Back to the row. */
function leave(): void {
  const row = peeked.value?.row;
  closePeek();
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const element = rows.find(({ dataset }) => dataset["row"] === row);
  if (element !== undefined) linkOf(element)?.focus();
}
