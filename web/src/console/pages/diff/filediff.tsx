/** One file in both versions, line by line, in two columns or in one; words that differ are marked. */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { compareLines } from "../../diff/lines.ts";
import { type Row, type Side, rowsOf } from "../../diff/rows.ts";
import type { FileChange } from "../../diff/versions.ts";
import { whyNoText } from "../../editor/files.ts";
import { useSome } from "../../parts/some.tsx";
import { DIFF } from "../../words/diff.ts";

export function FileDiff({ change, columns }: { readonly change: FileChange; readonly columns: boolean }) {
  const { path, old, fresh } = change;
  const withoutText = [old, fresh].find((file) => file !== undefined && file.text === undefined);
  return (
    <section class="file-diff" data-diff={path}>
      <h3>{path}</h3>
      {withoutText === undefined ? (
        <Lines old={old?.text ?? ""} fresh={fresh?.text ?? ""} path={path} columns={columns} />
      ) : (
        <p class="muted">{DIFF.noText[whyNoText(withoutText)]}</p>
      )}
    </section>
  );
}

interface Texts {
  readonly old: string;
  readonly fresh: string;
  readonly path: string;
  readonly columns: boolean;
}

function Lines({ old, fresh, path, columns }: Texts) {
  const { rows, cut } = useMemo(() => {
    const compared = compareLines(old, fresh);
    return { rows: rowsOf(compared.pieces), cut: compared.cut };
  }, [old, fresh]);
  const [shown, more] = useSome(rows, `more-${path}`);
  return (
    <>
      {cut && <p class="muted">{DIFF.cut}</p>}
      <div class="diff-scroll" tabIndex={0} role="region" aria-label={path}>
        <table class="diff" data-columns={columns ? 2 : 1}>
          <thead class="unseen">
            <tr>
              <th scope="col">{DIFF.old}</th>
              {columns && <th scope="col">{DIFF.state.removed}</th>}
              <th scope="col">{DIFF.fresh}</th>
              <th scope="col">{DIFF.state.added}</th>
            </tr>
          </thead>
          <tbody>{shown.map((row, at) => (columns ? <Wide key={at} row={row} /> : <Narrow key={at} row={row} />))}</tbody>
        </table>
      </div>
      {more}
    </>
  );
}

function Wide({ row }: { readonly row: Row }) {
  if (row.kind === "skipped") return <Skipped count={row.count} cells={4} />;
  const { kind, old, fresh } = row;
  return (
    <tr data-kind={kind}>
      <Number side={old} />
      <Text side={old} kind={kind === "same" ? "same" : "removed"} />
      <Number side={fresh} />
      <Text side={fresh} kind={kind === "same" ? "same" : "added"} />
    </tr>
  );
}

function Narrow({ row }: { readonly row: Row }) {
  if (row.kind === "skipped") return <Skipped count={row.count} cells={3} />;
  const { kind, old, fresh } = row;
  if (kind === "same") return <Line old={old} fresh={fresh} side={fresh} kind="same" />;
  return (
    <>
      {old !== undefined && <Line old={old} fresh={undefined} side={old} kind="removed" />}
      {fresh !== undefined && <Line old={undefined} fresh={fresh} side={fresh} kind="added" />}
    </>
  );
}

type Kind = "same" | "removed" | "added";

interface OneLine {
  readonly old: Side | undefined;
  readonly fresh: Side | undefined;
  readonly side: Side | undefined;
  readonly kind: Kind;
}

function Line({ old, fresh, side, kind }: OneLine) {
  return (
    <tr data-kind={kind}>
      <Number side={old} />
      <Number side={fresh} />
      <Text side={side} kind={kind} />
    </tr>
  );
}

function Number({ side }: { readonly side: Side | undefined }) {
  return <td class="number">{side?.number ?? ""}</td>;
}

const SIGNS: Readonly<Record<Kind, string>> = { same: " ", removed: "−", added: "+" };

function Text({ side, kind }: { readonly side: Side | undefined; readonly kind: Kind }) {
  if (side === undefined) return <td class="line" />;
  return (
    <td class="line" data-side={kind}>
      <span class="sign">{SIGNS[kind]}</span>
      {side.parts.map(({ text, marked }, at): ComponentChildren => (marked ? <mark key={at}>{text}</mark> : text))}
    </td>
  );
}

function Skipped({ count, cells }: { readonly count: number; readonly cells: number }) {
  return (
    <tr class="skipped">
      <td colSpan={cells}>{DIFF.skipped(count)}</td>
    </tr>
  );
}
