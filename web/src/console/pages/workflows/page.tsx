/** The stored workflows of the chosen project, by name, each version with what can be done with it; or those of one name. */

import { useMemo } from "preact/hooks";
import type { NamedWorkflowView } from "../../../api/types.gen.ts";
import { type Route, WORKFLOWS as ADDRESS } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
import { mayStart } from "../../data/projects.ts";
import { makeWorkflowList } from "../../data/workflows.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Copy } from "../../parts/id.tsx";
import { WholeList } from "../../parts/wholelist.tsx";
import { WORKFLOWS } from "../../words/workflows.ts";
import { PARTS } from "../../words/parts.ts";
import { NEW_WORKFLOW } from "../../words/drafts.ts";
import { Examples } from "../runs/examples.tsx";
import { Compare } from "./compare.tsx";
import { DraftList } from "./drafts.tsx";
import { openNewWorkflow } from "./newworkflow.ts";
import { WORKFLOW_ORDERS } from "./orders.ts";
import { pickFiles, pickFolder } from "./upload.tsx";
import { WorkflowTable } from "./versions.tsx";

export function WorkflowsPage({ route: { id: only } }: { readonly route: Route }) {
  const { all, problem, load } = useMemo(makeWorkflowList, []);
  const title = only === "" ? WORKFLOWS.title : only;
  useTrail({ steps: only === "" ? [] : [{ name: only }] });
  return (
    <div class="page" id="workflows-page">
      <PageHead title={title} tab={title} actions={mayStart() && <Pick />} />
      {mayStart() && only === "" && <p class="muted prose">{WORKFLOWS.about}</p>}
      {mayStart() && only === "" && <DraftList />}
      {problem.value !== undefined && <Failed problem={problem.value} retry={() => void load()} />}
      {all.value === undefined && problem.value === undefined && <Loading />}
      {all.value !== undefined &&
        (only === "" ? <Stored all={all.value} /> : <Versions of={all.value.find(({ name }) => name === only)} name={only} />)}
    </div>
  );
}

function Stored({ all }: { readonly all: readonly NamedWorkflowView[] }) {
  const empty = (
    <Empty title={WORKFLOWS.none} action={mayStart() && <Examples />} command={WORKFLOWS.command}>
      {WORKFLOWS.noneWords}
    </Empty>
  );
  return (
    <WholeList
      id="filter-name"
      name={WORKFLOWS.filter}
      label={WORKFLOWS.name}
      noun={WORKFLOWS.noun}
      command={WORKFLOWS.listCommand}
      entries={{ asked: "q", sort: "sort" }}
      rows={all}
      textOf={({ name }) => name}
      orders={WORKFLOW_ORDERS}
      empty={empty}
    >
      {(found) => <WorkflowTable rows={found} whole={false} />}
    </WholeList>
  );
}

/** `of`: `undefined` where nothing is stored under this name. */
function Versions({ of, name }: { readonly of: NamedWorkflowView | undefined; readonly name: string }) {
  if (of === undefined) {
    return (
      <Empty title={WORKFLOWS.gone} action={<a href={ADDRESS}>{WORKFLOWS.all}</a>}>
        {WORKFLOWS.goneWords(name)}
      </Empty>
    );
  }
  return (
    <>
      <Compare versions={of.versions} />
      <p class="muted" id="versions-shown">
        {WORKFLOWS.counts(of.versions.length)}
        <Copy text={WORKFLOWS.listCommand} label={PARTS.copyCommand} />
      </p>
      <WorkflowTable rows={[of]} whole />
    </>
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
