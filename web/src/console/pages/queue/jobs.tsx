/** The stand-alone jobs of one queue. */

import { listQueued } from "../../../api/client.ts";
import type { Route } from "../../app/routes.ts";
import { Empty } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { QUEUE } from "../../words/queue.ts";
import { Jobs } from "./joblist.tsx";
import { QueueForm } from "./page.tsx";

export function QueueJobs({ route: { id: name } }: { readonly route: Route }) {
  const title = QUEUE.jobsTitle(name);
  const empty = (
    <Empty id="no-jobs" title={QUEUE.none} command={QUEUE.command(name)}>
      {QUEUE.noneWords}
    </Empty>
  );
  return (
    <div class="page" id="jobs-page">
      <PageHead title={title} tab={title} />
      <p class="muted">{QUEUE.jobsAbout}</p>
      <QueueForm name={name} />
      <Jobs read={(after, limit) => listQueued(name, after, limit)} command={QUEUE.listCommand(name)} empty={empty} />
    </div>
  );
}
