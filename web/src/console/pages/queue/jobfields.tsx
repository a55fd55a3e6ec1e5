/** Which jobs of a list are meant, of a queue or a run: their state, a text, whether they went wrong. The list asks the server. */

import type { JobsFilter } from "../../../api/client.ts";
import type { NodeState } from "../../../api/types.gen.ts";
import { SearchField } from "../../parts/searchfield.tsx";
import { JOBS } from "../../words/lookback.ts";
import { nodeMark } from "../../words/states.ts";

/** Those that a job can have. */
const STATES: readonly NodeState[] = ["ENQUEUED", "RUNNING", "ANSWERED", "FINISHED", "FAILED", "CANCELLED"];

/** All jobs. */
export const NO_FILTER: JobsFilter = { state: null, node: null, failed: false, text: "" };

export interface Fields {
  readonly asked: JobsFilter;
  readonly change: (what: Partial<JobsFilter>) => void;
}

export function StateField({ asked, change }: Fields) {
  return (
    <>
      <label for="jobs-state">{JOBS.state}</label>
      <select
        class="field"
        id="jobs-state"
        value={asked.state ?? ""}
        onChange={({ currentTarget }) => change({ state: STATES.find((one) => one === currentTarget.value) ?? null })}
      >
        <option value="">{JOBS.anyState}</option>
        {STATES.map((one) => (
          <option key={one} value={one}>
            {nodeMark(one).word}
          </option>
        ))}
      </select>
    </>
  );
}

export function TextField({ asked, change }: Fields) {
  return <SearchField id="jobs-text" label={JOBS.text} text={asked.text} change={(text) => change({ text })} />;
}

export function FailedField({ asked, change }: Fields) {
  return (
    <label class="check">
      <input
        id="jobs-failed"
        type="checkbox"
        checked={asked.failed}
        onChange={({ currentTarget }) => change({ failed: currentTarget.checked })}
      />
      {JOBS.failed}
    </label>
  );
}

export function isFiltered({ state, node, failed, text }: JobsFilter): boolean {
  return state !== null || node !== null || failed || text !== "";
}

/** What the address has of it. */
export function entriesOf({ state, node, failed, text }: JobsFilter): Readonly<Record<string, string>> {
  return { state: state ?? "", node: node ?? "", failed: failed ? "true" : "", q: text };
}

export function filterIn(query: URLSearchParams): JobsFilter {
  const state = STATES.find((one) => one === query.get("state")) ?? null;
  return { state, node: query.get("node"), failed: query.get("failed") === "true", text: query.get("q") ?? "" };
}
