/** The editor once its files are there: what can be done with them, and the three columns. */

import { effect, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { chosenProject } from "../../../api/chosen.ts";
import { editAddress, withQuery } from "../../app/routes.ts";
import { entryShown, replaceAddress, replaceEntry } from "../../app/where.ts";
import { mayStart } from "../../data/projects.ts";
import { keepVersion, runFiles } from "../../data/edited.ts";
import type { Place } from "../../editor/said.ts";
import type { TextView } from "../../editor/text-view.ts";
import { forgetDraft } from "../../editor/drafts.ts";
import { Failed } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { confirmed } from "../../parts/question.ts";
import { EDITOR } from "../../words/editor.ts";
import { SHORT } from "../../words/workflows.ts";
import { openRunWith } from "../workflows/runwith.ts";
import { openCreated } from "../workflows/upload.tsx";
import { useChords } from "./chords.ts";
import { FileList } from "./filelist.tsx";
import { valuesOf } from "./inputs.ts";
import { draftKey } from "./keys.ts";
import { OutlineList } from "./outline.tsx";
import { Problems } from "./problems.tsx";
import { isNarrow } from "../../parts/narrow.ts";
import { lazily } from "../../parts/lazy.tsx";
import type { Session } from "./session.ts";
import { TextPane } from "./text.tsx";

interface Shown {
  readonly session: Session;
  /** Begins from what the server has. */
  readonly anew: () => void;
}

/** The drawing is the one of runs, and comes with its first use. */
const Preview = lazily(async () => (await import("./preview.tsx")).Preview);

export function Desk({ session, anew }: Shown) {
  const view = useRef<TextView | undefined>(undefined);
  const deeds = useDeeds(session, anew);
  useChords({ Enter: () => void deeds.run(), s: () => void deeds.save() });
  const select = (path: string, at: (view: TextView) => Place): void => {
    session.show(path);
    // The text follows the file once this has been painted.
    requestAnimationFrame(() => view.current !== undefined && view.current.select(at(view.current)));
  };
  const document = session.document()?.path ?? "";
  useSignalEffect(() => {
    const open = session.shown.value?.path ?? "";
    replaceEntry("file", open === session.document()?.path ? "" : open);
  });
  const pick = (at: Place): void => select(document, () => at);
  const cursor = useSignal<number | undefined>(undefined);
  const asList = useSignal(entryShown("as") === "list");
  useSignalEffect(() => replaceEntry("as", asList.value ? "list" : ""));
  return (
    <div class="page" id="editor-page">
      <PageHead
        title={EDITOR.title(session.name)}
        tab={EDITOR.title(session.name)}
        beside={<Mark session={session} />}
        actions={<Actions session={session} deeds={deeds} />}
      />
      {deeds.problem.value !== undefined && <Failed problem={deeds.problem.value} />}
      <div class="desk">
        <FileList session={session} />
        <TextPane session={session} view={view} cursor={cursor} run={deeds.run} save={deeds.save} />
        <aside class="beside">
          {!isNarrow.value && <Preview session={session} cursor={cursor} asList={asList} pick={pick} />}
          <Problems session={session} view={view} select={select} />
          {(isNarrow.value || asList.value) && <OutlineList session={session} pick={pick} />}
        </aside>
      </div>
      <p class="muted editor-keys">{EDITOR.keys}</p>
    </div>
  );
}

function Mark({ session }: { readonly session: Session }) {
  const words = session.fresh.value ? EDITOR.fresh : session.changed.value ? EDITOR.draft : EDITOR.saved;
  return (
    <span class="badge" id="draft-mark" data-tone={session.changed.value ? "busy" : "plain"}>
      {words}
    </span>
  );
}

function useDeeds(session: Session, anew: () => void) {
  const busy = useSignal<"" | "save" | "run">("");
  const problem = useSignal<unknown>(undefined);
  async function during<T>(what: "save" | "run", act: () => Promise<T>): Promise<T | undefined> {
    if (busy.value !== "" || !mayStart()) return undefined;
    [busy.value, problem.value] = [what, undefined];
    try {
      return await act();
    } catch (refused) {
      problem.value = refused;
      return undefined;
    } finally {
      busy.value = "";
    }
  }
  const kept = (hash: string, files: Session["files"]["value"]): void => {
    session.keptAs(draftKey(chosenProject(), session.name, hash), files);
    replaceAddress(withQuery(editAddress(session.name, hash), { file: entryShown("file"), as: entryShown("as") }));
  };
  const save = (): Promise<string | undefined> =>
    during("save", async () => {
      const files = session.files.value;
      const { workflow } = await keepVersion(session.name, files);
      kept(workflow, files);
      return workflow;
    });
  const run = (): Promise<void> =>
    during("run", async () => {
      const files = session.files.value;
      const created = await runFiles(session.name, files);
      kept(created.workflow, files);
      openCreated(created);
    });
  const runWith = async (): Promise<void> => {
    const workflow = await save();
    if (workflow === undefined) return;
    await checked(session);
    const values = valuesOf(session.findings.value?.outline ?? undefined);
    openRunWith({ workflow, name: session.name, short: workflow.slice(0, SHORT), values }, openCreated);
  };
  const back = async (): Promise<void> => {
    if (!(await confirmed({ id: "throw-draft", ...EDITOR.backQuestion }))) return;
    session.forget();
    await forgetDraft(session.key());
    anew();
  };
  return { busy, problem, save, run, runWith, back };
}

/** Until the checker has said of the text as it is, or fails at it. */
function checked({ checking, trapped }: Session): Promise<void> {
  return new Promise((done) => {
    const stop = effect(() => {
      if (checking.value && !trapped.value) return;
      done();
      queueMicrotask(() => stop());
    });
  });
}

type Deeds = ReturnType<typeof useDeeds>;

function Actions({ session, deeds }: { readonly session: Session; readonly deeds: Deeds }) {
  const busy = useComputed(() => deeds.busy.value);
  if (!mayStart()) return null;
  const isBusy = busy.value !== "";
  return (
    <>
      {session.changed.value && (
        <button class="button" id="throw-draft" type="button" onClick={() => void deeds.back()}>
          {session.fresh.value ? EDITOR.backFresh : EDITOR.back}
        </button>
      )}
      <button
        class="button"
        id="save-version"
        type="button"
        aria-keyshortcuts="Control+S"
        aria-disabled={isBusy}
        onClick={() => void deeds.save()}
      >
        {busy.value === "save" ? EDITOR.saving : EDITOR.save}
      </button>
      <button
        class="button"
        id="run-draft-with"
        type="button"
        aria-haspopup="dialog"
        aria-disabled={isBusy}
        onClick={() => void deeds.runWith()}
      >
        {EDITOR.runWith}
      </button>
      <button
        class="button primary"
        id="run-draft"
        type="button"
        aria-keyshortcuts="Control+Enter"
        aria-disabled={isBusy}
        onClick={() => void deeds.run()}
      >
        {busy.value === "run" ? EDITOR.starting : EDITOR.run}
      </button>
    </>
  );
}
