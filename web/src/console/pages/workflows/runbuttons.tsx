/** What runs a stored version: as it is, or with other values, which a form asks for. */

import { useSignal } from "@preact/signals";
import { runStored } from "../../../api/client.ts";
import { mayStart } from "../../data/projects.ts";
import { Failed } from "../../parts/faces.tsx";
import { SHORT, WORKFLOWS } from "../../words/workflows.ts";
import { openRunWith } from "./runwith.ts";
import { openCreated } from "./upload.tsx";
import { valuesIn } from "./values.ts";

interface Offered {
  readonly name: string;
  /** Content hash. */
  readonly workflow: string;
  readonly small?: boolean;
}

export function RunButtons({ name, workflow, small = false }: Offered) {
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  if (!mayStart()) return null;
  const short = workflow.slice(0, SHORT);
  /** A second press while it works does nothing. */
  const during = async (act: () => Promise<void>): Promise<void> => {
    if (busy.value) return;
    [busy.value, problem.value] = [true, undefined];
    try {
      await act();
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  const run = (): Promise<void> => during(async () => openCreated(await runStored(workflow, name)));
  const runWith = (button: HTMLElement): Promise<void> =>
    during(async () => {
      const values = await valuesIn(workflow);
      // Somebody may have gone on meanwhile.
      if (button.isConnected) openRunWith({ workflow, name, short, values }, openCreated);
    });
  const look = small ? "button small" : "button";
  return (
    <>
      <button class={look} type="button" aria-label={WORKFLOWS.runLabel(name, short)} aria-disabled={busy.value} onClick={() => void run()}>
        {WORKFLOWS.run}
      </button>
      <button
        class={look}
        type="button"
        aria-label={WORKFLOWS.runWithLabel(name, short)}
        aria-haspopup="dialog"
        aria-disabled={busy.value}
        onClick={({ currentTarget }) => void runWith(currentTarget)}
      >
        {WORKFLOWS.runWith}
      </button>
      {problem.value !== undefined && <Failed problem={problem.value} />}
    </>
  );
}
