/** Which page each address shows. Pages that fill an element by hand are mounted here. */

import type { ComponentChildren, FunctionComponent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { JobPage } from "../pages/job/page.tsx";
import { Overview } from "../pages/overview/page.tsx";
import { has } from "../pages/people/who.ts";
import { QueueJobs } from "../pages/queue/jobs.tsx";
import { QueuePage } from "../pages/queue/page.tsx";
import { RunPage } from "../pages/run/page.tsx";
import { RunsPage } from "../pages/runs/page.tsx";
import { WorkersPage } from "../pages/workers/page.tsx";
import { WorkerPage } from "../pages/workers/worker.tsx";
import { WorkflowsPage } from "../pages/workflows/page.tsx";
import { VersionPage } from "../pages/workflows/version.tsx";
import { PageHead } from "../parts/head.tsx";
import { lazily } from "../parts/lazy.tsx";
import { placeOf } from "./places.ts";
import type { Page, Route } from "./routes.ts";

type View = FunctionComponent<{ readonly route: Route }>;

export const PAGES: Readonly<Record<Page, View>> = {
  overview: Overview,
  runs: RunsPage,
  run: RunPage,
  workflows: WorkflowsPage,
  workflow: VersionPage,
  editor: lazily(async () => (await import("../pages/editor/page.tsx")).EditorPage, OnItsWay),
  diff: lazily(async () => (await import("../pages/diff/page.tsx")).DiffPage, OnItsWay),
  queue: QueuePage,
  "queue-jobs": QueueJobs,
  job: JobPage,
  workers: WorkersPage,
  worker: WorkerPage,
  settings: lazily(async () => (await import("../pages/settings/page.tsx")).SettingsPage, OnItsWay),
  me: ofPeople("openMe"),
  login: ofPeople("openLogin"),
  people: ofPeople("openPeople"),
  person: ofPeople("openPerson"),
  projects: ofPeople("openProjects"),
  project: ofPeople("openProject"),
  "project-audit": ofPeople("openProjectAudit"),
  audit: ofPeople("openAudit"),
};

/** Somebody who is in no project yet has nothing to see of runs. */
export function shownPage(page: Page): Page {
  return page === "overview" && !has("runs:read") ? "me" : page;
}

/** A page whose script has not come has the name of its place. */
function OnItsWay({ route, children }: { readonly route: Route; readonly children?: ComponentChildren }) {
  const name = placeOf(route.page)?.name ?? "";
  return (
    <div class="page">
      <PageHead title={name} tab={name} />
      {children}
    </div>
  );
}

/** Most people never see one of these pages: all of them are one script. */
function ofPeople(open: keyof typeof import("../pages/people/pages.ts")): View {
  return lazily(async () => mounted((await import("../pages/people/pages.ts"))[open]), OnItsWay);
}

/** A page that fills an element until the function that it answers is called. */
function mounted(open: (place: HTMLElement, id: string) => () => void): View {
  return function Mounted({ route }) {
    const place = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => (place.current === null ? undefined : open(place.current, route.id)), []);
    return <div class="page people" id="access-page" ref={place} />;
  };
}
