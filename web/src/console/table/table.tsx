/**
 * Rows with a head above them. Each row is named by a link or a heading in its first cell; the whole row leads there.
 *
 * Never asks for rows: `more` brings those behind the last one. Rows far from what can be seen are no elements.
 */

import type { ComponentChild, ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { PARTS } from "../words/parts.ts";
import type { Peek } from "../words/peek.ts";
import { Peekable, usePeeks } from "./peek.tsx";
import { Pieces } from "./pieces.tsx";
import { linkOf, makeStop } from "./rove.ts";

export interface Column<T> {
  /** Its class: how wide it is, and where it stands on a phone, say styles. */
  readonly id: string;
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
}

interface Shown<T> {
  readonly id: string;
  /** What it is, for those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Attributes by which a row is told from others: `data-run`. */
  readonly marks: (row: T) => Readonly<Record<string, string>>;
  /** Whether there are more rows than are listed. */
  readonly more?: boolean;
  /** The main facts of a row, for a look at it beside the list. */
  readonly peek?: (row: T) => Peek;
}

export function Table<T>(shown: Shown<T>) {
  const { id, rows, keyOf, peek } = shown;
  if (peek === undefined) return <Body {...shown} />;
  const tell = (key: string): Peek | undefined => {
    const row = rows.find((one) => keyOf(one) === key);
    return row && peek(row);
  };
  return (
    <Peekable list={id} tell={tell}>
      <Body {...shown} />
    </Peekable>
  );
}

function Body<T>({ id, label, columns, rows, keyOf, marks, more = false, peek }: Shown<T>) {
  // -1: how many there are is not known.
  const all = more ? -1 : rows.length + 1;
  const table = useRef<HTMLDivElement>(null);
  usePeeks(id, table, peek !== undefined);
  const stop = useMemo(() => makeStop(() => [...(table.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])]), []);
  const draw = (some: readonly T[], first: number): ComponentChildren =>
    some.map((row, index) => (
      <div key={keyOf(row)} class="row" role="row" aria-rowindex={first + index + 2} data-row={keyOf(row)} {...marks(row)}>
        {columns.map((column, at) => (
          <Cell key={column.id} name={column.id} first={at === 0}>
            {column.cell(row)}
          </Cell>
        ))}
      </div>
    ));
  return (
    <div class={`table ${id}`} id={id} role="table" aria-label={label} aria-rowcount={all} ref={table} onFocusIn={stop.hear}>
      <div role="rowgroup">
        <div class="row heads" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.id} class={column.id} role="columnheader">
              {column.head}
            </span>
          ))}
        </div>
      </div>
      <Pieces rows={rows} name="rows" role="rowgroup" draw={draw} drawn={stop.set} />
    </div>
  );
}

function Cell({
  name,
  first,
  children,
}: {
  readonly name: string;
  readonly first: boolean;
  readonly children: ComponentChildren;
}): ComponentChild {
  return (
    <span class={name} role={first ? "rowheader" : "cell"}>
      {children}
    </span>
  );
}

interface More {
  readonly id: string;
  /** Whether there is more to show. */
  readonly more: boolean;
  readonly shown: number;
  readonly busy: boolean;
  readonly onMore: () => void;
}

/** The button behind the last row. Once it is gone, the focus goes to the first row that it has brought. */
export function ShowMore({ id, more, shown, busy, onMore }: More) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const lost = document.activeElement === document.body;
    if (!more && lost && before.current !== undefined) focusRow(place.current, before.current);
  }, [more]);
  const press = (): void => {
    if (busy) return;
    before.current = shown;
    onMore();
  };
  return (
    <div class="more" ref={place}>
      {more && (
        <button class="button" id={id} type="button" aria-disabled={busy} onClick={press}>
          {PARTS.more}
        </button>
      )}
    </div>
  );
}

/** The head is the first row of a table. */
function focusRow(beside: HTMLElement | null, index: number): void {
  const row = beside?.closest("section")?.querySelector(`[aria-rowindex="${index + 2}"]`);
  if (row !== null && row !== undefined) linkOf(row)?.focus();
}
