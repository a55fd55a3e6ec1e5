/**
 * Entry of the volunteer's page: joins the controls, the coordinator and the sandbox.
 *
 * Loads the coordinator and the frame at once so that a click soon has its first job, but sends no command before the
 * click. Nothing time-critical lives here: timers of a hidden tab are slowed down.
 */

import type { PageCommand, PageEvent } from "../api/types.gen.ts";
import { byId, setText } from "../dom.ts";
import { agentName } from "./agent.ts";
import { share } from "./describe.ts";
import { SandboxFrame } from "./frame.ts";
import { IDLE } from "./idle.ts";
import { autostart, readSlots, rememberSlots } from "./settings.ts";
import { View } from "./view.ts";

const storage = (): Storage => localStorage;
const cores = Math.max(1, navigator.hardwareConcurrency || 1);
const view = new View();
const slider = byId("slots", HTMLInputElement);
const coordinator = new Worker(new URL("./coordinator.ts", import.meta.url), { type: "module" });
const frame = new SandboxFrame((crash) => {
  send({ ...crash, kind: "slotCrashed" });
});

let started = false;

function send(command: PageCommand, transfer: Transferable[] = []): void {
  coordinator.postMessage(command, transfer);
}

coordinator.onmessage = (event: MessageEvent<PageEvent>) => {
  const news = event.data;
  switch (news.kind) {
    case "loaded":
      document.documentElement.dataset["loaded"] = "";
      return;
    case "openSlot":
      openSlot(news.slot, news.generation);
      return;
    case "closeSlot":
      frame.close(news.slot, news.generation);
      return;
    case "status":
      view.show(news);
      return;
  }
};

coordinator.onerror = () => {
  view.show({ ...IDLE, state: "refused", message: "A part of this page did not load. Reload it to try again." });
};

function openSlot(slot: number, generation: number): void {
  const port = frame.open(slot, generation);
  send({ kind: "slotPort", slot, generation }, [port]);
}

function start(slots: number): void {
  started = true;
  const origin = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
  send({ kind: "start", origin, agent: agentName(navigator.userAgent), slots });
  view.show({ ...IDLE, state: "connecting", slots });
}

function showShare(slots: number): void {
  const text = share(slots, cores);
  setText(byId("share", HTMLOutputElement), text);
  slider.setAttribute("aria-valuetext", text);
}

function prepareSlider(slots: number): void {
  slider.max = String(Math.max(cores, slots));
  slider.value = String(slots);
  slider.disabled = slider.max === slider.min;
  showShare(slots);
  slider.addEventListener("input", () => {
    showShare(slider.valueAsNumber);
  });
  slider.addEventListener("change", () => {
    rememberSlots(storage, slider.valueAsNumber);
    if (started) send({ kind: "setSlots", slots: slider.valueAsNumber });
  });
}

function onClick(id: string, act: () => void): void {
  byId(id, HTMLButtonElement).addEventListener("click", act);
}

const asked = autostart(location);
setText(byId("host", HTMLElement), location.host);
prepareSlider(asked?.slots ?? readSlots(storage, cores));
onClick("start", () => {
  start(slider.valueAsNumber);
});
onClick("pause", () => {
  send({ kind: "pause" });
});
onClick("resume", () => {
  send({ kind: "resume" });
});
onClick("stop", () => {
  send({ kind: "stop" });
});
onClick("reload", () => {
  location.reload();
});
view.show(IDLE);
if (asked !== undefined) byId("start", HTMLButtonElement).click();
