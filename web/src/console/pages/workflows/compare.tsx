/** Which two versions of a name are compared: any two, the newest and the one before it at first. The older one stands at the left. */

import { useSignal } from "@preact/signals";
import type { WorkflowVersionView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { diffAddress } from "../../app/routes.ts";
import { clock } from "../../words/format.ts";
import { SHORT, WORKFLOWS } from "../../words/workflows.ts";
import { differing } from "./differing.ts";

interface Offered {
  /** The newest first. */
  readonly versions: readonly WorkflowVersionView[];
  /** The version that others are compared with; left out where it is chosen as well. */
  readonly fixed?: string;
}

export function Compare({ versions, fixed }: Offered) {
  const hashes = versions.map(({ workflow }) => workflow);
  const to = useSignal(fixed ?? hashes[0] ?? "");
  const from = useSignal("");
  if (hashes.length < 2 || !hashes.includes(to.value)) return null;
  const others = versions.filter(({ workflow }) => workflow !== to.value);
  const pair = differing(hashes, from.value, to.value);
  const { label, from: first, to: second, go } = WORKFLOWS.compare;
  return (
    <div class="compare" role="group" aria-label={label}>
      {fixed === undefined && (
        <Choice id="compare-to" label={first} versions={versions} chosen={to.value} choose={(hash) => (to.value = hash)} />
      )}
      <Choice
        id="compare-from"
        label={fixed === undefined ? second : WORKFLOWS.compare.with}
        versions={others}
        chosen={pair.other}
        choose={(hash) => (from.value = hash)}
      />
      <a class="button small" href={diffAddress(pair.older, pair.newer)}>
        {go}
      </a>
    </div>
  );
}

interface Chosen {
  readonly id: string;
  readonly label: string;
  readonly versions: readonly WorkflowVersionView[];
  readonly chosen: string;
  readonly choose: (hash: string) => void;
}

function Choice({ id, label, versions, chosen, choose }: Chosen) {
  return (
    <>
      <label for={id}>{label}</label>
      <select class="field" id={id} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {versions.map(({ workflow, createdAt }) => (
          <option key={workflow} value={workflow}>
            {WORKFLOWS.compare.version(workflow.slice(0, SHORT), clock(createdAt, now.value))}
          </option>
        ))}
      </select>
    </>
  );
}
