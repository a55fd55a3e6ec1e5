/** The files of a workflow that is edited: which one is shown, new ones, other names. */

import { useSignal } from "@preact/signals";
import { documentOf, isFree } from "../../editor/files.ts";
import { Icon } from "../../parts/icon.tsx";
import { EDITOR } from "../../words/editor.ts";
import type { Session } from "./session.ts";

export function FileList({ session }: { readonly session: Session }) {
  /** What another name is written for: a path, or empty for a new file. */
  const naming = useSignal<string | undefined>(undefined);
  const document = documentOf(session.files.value)?.path;
  const shown = session.shown.value?.path;
  const done = (from: string, to: string): void => {
    naming.value = undefined;
    if (from === "") session.add({ path: to, text: "" });
    else session.rename(from, to);
  };
  return (
    <nav class="file-list" aria-label={EDITOR.files}>
      <h2>{EDITOR.files}</h2>
      <ul>
        {session.files.value.map(({ path }) => (
          <li key={path} data-file={path}>
            <button class="file" type="button" aria-current={path === shown ? "true" : undefined} onClick={() => session.show(path)}>
              <Icon name="file" />
              <span>{path}</span>
            </button>
            {path !== document && path === shown && (
              <span class="file-deeds">
                <button class="button small" type="button" aria-label={EDITOR.renameFileLabel(path)} onClick={() => (naming.value = path)}>
                  {EDITOR.rename}
                </button>
                <button class="button small" type="button" aria-label={EDITOR.removeLabel(path)} onClick={() => session.remove(path)}>
                  {EDITOR.remove}
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {naming.value === undefined ? (
        <button class="button small" id="new-file" type="button" onClick={() => (naming.value = "")}>
          {EDITOR.add}
        </button>
      ) : (
        <NameForm key={naming.value} session={session} from={naming.value} done={done} stop={() => (naming.value = undefined)} />
      )}
    </nav>
  );
}

interface Naming {
  readonly session: Session;
  readonly from: string;
  readonly done: (from: string, to: string) => void;
  readonly stop: () => void;
}

function NameForm({ session, from, done, stop }: Naming) {
  const path = useSignal(from);
  const taken = useSignal(false);
  const label = from === "" ? EDITOR.addLabel : EDITOR.renameLabel(from);
  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        const to = path.value.trim();
        taken.value = !isFree(
          session.files.value.filter((file) => file.path !== from),
          to,
        );
        if (!taken.value) done(from, to);
      }}
      onKeyDown={(event) => event.key === "Escape" && stop()}
    >
      <input
        class="field"
        id="file-name"
        aria-label={label}
        aria-invalid={taken.value}
        aria-describedby="file-name-problem"
        required
        autocomplete="off"
        spellcheck={false}
        value={path.value}
        ref={(field) => field?.focus()}
        onInput={(event) => (path.value = event.currentTarget.value)}
      />
      <button class="button small" type="submit">
        {from === "" ? EDITOR.addDo : EDITOR.rename}
      </button>
      <p class="muted" id="file-name-problem" role="alert">
        {taken.value ? EDITOR.taken : ""}
      </p>
    </form>
  );
}
