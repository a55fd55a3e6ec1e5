/**
 * Entry of the console: what somebody has chosen is taken before anything is painted, then they sign in, then the frame opens. Nothing
 * is asked before that.
 */

import { render } from "preact";
import { whenProofIsAsked } from "../../api/ask.ts";
import { byId } from "../../dom.ts";
import { prepareProjects, refreshProjects } from "../data/projects.ts";
import { follow } from "../live/news.ts";
import { forgetReport } from "../parts/report.tsx";
import { askAgain } from "../pages/people/again.ts";
import { has } from "../pages/people/who.ts";
import { tellIn, tellTimesIn } from "../words/locale.ts";
import { startClock } from "./clock.ts";
import { enter } from "./enter.ts";
import { Frame } from "./frame.tsx";
import { loadPrefs, prefs } from "./prefs.ts";
import { HOME, type Page } from "./routes.ts";
import { listenForKeys } from "./shortcuts.ts";
import { startTurning } from "./turning.ts";
import { current, epoch, listenForAddress } from "./where.ts";

/** Refusals of a list that belongs to no project which somebody sees. */
const ROOMLESS: ReadonlySet<string> = new Set(["whichProject", "noSuchProject"]);
/** Pages that show what is of one project by its own id. */
const OF_ONE: ReadonlySet<Page> = new Set(["run", "job"]);
/** Pages that show what the chosen project has. */
const OF_CHOSEN: ReadonlySet<Page> = new Set(["overview", "runs", "workflows", "workflow", "queue", "queue-jobs"]);

loadPrefs();
tellIn(navigator.language);
prefs.subscribe(({ zone }) => tellTimesIn(zone));
whenProofIsAsked(askAgain);
void enter(() => void begin());

async function begin(): Promise<void> {
  if (has("project:read")) await prepareProjects(showChosen);
  if (has("runs:read")) followChosen();
  startClock();
  startTurning();
  listenForAddress(forgetReport);
  listenForKeys();
  render(<Frame />, byId("inside", HTMLElement));
}

function followChosen(): void {
  follow(({ code }) => {
    // Which projects somebody sees has changed meanwhile.
    if (ROOMLESS.has(code)) void refreshProjects();
  });
}

/** Another project is chosen: a page that shows something of the former one gives way to the overview. */
function showChosen(): void {
  if (has("runs:read")) followChosen();
  const { page } = current.value;
  if (OF_ONE.has(page)) location.hash = HOME;
  else if (OF_CHOSEN.has(page)) epoch.value += 1;
}
