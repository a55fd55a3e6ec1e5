/** What is asked before a worker is paused or sent away, or its device banned: a note, for how long, and whether it is meant. */

import type { WorkerView } from "../../../api/types.gen.ts";
import { banWorker, pauseWorker, sendWorkerAway } from "../../../api/workers.ts";
import { makeChoice } from "../../parts/form.ts";
import { makeNote, showNoted } from "../../parts/noted.ts";
import { PAUSES, USUAL_PAUSE, WORKER } from "../../words/workers.ts";

type Answered = (view: WorkerView) => void;

export function askForPause(worker: string, onAnswer: Answered): void {
  const { title, means, noteHint, end, submit, busy } = WORKER.pausing;
  const note = makeNote("pause-note", noteHint);
  const minutes = makeChoice("pause-minutes", end, PAUSES);
  minutes.input.value = USUAL_PAUSE;
  const send = async (): Promise<void> => onAnswer(await pauseWorker(worker, note.input.value.trim(), Number(minutes.input.value)));
  showNoted({ id: "pause-worker", title, means, fields: [note.element, minutes.element] }, { submit, busy, send });
}

export function askToSendAway(worker: string, onAnswer: Answered): void {
  const { title, means, submit, busy } = WORKER.sending;
  const note = makeNote("away-note", WORKER.pausing.noteHint);
  const send = async (): Promise<void> => onAnswer(await sendWorkerAway(worker, note.input.value.trim()));
  showNoted({ id: "send-away", title, means, fields: [note.element] }, { submit, busy, send, tone: "danger" });
}

export function askForBan(worker: string, onAnswer: Answered): void {
  const { title, means, submit, busy } = WORKER.banning;
  const note = makeNote("ban-note", WORKER.pausing.noteHint);
  const send = async (): Promise<void> => onAnswer(await banWorker(worker, note.input.value.trim()));
  showNoted({ id: "ban-worker", title, means, fields: [note.element] }, { submit, busy, send, tone: "danger" });
}
