/** All keys of the console, in a dialog; their list comes with its first use. */

import { lazily } from "../parts/lazy.tsx";
import { KEYS } from "../words/frame.ts";
import { Floating } from "./floating.tsx";
import { prefs } from "./prefs.ts";
import { floating } from "./shortcuts.ts";

const KeyList = lazily(async () => (await import("./keylist.tsx")).KeyList);

export function KeysHelp() {
  return (
    <Floating name="keys" label={KEYS.title}>
      <div class="help">
        <h2>{KEYS.title}</h2>
        {!prefs.value.letters && <p class="muted">{KEYS.off}</p>}
        <KeyList />
        <button class="button" type="button" onClick={() => (floating.value = undefined)}>
          {KEYS.close}
        </button>
      </div>
    </Floating>
  );
}
