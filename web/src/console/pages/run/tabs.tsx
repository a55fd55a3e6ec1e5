/** The parts of a run's page, each with its name in the address. Another part is another row. */

import type { FunctionComponent } from "preact";
import { listRunJobs } from "../../../api/client.ts";
import type { RunView } from "../../../api/types.gen.ts";
import { RUNS, withQuery } from "../../app/routes.ts";
import { projects } from "../../data/projects.ts";
import { Empty } from "../../parts/faces.tsx";
import { RUN } from "../../words/run.ts";
import { Jobs } from "../queue/joblist.tsx";
import { NodeList } from "./nodelist.tsx";
import { Outcome } from "./outcome.tsx";

export type TabName = keyof typeof RUN.tabs;

type Part = FunctionComponent<{ readonly view: RunView }>;

export const TABS: Readonly<Record<TabName, { readonly Part: Part }>> = {
  "": { Part: Overview },
  jobs: { Part: RunJobs },
  about: { Part: About },
};

/** The part that an address names; the first one where it names another. */
export function tabOf(name: string): TabName {
  return name in TABS ? (name as TabName) : "";
}

function Overview({ view }: { readonly view: RunView }) {
  return (
    <>
      <Outcome view={view} />
      <NodeList view={view} />
    </>
  );
}

function RunJobs({ view: { summary } }: { readonly view: RunView }) {
  const empty = <Empty title={RUN.noJobs}>{RUN.noJobsWords}</Empty>;
  return <Jobs read={(after, limit) => listRunJobs(summary.id, after, limit)} command={RUN.jobsCommand(summary.id)} empty={empty} />;
}

function About({ view: { summary } }: { readonly view: RunView }) {
  const { id, name, workflow, createdAt, finishedAt, project, trust } = summary;
  const { about } = RUN;
  const known = projects.value.find((one) => one.id === project);
  return (
    <dl class="panel facts">
      <dt>{about.id}</dt>
      <dd>
        <code>{id}</code>
      </dd>
      <dt>{about.name}</dt>
      <dd>{name}</dd>
      <dt>{about.workflow}</dt>
      <dd>
        <code>{workflow}</code> <a href={withQuery(RUNS, { workflow })}>{RUN.sameWorkflow}</a>
      </dd>
      <dt>{about.created}</dt>
      <dd>{new Date(createdAt).toISOString()}</dd>
      <dt>{about.finished}</dt>
      <dd>{finishedAt === null ? RUN.goesOn : new Date(finishedAt).toISOString()}</dd>
      <dt>{about.project}</dt>
      <dd>{known?.name ?? project}</dd>
      {trust !== undefined && <dt>{about.policy}</dt>}
      {trust !== undefined && (
        <dd>
          <code>{trust}</code>
        </dd>
      )}
    </dl>
  );
}
