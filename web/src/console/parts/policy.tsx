/** From which answers on a value is believed, and what that means. Several policies are named alone. */

import { type JUDGED_BY, type STARTED_WITH, policyMeaning } from "../words/jobtext.ts";
import { Filled } from "./filled.tsx";

interface Shown {
  readonly words: typeof JUDGED_BY | typeof STARTED_WITH;
  readonly policies: readonly string[];
}

export function Policy({ words, policies }: Shown) {
  if (policies.length === 0) return null;
  const meaning = policies.length === 1 ? policyMeaning(policies[0] ?? "") : "";
  const named = policies.map((policy, at) => (
    <span key={policy}>
      {at > 0 && ", "}
      <code>{policy}</code>
    </span>
  ));
  return (
    <p class="muted policy">
      <Filled text={meaning === "" ? words.bare : words.meant} holes={{ policies: named, meaning }} />
    </p>
  );
}
