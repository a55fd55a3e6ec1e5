/** What people in charge do to a worker: pause it with a note and an end, let it go on, send it away, ban its device. All but the second are asked. */

import { useSignal } from "@preact/signals";
import type { WorkerView } from "../../../api/types.gen.ts";
import { resumeWorker } from "../../../api/workers.ts";
import { Failed } from "../../parts/faces.tsx";
import { Icon } from "../../parts/icon.tsx";
import { WORKER } from "../../words/workers.ts";
import { askForBan, askForPause, askToSendAway } from "./asked.ts";

interface Offered {
  readonly view: WorkerView;
  readonly onAnswer: (view: WorkerView) => void;
}

export function Deeds({ view, onAnswer }: Offered) {
  const { id, device, heldBack, gone } = view;
  // A worker without a device is known no more once it has left.
  if (gone === true && device === undefined) return null;
  const isBanned = heldBack?.banned === true;
  return (
    <>
      {heldBack !== undefined && <Resume id={id} onAnswer={onAnswer} />}
      {heldBack === undefined && (
        <button class="button" id="pause-worker" type="button" onClick={() => askForPause(id, onAnswer)}>
          <Icon name="pause" />
          {WORKER.pause}
        </button>
      )}
      {gone !== true && (
        <button class="button" id="send-away" type="button" onClick={() => askToSendAway(id, onAnswer)}>
          {WORKER.sendAway}
        </button>
      )}
      {!isBanned && (
        <button
          class="button"
          id="ban-worker"
          type="button"
          aria-disabled={device === undefined}
          onClick={() => device !== undefined && askForBan(id, onAnswer)}
        >
          {device === undefined ? WORKER.cannotBan : WORKER.ban}
        </button>
      )}
    </>
  );
}

/** A second press while it works does nothing. */
function Resume({ id, onAnswer }: { readonly id: string; readonly onAnswer: (view: WorkerView) => void }) {
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const press = async (): Promise<void> => {
    if (busy.value) return;
    [busy.value, problem.value] = [true, undefined];
    try {
      onAnswer(await resumeWorker(id));
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      <button class="button" id="resume-worker" type="button" aria-disabled={busy.value} onClick={() => void press()}>
        <Icon name="runs" />
        {busy.value ? WORKER.resuming : WORKER.resume}
      </button>
    </>
  );
}
