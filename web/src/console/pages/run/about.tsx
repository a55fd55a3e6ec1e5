/** What a run is: its names and hashes, who started it and when, the seed of its numbers, and what it was given. */

import { useMemo } from "preact/hooks";
import type { GivenView, RunOriginView, RunView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { RUNS, runNodeAddress, withQuery } from "../../app/routes.ts";
import { openOrigin } from "../../data/origin.ts";
import { projects } from "../../data/projects.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { useSome } from "../../parts/some.tsx";
import { clock, size } from "../../words/format.ts";
import { RUN } from "../../words/run.ts";

/** Inputs that are told of at once. */
const INPUTS = 20;

const { about } = RUN;

export function About({ view }: { readonly view: RunView }) {
  return (
    <>
      <AboutFacts view={view} />
      <Origin run={view.summary.id} />
    </>
  );
}

interface Facts {
  readonly view: RunView;
  /** Moments are written for whoever reads them elsewhere, and not as this browser writes them. */
  readonly exact?: boolean;
}

/** What the run itself tells. */
export function AboutFacts({ view: { summary }, exact = false }: Facts) {
  const { id, name, workflow, createdAt, finishedAt, project, trust } = summary;
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
      <dd>
        <Moment at={createdAt} exact={exact} />
      </dd>
      <dt>{about.finished}</dt>
      <dd>{finishedAt === null ? RUN.goesOn : <Moment at={finishedAt} exact={exact} />}</dd>
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

function Moment({ at, exact }: { readonly at: number; readonly exact: boolean }) {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {exact ? iso : clock(at, now.value, true)}
    </time>
  );
}

/** Asked for apart: it is no part of what changes. */
function Origin({ run }: { readonly run: string }) {
  const origin = useMemo(() => openOrigin(run), [run]);
  const known = origin.value.value;
  return (
    <section class="panel" id="origin">
      <h2>{about.origin}</h2>
      {origin.problem.value !== undefined && <Failed problem={origin.problem.value} retry={origin.again} />}
      {known === undefined ? origin.problem.value === undefined && <Loading /> : <Known run={run} known={known} />}
    </section>
  );
}

function Known({ run, known: { seed, reuse, by, byName, given } }: { readonly run: string; readonly known: RunOriginView }) {
  return (
    <dl class="facts">
      <dt>{about.by}</dt>
      <dd>{by === undefined ? about.byUnknown : by === "local" ? about.byLocal : (byName ?? <code>{by}</code>)}</dd>
      <dt>{about.seed}</dt>
      <dd>
        <code>{seed}</code>
      </dd>
      <dt>{about.reuse}</dt>
      <dd>{RUN.reuseWords[reuse] ?? reuse}</dd>
      <dt>{about.given}</dt>
      <dd>{given.length === 0 ? about.nothingGiven : <Given run={run} given={given} />}</dd>
    </dl>
  );
}

function Given({ run, given }: { readonly run: string; readonly given: readonly GivenView[] }) {
  const [some, more] = useSome(given, "more-given", INPUTS);
  return (
    <>
      <ul class="plain-rows">
        {some.map(({ node, bytes }) => (
          <li key={node}>
            <a href={runNodeAddress(run, node)}>{node}</a> <span class="muted">{size(bytes)}</span>
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
