/**
 * Entry of the volunteer's page: joins the controls, the manners, the coordinator and the sandbox.
 *
 * Loads the coordinator and the frame at once so that a click soon has its first job, but sends no command before the
 * click. Nothing time-critical lives here: timers of a hidden tab are slowed down.
 */

import type { PageCommand, PageEvent, Status } from "../api/types.gen.ts";
import { byId } from "../dom.ts";
import { findAdapter } from "./adapter.ts";
import { agentName } from "./agent.ts";
import { Asker } from "./aim/asker.ts";
import { askServer } from "./aim/server.ts";
import { type Consent, consentOf, rememberConsent } from "./consent.ts";
import { Controls } from "./controls.ts";
import type { PageState } from "./describe.ts";
import { Sandbox } from "./frame.ts";
import { nameFullScreen, prepareFullScreen } from "./fullscreen.ts";
import { IDLE } from "./idle.ts";
import { Manners } from "./manners/manners.ts";
import type { SpinCommand, SpinReport } from "./manners/spin.ts";
import { OwnWork } from "./own.ts";
import { Session } from "./session.ts";
import { autostart } from "./settings.ts";
import { showConsent, speak } from "./speak.ts";
import { Terms } from "./terms.ts";
import { type TrustCommand, takeToken } from "./trust.ts";
import { Turn } from "./turn.ts";
import { View } from "./view.ts";

const storage = (): Storage => localStorage;
const cores = Math.max(1, navigator.hardwareConcurrency || 1);
const asked = autostart(location);
const controls = new Controls(cores, asked ?? {}, choose);
const view = new View(controls.words);
const own = new OwnWork(controls.words.language);
const terms = new Terms(() => controls.words);
const turn = new Turn();
const asker = new Asker(askServer);
const coordinator = new Worker(new URL("./coordinator.ts", import.meta.url), { type: "module" });
const sandbox = new Sandbox((crash) => {
  send({ ...crash, kind: "slotCrashed" });
});
const origin = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
const session = new Session({ origin, agent: agentName(navigator.userAgent) }, send);
// A script that opens the page to start by itself has made up its mind.
const manners = asked === undefined ? new Manners(mind) : undefined;

let consent: Consent = consentOf(storage);
let status: Status = IDLE;
let state: PageState = "idle";
let startedAt = 0;
/** What the GPU is called; undefined until one is found. */
let adapter: string | undefined;

function send(command: PageCommand | SpinCommand | TrustCommand, transfer: Transferable[] = []): void {
  coordinator.postMessage(command, transfer);
}

const token = takeToken(location, (address) => {
  history.replaceState(null, "", address);
});
if (token !== undefined) send({ kind: "trust", token });

coordinator.onmessage = (event: MessageEvent<PageEvent | SpinReport>) => {
  const news = event.data;
  switch (news.kind) {
    case "loaded":
      document.documentElement.dataset["loaded"] = "";
      return;
    case "notLoaded":
      show("notLoaded", { ...IDLE, message: news.message });
      return;
    case "openSlot":
      openSlot(news);
      return;
    case "closeSlot":
      sandbox.close(news.slot, news.generation);
      return;
    case "spin":
      manners?.spun(news.ms, ownShare(), cores);
      return;
    case "status":
      hear(news);
      return;
  }
};

coordinator.onerror = () => {
  show("notLoaded", IDLE);
};

function openSlot({ slot, generation, strict, frozen }: Extract<PageEvent, { kind: "openSlot" }>): void {
  const port = sandbox.open(slot, generation, strict, frozen);
  send({ kind: "slotPort", slot, generation }, [port]);
}

function hear(news: Status): void {
  if (!session.hear(news.state)) return;
  mind();
  show(news.state, news);
  own.hear(news);
  if (!session.running) end();
}

function show(nextState: PageState, nextStatus: Status): void {
  [state, status] = [nextState, nextStatus];
  const { ownPause, reason } = session;
  const aim = asker.mind({ state, workflow: status.workflowHash, hidden: document.hidden });
  const situation = { state, status, ownPause, reason, uptimeMs: performance.now() - startedAt, aim };
  view.show(situation);
  own.show(situation);
}

/** Asks the manners; what they say goes to the coordinator. */
function mind(): void {
  if (manners === undefined) return;
  const reason = manners.reason(performance.now(), ownShare(), controls.pauseHidden);
  if (session.mind(reason) && session.running) show(state, status);
}

/** The share of the processor that this page uses, 0 to 1. */
function ownShare(): number {
  const { slots, duty } = controls.budget;
  return session.running && state === "working" ? Math.min(1, (slots * duty) / 100 / cores) : 0;
}

function start(): void {
  if (asked === undefined) {
    consent = { kind: "given", at: Date.now() };
    rememberConsent(storage, consent.at);
    showConsent(consent, controls.words);
    terms.fold(true);
    turn.ask(begin, () => show("elsewhere", status));
  } else begin();
}

function begin(): void {
  startedAt = performance.now();
  session.start(controls.budget);
  if (manners !== undefined) send({ kind: "spin", on: true });
  show("connecting", { ...status, message: null, slots: controls.budget.slots });
}

function stop(): void {
  if (session.running) session.stop();
  else {
    end();
    show("stopped", status);
  }
}

function end(): void {
  turn.end();
  send({ kind: "spin", on: false });
}

function choose(): void {
  session.setBudget(controls.budget);
  lendGpu();
  mind();
  speakAll();
}

/** What the address asks for counts as long as nothing is chosen. */
function lendGpu(): void {
  const percent = asked?.gpu === true ? 100 : controls.gpu;
  send({ kind: "setGpu", percent, ...(adapter === undefined ? {} : { adapter }) });
}

function speakAll(): void {
  speak(controls.words);
  showConsent(consent, controls.words);
  nameFullScreen(controls.words);
  terms.speak();
  view.speak(controls.words);
  own.speak(controls.words.language);
}

function onClick(id: string, act: () => void): void {
  byId(id, HTMLButtonElement).addEventListener("click", act);
}

/** The volunteer's own Pause and Resume are shown before the coordinator has answered. */
function hold(act: () => void): void {
  act();
  show(state, status);
}

onClick("start", start);
onClick("pause", () => hold(() => session.pause()));
onClick("resume", () => hold(() => session.resume()));
onClick("finish", () => session.finish());
onClick("stop", stop);
onClick("reload", () => location.reload());
prepareFullScreen(() => controls.words);
terms.fold(consent.kind === "given");
speakAll();
show("idle", IDLE);
const startButton = byId("start", HTMLButtonElement);
startButton.disabled = false;
own.recall(storage);
void findAdapter().then((found) => {
  if (found === undefined) return;
  adapter = found;
  controls.offerGpu();
  lendGpu();
});
if (asked !== undefined) startButton.click();
