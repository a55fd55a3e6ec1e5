/** Codes that are stopped, since they fail wherever they run: which these are, an example of each, and the button that lets one go. */

import { useSignal } from "@preact/signals";
import { resumeCode } from "../../../api/client.ts";
import type { StoppedCodeView } from "../../../api/types.gen.ts";
import { jobAddress, queueAddress } from "../../app/routes.ts";
import { mayHere } from "../../data/projects.ts";
import { showQueue } from "../../data/queue.ts";
import { Failed } from "../../parts/faces.tsx";
import { Filled } from "../../parts/filled.tsx";
import { clock } from "../../words/format.ts";
import { QUEUE } from "../../words/queue.ts";

/** Digits of a hash that tell codes apart. */
const SHORT = 8;

export function Stopped({ codes }: { readonly codes: readonly StoppedCodeView[] }) {
  if (codes.length === 0) return null;
  return (
    <section class="panel stopped" id="stopped-codes">
      <p class="stopped-title">{QUEUE.stopped}</p>
      <ul class="plain-rows">
        {codes.map((stopped) => (
          <Code key={`${stopped.project} ${stopped.queue} ${stopped.code}`} stopped={stopped} />
        ))}
      </ul>
    </section>
  );
}

function Code({ stopped: { code, queue, example, stoppedAt } }: { readonly stopped: StoppedCodeView }) {
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const digits = code.slice(0, SHORT);
  const letGo = async (): Promise<void> => {
    if (busy.value) return;
    [busy.value, problem.value] = [true, undefined];
    try {
      showQueue(await resumeCode(code, queue));
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  const holes = {
    code: <code>{digits}</code>,
    queue: <a href={queueAddress(queue)}>{queue}</a>,
    since: clock(stoppedAt, Date.now()),
    job: <a href={jobAddress(example)}>{QUEUE.failedJob}</a>,
  };
  return (
    <li>
      <span>
        <Filled text={QUEUE.stoppedCode} holes={holes} />
      </span>
      {mayHere("jobs:write") && (
        <button
          class="button small"
          type="button"
          aria-label={QUEUE.letGoLabel(digits, queue)}
          aria-disabled={busy.value}
          onClick={() => void letGo()}
        >
          {QUEUE.letGo}
        </button>
      )}
      {problem.value !== undefined && <Failed problem={problem.value} />}
    </li>
  );
}
