/**
 * The whole queue in one line of the overview: how much is in it, whether it is paused, and the button for that.
 *
 * Asks the server while the overview can be seen; the server counts once a second however many ask.
 */

import { getQueue, setQueuePaused } from "../api/client.ts";
import { Refusal } from "../api/request.ts";
import type { QueueView } from "../api/types.gen.ts";
import { byId, make, setText } from "../dom.ts";
import { has } from "./access/who.ts";
import { clock } from "./format.ts";
import { depth } from "./jobtext.ts";
import { makePause } from "./pause.ts";
import { makeStopped } from "./stopped.ts";
import { whileVisible } from "./visible.ts";

const EVERY_MS = 3000;

/** Fills the overview's card; the returned function ends it. */
export function openQueueLine(): () => void {
  const card = byId("queue", HTMLElement);
  const line = make("p", { class: "queue-line", id: "queue-line" }, "Queue: …");
  const banner = make("p", { class: "paused", id: "queue-paused", role: "status" });
  let shown = 0;

  const stopped = makeStopped(show);
  function show(queue: QueueView): void {
    shown += 1;
    const since = queue.pausedSince;
    card.dataset["tone"] = since === null ? "plain" : "busy";
    setText(line, depth(queue));
    setText(banner, since === null ? "" : pausedText(since));
    stopped.update(queue.stopped ?? []);
    pause.update(since !== null);
    pause.button.hidden = !has("queue:pause");
  }
  const pause = makePause("queue", setQueuePaused, show);
  // How things stand is not known before the first answer.
  pause.button.hidden = true;

  // An answer that was on its way while the button was pressed says how it was before.
  async function look(): Promise<void> {
    const before = shown;
    try {
      const queue = await getQueue();
      if (before === shown && !pause.busy()) show(queue);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      setText(line, `Queue: ${problem.message}`);
    }
  }

  const text = make("div", { class: "queue-text" }, banner, line);
  card.replaceChildren(text, pause.button, pause.problem, stopped.element);
  return whileVisible(EVERY_MS, look).stop;
}

function pausedText(since: number): string {
  return `Paused since ${clock(since, Date.now())}: nothing is handed out. What workers hold goes on.`;
}
