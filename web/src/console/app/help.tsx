/** All keys of the console. */

import { KEYS } from "../words/frame.ts";
import { Floating } from "./floating.tsx";
import { prefs } from "./prefs.ts";
import { floating } from "./shortcuts.ts";

export function KeysHelp() {
  return (
    <Floating name="keys" label={KEYS.title}>
      <div class="help">
        <h2>{KEYS.title}</h2>
        {!prefs.value.letters && <p class="muted">{KEYS.off}</p>}
        <dl>
          {KEYS.rows.map(([key, does]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <button class="button" type="button" onClick={() => (floating.value = undefined)}>
          {KEYS.close}
        </button>
      </div>
    </Floating>
  );
}
