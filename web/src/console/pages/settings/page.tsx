/** What somebody chooses for this browser: theme, density, keys, time zone. Below it what the server was started with. */

import { type Prefs, choose, prefs } from "../../app/prefs.ts";
import { floating } from "../../app/shortcuts.ts";
import { PageHead } from "../../parts/head.tsx";
import { SETTINGS } from "../../words/settings.ts";
import { ServerSettings } from "./server.tsx";

export function SettingsPage() {
  const now = prefs.value;
  return (
    <div class="page" id="settings-page">
      <PageHead title={SETTINGS.title} tab={SETTINGS.title} />
      <p class="muted prose">{SETTINGS.about}</p>
      <Choice name="theme" title={SETTINGS.theme} words={SETTINGS.themes} now={now.theme} />
      <Choice name="density" title={SETTINGS.density} words={SETTINGS.densities} now={now.density} />
      <Choice name="zone" title={SETTINGS.zone} words={SETTINGS.zones} now={now.zone} />
      <fieldset class="panel">
        <legend>{SETTINGS.keys}</legend>
        <div class="tick">
          <input
            type="checkbox"
            id="letters"
            aria-describedby="letters-hint"
            checked={now.letters}
            onChange={(event) => choose({ letters: event.currentTarget.checked })}
          />
          <div>
            <label for="letters">{SETTINGS.letters}</label>
            <p class="muted" id="letters-hint">
              {SETTINGS.lettersHint}
            </p>
          </div>
        </div>
        <button class="button" type="button" onClick={() => (floating.value = "keys")}>
          {SETTINGS.all}
        </button>
      </fieldset>
      <ServerSettings />
    </div>
  );
}

interface Offered<K extends "theme" | "density" | "zone"> {
  readonly name: K;
  readonly title: string;
  readonly words: Readonly<Record<Prefs[K], string>>;
  readonly now: Prefs[K];
}

function Choice<K extends "theme" | "density" | "zone">({ name, title, words, now }: Offered<K>) {
  return (
    <fieldset class="panel">
      <legend>{title}</legend>
      {(Object.entries(words) as [Prefs[K], string][]).map(([value, word]) => (
        <label key={value} class="option-line">
          <input type="radio" name={name} value={value} checked={value === now} onChange={() => choose({ [name]: value })} />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
