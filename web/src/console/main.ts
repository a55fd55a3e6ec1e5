/** Entry of the console: the route in the address's hash decides what is shown; the list and the fleet are always live. */

import { FLEET_EVENTS } from "../api/client.ts";
import type { Fleet, RunCreated, RunSummary } from "../api/types.gen.ts";
import { byId, setText } from "../dom.ts";
import { listen } from "./live.ts";
import { runInHash } from "./route.ts";
import { openRun } from "./run.ts";
import { refreshAges, showFleet, showRuns } from "./runs.ts";
import { prepareUpload } from "./upload.ts";
import { showWorkflows } from "./workflows.ts";

const TITLE = "WeevilScout console";
const AGES_MS = 10_000;

let closeRun = (): void => undefined;

function route(): void {
  closeRun();
  const id = runInHash(location.hash);
  const page = byId("run-page", HTMLElement);
  byId("home", HTMLElement).hidden = id !== undefined;
  page.hidden = id === undefined;
  document.title = TITLE;
  closeRun = id === undefined ? () => undefined : openRun(page, id);
  if (id === undefined) void showWorkflows(openCreated);
}

function openCreated(created: RunCreated): void {
  location.hash = `#/runs/${encodeURIComponent(created.run)}`;
}

function showLive(live: boolean): void {
  document.documentElement.dataset["live"] = String(live);
  if (!live) setText(byId("fleet", HTMLElement), "Server not reachable, trying again…");
}

addEventListener("hashchange", () => {
  byId("report", HTMLElement).replaceChildren();
  route();
});
prepareUpload(openCreated);
const events = { runs: (data: unknown) => showRuns(data as RunSummary[]), fleet: (data: unknown) => showFleet(data as Fleet) };
listen(FLEET_EVENTS, events, showLive);
setInterval(refreshAges, AGES_MS);
route();
