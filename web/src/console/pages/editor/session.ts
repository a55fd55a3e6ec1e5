/**
 * One workflow that is edited: its files, what the checker says of them, what of it is saved. Owns when the checker is asked and when the
 * draft is kept.
 *
 * Never touches the DOM, and asks the server nothing.
 */

import { type ReadonlySignal, computed, signal } from "@preact/signals";
import { type Checker, makeChecker, openChecking } from "../../editor/checker.ts";
import { forgetDraft, keepDraft } from "../../editor/drafts.ts";
import {
  type EditedFile,
  type Files,
  contentsOf,
  documentOf,
  renamed,
  sameFiles,
  withFile,
  withText,
  without,
} from "../../editor/files.ts";
import type { Findings } from "../../editor/said.ts";

const CHECK_MS = 150;
const KEEP_MS = 400;

export interface Begun {
  /** What the draft is kept under. */
  readonly key: string;
  readonly name: string;
  readonly files: Files;
  /** What the server has; `undefined` for a new workflow. */
  readonly saved: Files | undefined;
  /** The path of the file that is shown first; the document, where there is no such file. */
  readonly open?: string;
}

export interface Session {
  readonly name: string;
  readonly files: ReadonlySignal<Files>;
  readonly shown: ReadonlySignal<EditedFile | undefined>;
  readonly findings: ReadonlySignal<Findings | undefined>;
  /** Whether the checker is behind what is written. */
  readonly checking: ReadonlySignal<boolean>;
  readonly trapped: ReadonlySignal<boolean>;
  /** Whether something is written that the server has not. */
  readonly changed: ReadonlySignal<boolean>;
  readonly fresh: ReadonlySignal<boolean>;
  readonly checker: Checker;
  readonly document: () => EditedFile | undefined;
  readonly show: (path: string) => void;
  readonly write: (path: string, text: string) => void;
  readonly add: (file: EditedFile) => void;
  readonly rename: (from: string, to: string) => void;
  readonly remove: (path: string) => void;
  /** The server has these files now, and the draft's place is another one. */
  readonly keptAs: (key: string, files: Files) => void;
  readonly key: () => string;
  /** Nothing more is kept of the draft. */
  readonly forget: () => void;
  readonly end: () => void;
}

export function makeSession({ key: first, name, files: begun, saved: stored, open = "" }: Begun): Session {
  let key = first;
  const files = signal(begun);
  const saved = signal(stored);
  const path = signal(begun.some((file) => file.path === open) ? open : (documentOf(begun)?.path ?? begun[0]?.path ?? ""));
  const findings = signal<Findings | undefined>(undefined);
  const [checking, trapped] = [signal(true), signal(false)];
  const changed = computed(() => saved.value === undefined || !sameFiles(files.value, saved.value));
  const checker = makeChecker(openChecking, () => (trapped.value = true));
  let [checkTimer, keepTimer]: (ReturnType<typeof setTimeout> | undefined)[] = [undefined, undefined];

  async function look(): Promise<void> {
    const asked = files.value;
    trapped.value = false;
    const found = await checker.check(contentsOf(asked), documentOf(asked)?.text);
    if (files.value !== asked) return;
    checking.value = false;
    // What was found before the trap is about another text.
    findings.value = found;
  }

  async function keep(): Promise<void> {
    keepTimer = undefined;
    if (saved.value !== undefined && !changed.value) await forgetDraft(key);
    else await keepDraft({ key, name, files: files.value, at: Date.now() });
  }

  function change(next: Files): void {
    files.value = next;
    checking.value = true;
    clearTimeout(checkTimer);
    checkTimer = setTimeout(() => void look(), CHECK_MS);
    clearTimeout(keepTimer);
    keepTimer = setTimeout(() => void keep(), KEEP_MS);
  }

  void look();
  return {
    name,
    files,
    shown: computed(() => files.value.find((file) => file.path === path.value)),
    findings,
    checking,
    trapped,
    changed,
    fresh: computed(() => saved.value === undefined),
    checker,
    document: () => documentOf(files.value),
    show: (next) => (path.value = next),
    write: (of, text) => {
      if (files.value.some((file) => file.path === of && file.text !== text)) change(withText(files.value, of, text));
    },
    add: (file) => {
      change(withFile(files.value, file));
      path.value = file.path;
    },
    rename: (from, to) => {
      change(renamed(files.value, from, to));
      if (path.value === from) path.value = to;
    },
    remove: (gone) => {
      change(without(files.value, gone));
      if (path.value === gone) path.value = documentOf(files.value)?.path ?? files.value[0]?.path ?? "";
    },
    keptAs: (next, kept) => {
      void forgetDraft(key);
      key = next;
      saved.value = kept;
      if (changed.value) void keep();
    },
    key: () => key,
    forget: () => {
      clearTimeout(keepTimer);
      keepTimer = undefined;
    },
    end: () => {
      clearTimeout(checkTimer);
      if (keepTimer !== undefined) {
        clearTimeout(keepTimer);
        void keep();
      }
      checker.end();
    },
  };
}
