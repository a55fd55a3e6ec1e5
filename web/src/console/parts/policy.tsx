/** From which answers on a value is believed, and what that means. Several policies are named alone. */

import { policyMeaning } from "../words/jobtext.ts";

export function Policy({ words, policies }: { readonly words: string; readonly policies: readonly string[] }) {
  if (policies.length === 0) return null;
  const meaning = policies.length === 1 ? policyMeaning(policies[0] ?? "") : "";
  return (
    <p class="muted policy">
      {words}{" "}
      {policies.map((policy, at) => (
        <span key={policy}>
          {at > 0 && ", "}
          <code>{policy}</code>
        </span>
      ))}
      {meaning !== "" && `: ${meaning}`}.
    </p>
  );
}
