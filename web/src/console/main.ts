/**
 * Entry of the console: the route in the address's hash decides what is shown; the list and the fleet are always live. Nothing
 * is asked before somebody is signed in.
 */

import { whenProofIsAsked } from "../api/ask.ts";
import { fleetEventsPath } from "../api/client.ts";
import type { Refused } from "../api/request.ts";
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
import { openDevices } from "./devices.ts";
import { openJob } from "./job.ts";
import { openQueue, openRunJobs } from "./jobs.ts";
import { enter } from "./enter.ts";
import { listen } from "./live.ts";
import { openQueueLine } from "./queue.ts";
import { HOME, type Page, routeOf, runAddress } from "./route.ts";
import { openRun } from "./run.ts";
import { forgetRuns, prepareEarlier, refreshAges, showFleet, showRuns } from "./runs.ts";
import { isOpenHere, mayHere, prepareSwitch, refreshSwitch } from "./switch.ts";
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
  devices: { place: "access-page", link: "to-devices", open: openDevices },
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
/** Refusals of a list that belongs to no project which somebody sees. */
const ROOMLESS: ReadonlySet<string> = new Set(["whichProject", "noSuchProject"]);
/** Pages that show what is of one project by its own id. */
const OF_ONE: ReadonlySet<Page> = new Set(["run", "run-jobs", "job"]);
/** Pages that show what the chosen project has. */
const OF_CHOSEN: ReadonlySet<Page> = new Set(["home", "queue"]);

let close = (): void => undefined;

function route(): void {
  close();
  offer();
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

function showLive(live: boolean, refused?: Refused): void {
  document.documentElement.dataset["live"] = String(live);
  if (live) return;
  setText(byId("fleet", HTMLElement), refused?.detail ?? "Server not reachable, trying again…");
  // Which projects somebody sees has changed meanwhile.
  if (refused !== undefined && ROOMLESS.has(refused.code)) void refreshSwitch();
}

whenProofIsAsked(askAgain);
void enter(() => void begin());

async function begin(): Promise<void> {
  offer();
  if (has("project:read")) await prepareSwitch(showChosen);
  if (has("runs:read")) {
    prepareUpload(openCreated);
    prepareEarlier();
    follow();
    setInterval(refreshAges, AGES_MS);
  } else setText(byId("fleet", HTMLElement), "");
  addEventListener("hashchange", () => {
    byId("report", HTMLElement).replaceChildren();
    route();
  });
  route();
}

/** Shows what somebody may do; what is asked beyond it the server refuses. */
function offer(): void {
  byId("upload", HTMLElement).hidden = !(mayHere("runs:write") && isOpenHere());
  byId("to-devices", HTMLElement).hidden = !has("workers:read");
  byId("to-people", HTMLElement).hidden = !has("accounts:manage");
  byId("to-projects", HTMLElement).hidden = !has("project:read");
  byId("to-audit", HTMLElement).hidden = !has("audit:read");
  for (const id of ["to-runs", "to-jobs"]) byId(id, HTMLElement).hidden = !has("runs:read");
}

let unfollow = (): void => undefined;

/** The list and the fleet, as long as the console is open and no other project is chosen. */
function follow(): void {
  unfollow();
  forgetRuns();
  const events = { runs: (data: unknown) => showRuns(data as RunSummary[]), fleet: (data: unknown) => showFleet(data as Fleet) };
  unfollow = listen(fleetEventsPath(), events, showLive);
}

/** Another project is chosen: a page that shows something of the former one gives way to the overview. */
function showChosen(): void {
  offer();
  if (has("runs:read")) follow();
  const { page } = routeOf(location.hash);
  const held = document.activeElement;
  if (OF_ONE.has(page)) location.hash = HOME;
  else if (OF_CHOSEN.has(page)) route();
  // The switch keeps it, for whoever tries one project after the other.
  if (held instanceof HTMLElement) held.focus();
}
