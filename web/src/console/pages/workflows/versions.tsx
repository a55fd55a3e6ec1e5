/** Stored workflows by name, the newest version first: what each is, and the buttons that run it. */

import type { NamedWorkflowView, WorkflowVersionView } from "../../../api/types.gen.ts";
import { RUNS, diffAddress, editAddress, runAddress, versionAddress, withQuery, workflowAddress } from "../../app/routes.ts";
import { now } from "../../app/clock.ts";
import { StateMark } from "../../parts/state.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { counted, size } from "../../words/format.ts";
import { versionPeek } from "../../words/peek.ts";
import { runMark } from "../../words/states.ts";
import { SHORT, WORKFLOWS, runsText } from "../../words/workflows.ts";
import { When } from "../runs/columns.tsx";
import { type Runs, together } from "./last.ts";
import { RunButtons } from "./runbuttons.tsx";

interface Row {
  readonly name: string;
  readonly version: WorkflowVersionView;
  /** Its own, or those of all versions where they have no rows. */
  readonly runs: Runs;
  /** Where those runs are listed. */
  readonly listed: Readonly<Record<string, string>>;
  /** The version before it. */
  readonly before: WorkflowVersionView | undefined;
  /** How many versions are older and not shown. */
  readonly earlier: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: "name", head: WORKFLOWS.columns.name, cell: (row) => <Name row={row} /> },
  { id: "version", head: WORKFLOWS.columns.version, cell: ({ version }) => <code title={version.workflow}>{short(version)}</code> },
  { id: "when", head: WORKFLOWS.columns.when, cell: ({ version }) => <When at={version.createdAt} /> },
  { id: "size", head: WORKFLOWS.columns.size, cell: ({ version }) => <span class="muted">{about(version)}</span> },
  { id: "last", head: WORKFLOWS.columns.last, cell: (row) => <Last row={row} /> },
  { id: "deeds", head: WORKFLOWS.columns.actions, cell: (row) => <Deeds row={row} /> },
];

/** `whole`: every version has a row, not the newest alone. */
export function WorkflowTable({ rows, whole }: { readonly rows: readonly NamedWorkflowView[]; readonly whole: boolean }) {
  const shown = rows.flatMap(({ name, versions }) =>
    versions.slice(0, whole ? versions.length : 1).map((version, at) => ({
      name,
      version,
      runs: together(whole ? [version] : versions),
      listed: whole || versions.length === 1 ? { workflow: version.workflow } : { q: name },
      before: whole ? versions[at + 1] : undefined,
      earlier: whole ? 0 : versions.length - 1,
    })),
  );
  const marks = ({ name, version }: Row) => ({ "data-workflow": name, "data-version": version.workflow });
  const keyOf = ({ name, version }: Row) => `${version.workflow} ${name}`;
  return (
    <Table
      id="workflows"
      label={WORKFLOWS.list}
      columns={COLUMNS}
      rows={shown}
      keyOf={keyOf}
      marks={marks}
      peek={({ name, version }) => versionPeek(name, version, now.value)}
    />
  );
}

function Name({ row: { name, earlier } }: { readonly row: Row }) {
  return (
    <>
      <a href={workflowAddress(name)}>{name}</a>
      {earlier > 0 && <span class="muted">{WORKFLOWS.earlier(earlier)}</span>}
    </>
  );
}

/** How the newest run stands, and the way to all of them. */
function Last({ row: { name, version, runs: told, listed } }: { readonly row: Row }) {
  const { lastRun, runs } = told;
  if (lastRun === null) return <span class="muted">{WORKFLOWS.never}</span>;
  const mark = runMark({ state: lastRun.state, paused: false });
  const all = runsText(runs);
  const digits = short(version);
  return (
    <>
      <a class="over" href={runAddress(lastRun.run)} aria-label={WORKFLOWS.lastLabel(name, digits, mark.word)}>
        <StateMark mark={mark} />
      </a>
      <a class="over" href={withQuery(RUNS, listed)} aria-label={WORKFLOWS.runsLabel(name, digits, all)}>
        {all}
      </a>
    </>
  );
}

function Deeds({ row: { name, version, before } }: { readonly row: Row }) {
  const digits = short(version);
  return (
    <>
      <RunButtons name={name} workflow={version.workflow} small />
      <a class="over" href={versionAddress(name, version.workflow)} aria-label={WORKFLOWS.graphLabel(name, digits)}>
        {WORKFLOWS.graph}
      </a>
      <a class="over" href={editAddress(name, version.workflow)} aria-label={WORKFLOWS.editLabel(name, digits)}>
        {WORKFLOWS.edit}
      </a>
      {before !== undefined && (
        <a class="over" href={diffAddress(before.workflow, version.workflow)} aria-label={WORKFLOWS.compare.before(digits)}>
          {WORKFLOWS.compare.from}
        </a>
      )}
    </>
  );
}

function short({ workflow }: WorkflowVersionView): string {
  return workflow.slice(0, SHORT);
}

function about({ files, bytes }: WorkflowVersionView): string {
  return `${counted(files, "file")}, ${size(bytes)}`;
}
