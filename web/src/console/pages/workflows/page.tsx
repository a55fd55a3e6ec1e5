/** The stored workflows of the chosen project, by name, each version with what can be done with it; or those of one name. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { NamedWorkflowView } from "../../../api/types.gen.ts";
import { type Route, WORKFLOWS as ADDRESS } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { mayStart } from "../../data/projects.ts";
import { makeWorkflowList } from "../../data/workflows.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { FilterBar, NothingFits } from "../../parts/filter.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PARTS } from "../../words/parts.ts";
import { WORKFLOWS } from "../../words/workflows.ts";
import { NEW_WORKFLOW } from "../../words/editor.ts";
import { Examples } from "../runs/examples.tsx";
import { Compare } from "./compare.tsx";
import { DraftList } from "./drafts.tsx";
import { openNewWorkflow } from "./newworkflow.ts";
import { pickFiles, pickFolder } from "./upload.tsx";
import { WorkflowTable } from "./versions.tsx";

export function WorkflowsPage({ route }: { readonly route: Route }) {
  const { id: only, query } = route;
  const { all, problem, load } = useMemo(makeWorkflowList, []);
  const name = useSignal(query.get("q") ?? "");
  useEffect(() => {
    if (only === "") replaceQuery({ q: name.value });
  }, [name.value]);
  const title = only === "" ? WORKFLOWS.title : only;
  const fits = (workflow: NamedWorkflowView): boolean =>
    only === "" ? workflow.name.toLowerCase().includes(name.value.trim().toLowerCase()) : workflow.name === only;
  const rows = all.value?.filter(fits);
  return (
    <div class="page" id="workflows-page">
      <PageHead title={title} tab={title} actions={mayStart() && <Pick />} />
      {mayStart() && only === "" && <p class="muted prose">{WORKFLOWS.about}</p>}
      {mayStart() && only === "" && <DraftList />}
      {only === "" && (all.value?.length ?? 0) > 0 && (
        <FilterBar
          id="filter-name"
          name={WORKFLOWS.filter}
          label={WORKFLOWS.name}
          asked={name}
          counts={PARTS.shown(rows?.length ?? 0, WORKFLOWS.noun)}
          command={WORKFLOWS.listCommand}
        />
      )}
      {only !== "" && rows?.[0] !== undefined && <Compare versions={rows[0].versions} />}
      {problem.value !== undefined && <Failed problem={problem.value} retry={() => void load()} />}
      {rows === undefined ? (
        problem.value === undefined && <Loading />
      ) : (
        <Rows rows={rows} only={only} stored={all.value?.length ?? 0} clear={() => (name.value = "")} />
      )}
    </div>
  );
}

interface Listed {
  readonly rows: readonly NamedWorkflowView[];
  /** The name of the only workflow that the page is about; empty where it is about all. */
  readonly only: string;
  /** How many there are without the filter. */
  readonly stored: number;
  readonly clear: () => void;
}

function Rows({ rows, only, stored, clear }: Listed) {
  if (rows.length > 0) return <WorkflowTable rows={rows} whole={only !== ""} />;
  if (only !== "") {
    return (
      <Empty title={WORKFLOWS.gone} action={<a href={ADDRESS}>{WORKFLOWS.all}</a>}>
        {WORKFLOWS.goneWords(only)}
      </Empty>
    );
  }
  if (stored > 0) return <NothingFits noun={WORKFLOWS.noun} clear={clear} />;
  return (
    <Empty title={WORKFLOWS.none} action={mayStart() && <Examples />} command={WORKFLOWS.command}>
      {WORKFLOWS.noneWords}
    </Empty>
  );
}

function Pick() {
  return (
    <>
      <button class="button" id="new-workflow" type="button" aria-haspopup="dialog" onClick={openNewWorkflow}>
        {NEW_WORKFLOW.open}
      </button>
      <button class="button" id="pick-files" type="button" onClick={pickFiles}>
        <Icon name="file" />
        {WORKFLOWS.pickFiles}
      </button>
      <button class="button primary" id="pick-folder" type="button" onClick={pickFolder}>
        <Icon name="folder" />
        {WORKFLOWS.pickFolder}
      </button>
    </>
  );
}
