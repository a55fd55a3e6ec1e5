/** The server's own settings: a row for each with where it comes from, for those who may see them. Nothing is changed here. */

import { useEffect } from "preact/hooks";
import type { SettingView } from "../../../api/types.gen.ts";
import { lookAtSettings, settings, settingsProblem } from "../../data/settings.ts";
import { Command, Failed, Loading } from "../../parts/faces.tsx";
import { Look } from "../../table/look.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { settingPeek } from "../../words/settingpeek.ts";
import { SETTINGS } from "../../words/settings.ts";
import { has } from "../people/who.ts";

const { columns, value, from } = SETTINGS.server;

const COLUMNS: readonly Column<SettingView>[] = [
  {
    id: "name",
    head: columns.key,
    cell: ({ key }) => (
      <Look title={key}>
        <code>{key}</code>
      </Look>
    ),
  },
  { id: "value", head: columns.value, cell: (row) => <Value {...row} /> },
  { id: "from", head: columns.from, cell: (row) => <span title={from(row)}>{from(row)}</span> },
];

export function ServerSettings() {
  const may = has("server:read");
  return (
    <section class="panel" id="server-settings">
      <h2>{SETTINGS.server.title}</h2>
      <p class="muted prose">{may ? SETTINGS.server.about : SETTINGS.server.others}</p>
      {may ? <Listed /> : <Command text={SETTINGS.server.command} />}
    </section>
  );
}

function Listed() {
  useEffect(() => void lookAtSettings(), []);
  const rows = settings.value;
  if (settingsProblem.value !== undefined) return <Failed problem={settingsProblem.value} retry={() => void lookAtSettings()} />;
  if (rows === undefined) return <Loading />;
  return (
    <Table
      id="server-table"
      label={SETTINGS.server.title}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ key }) => key}
      marks={({ key }) => ({ "data-setting": key })}
      peek={settingPeek}
    />
  );
}

function Value(row: SettingView) {
  if (row.value === null) return <span class="muted">{value(row)}</span>;
  return <code title={row.value}>{row.value}</code>;
}
