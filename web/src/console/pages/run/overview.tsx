/** A run in words and figures: how it ended, what it computed over time, its first nodes. */

import type { RunView } from "../../../api/types.gen.ts";
import { NodeList } from "./nodelist.tsx";
import { Outcome } from "./outcome.tsx";
import { RunProfile } from "./profile.tsx";

export function Overview({ view }: { readonly view: RunView }) {
  return (
    <>
      <Outcome view={view} />
      <RunProfile view={view} />
      <NodeList view={view} />
    </>
  );
}
