/**
 * Entry of the console: the route in the address's hash decides what is shown; the list and the fleet are always live. Nothing
 * is asked before somebody is signed in.
 */

import { whenProofIsAsked } from "../api/ask.ts";
import { FLEET_EVENTS } from "../api/client.ts";
import type { Fleet, RunCreated, RunSummary } from "../api/types.gen.ts";
import { byId, setText } from "../dom.ts";
import { askAgain } from "./access/again.ts";
import { openAudit, openProjectAudit } from "./access/audit.ts";
import { openLogin } from "./access/login.ts";
import { openMe } from "./access/me.ts";
import { openPeople } from "./access/people.ts";
import { openPerson } from "./access/person.ts";
import { openProject } from "./access/project.ts";
import { openProjects } from "./access/projects.ts";
import { has } from "./access/who.ts";
import { openJob } from "./job.ts";
import { openQueue, openRunJobs } from "./jobs.ts";
import { enter } from "./enter.ts";
import { listen } from "./live.ts";
import { openQueueLine } from "./queue.ts";
import { type Page, routeOf, runAddress } from "./route.ts";
import { openRun } from "./run.ts";
import { prepareEarlier, refreshAges, showFleet, showRuns } from "./runs.ts";
import { prepareUpload } from "./upload.ts";
import { showWorkflows } from "./workflows.ts";

interface Shown {
  /** Id of the element that is filled. */
  readonly place: string;
  /** Id of the link in the bar that leads there. */
  readonly link: string;
  /** Fills it; what it returns ends that. */
  readonly open: (place: HTMLElement, id: string) => () => void;
}

const PAGES: Readonly<Record<Page, Shown>> = {
  home: { place: "home", link: "to-runs", open: openHome },
  run: { place: "run-page", link: "to-runs", open: openRun },
  "run-jobs": { place: "jobs-page", link: "to-runs", open: openRunJobs },
  queue: { place: "jobs-page", link: "to-jobs", open: openQueue },
  job: { place: "job-page", link: "to-jobs", open: openJob },
  me: { place: "access-page", link: "to-me", open: openMe },
  login: { place: "access-page", link: "to-me", open: openLogin },
  people: { place: "access-page", link: "to-people", open: openPeople },
  person: { place: "access-page", link: "to-people", open: openPerson },
  projects: { place: "access-page", link: "to-projects", open: openProjects },
  project: { place: "access-page", link: "to-projects", open: openProject },
  "project-audit": { place: "access-page", link: "to-projects", open: openProjectAudit },
  audit: { place: "access-page", link: "to-audit", open: openAudit },
};

const TITLE = "WeevilScout console";
const AGES_MS = 10_000;

let close = (): void => undefined;

function route(): void {
  close();
  const { page, id } = routeOf(location.hash);
  // Somebody who is in no project yet has nothing to see of runs.
  const { place, link, open } = PAGES[page === "home" && !has("runs:read") ? "me" : page];
  for (const shown of Object.values(PAGES)) {
    byId(shown.place, HTMLElement).hidden = shown.place !== place;
    byId(shown.link, HTMLElement).ariaCurrent = shown.link === link ? "page" : null;
  }
  document.title = TITLE;
  close = open(byId(place, HTMLElement), id);
}

function openHome(): () => void {
  void showWorkflows(openCreated);
  return openQueueLine();
}

function openCreated(created: RunCreated): void {
  location.hash = runAddress(created.run);
}

function showLive(live: boolean): void {
  document.documentElement.dataset["live"] = String(live);
  if (!live) setText(byId("fleet", HTMLElement), "Server not reachable, trying again…");
}

whenProofIsAsked(askAgain);
void enter(() => {
  offer();
  if (has("runs:read")) follow();
  else setText(byId("fleet", HTMLElement), "");
  addEventListener("hashchange", () => {
    byId("report", HTMLElement).replaceChildren();
    route();
  });
  route();
});

/** Shows what somebody may do; what is asked beyond it the server refuses. */
function offer(): void {
  byId("upload", HTMLElement).hidden = !has("runs:write");
  byId("to-people", HTMLElement).hidden = !has("accounts:manage");
  byId("to-projects", HTMLElement).hidden = !has("project:read");
  byId("to-audit", HTMLElement).hidden = !has("audit:read");
  for (const id of ["to-runs", "to-jobs"]) byId(id, HTMLElement).hidden = !has("runs:read");
}

/** The list and the fleet, as long as the console is open. */
function follow(): void {
  prepareUpload(openCreated);
  prepareEarlier();
  const events = { runs: (data: unknown) => showRuns(data as RunSummary[]), fleet: (data: unknown) => showFleet(data as Fleet) };
  listen(FLEET_EVENTS, events, showLive);
  setInterval(refreshAges, AGES_MS);
}
