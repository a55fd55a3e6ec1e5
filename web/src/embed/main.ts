/**
 * Entry of `/embed`, the card for other sites: one core, after one click here.
 *
 * The page around it decides nothing: the address asks for nothing here, messages from there are not heard, and a click
 * counts only when a person made it.
 */

import type { PageCommand, PageEvent } from "../api/types.gen.ts";
import { byId, setText } from "../dom.ts";
import { agentName } from "../volunteer/agent.ts";
import { describe } from "../volunteer/describe.ts";
import { Sandbox } from "../volunteer/frame.ts";
import { speak } from "../volunteer/speak.ts";
import { Words, languageFor } from "../volunteer/words/words.ts";

/** As the card says. */
const SLOTS = 1;
const WORDS = new Words(languageFor(navigator.languages));
const AT_WORK = { ownPause: false, reason: undefined, uptimeMs: 0, aim: undefined } as const;

const start = byId("start", HTMLButtonElement);
const stop = byId("stop", HTMLButtonElement);

function show(text: string, running: boolean): void {
  setText(byId("sentence", HTMLElement), text);
  start.hidden = running;
  stop.hidden = !running;
}

function compute(): void {
  const coordinator = new Worker(new URL("../volunteer/coordinator.ts", import.meta.url), { type: "module" });
  const send = (command: PageCommand, transfer: Transferable[] = []): void => {
    coordinator.postMessage(command, transfer);
  };
  const frame = new Sandbox((crash) => {
    send({ ...crash, kind: "slotCrashed" });
  }, "/embed");
  coordinator.onmessage = ({ data }: MessageEvent<PageEvent>) => {
    if (data.kind === "status") show(describe({ ...AT_WORK, state: data.state, status: data }, WORDS).sentence, true);
    else if (data.kind === "closeSlot") frame.close(data.slot, data.generation);
    else if (data.kind === "openSlot") {
      const { slot, generation, strict, frozen } = data;
      const port = frame.open(slot, generation, strict, frozen);
      send({ kind: "slotPort", slot, generation }, [port]);
    }
  };
  const origin = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
  send({ kind: "start", origin, agent: `${agentName(navigator.userAgent)}, embedded`, slots: SLOTS });
  stop.onclick = () => {
    // Without its worker and its frame nothing is left that could run; the server gives the jobs to others.
    coordinator.terminate();
    frame.remove();
    show(WORDS.say("stopped"), false);
    start.focus();
  };
  stop.focus();
}

speak(WORDS, { cores: Math.max(1, navigator.hardwareConcurrency || 1) });
start.addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  show(WORDS.say("connecting"), true);
  compute();
});
