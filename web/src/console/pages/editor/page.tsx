/** The editor of a workflow: files at the left, text in the middle, problems and outline at the right; a draft until it is saved. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { chosenProject } from "../../../api/chosen.ts";
import { type Route, workflowAddress } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
import { entryShown } from "../../app/where.ts";
import { loadVersion } from "../../data/edited.ts";
import { draftOf } from "../../editor/drafts.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { EDITOR } from "../../words/editor.ts";
import { Desk } from "./desk.tsx";
import "./editor.css";
import { draftKey } from "./keys.ts";
import { type Begun, type Session, makeSession } from "./session.ts";

export function EditorPage({ route }: { readonly route: Route }) {
  const { id: name, tab: hash, query } = route;
  return <Editor key={`${name} ${hash}`} name={name} hash={hash} start={query.get("from") ?? ""} />;
}

interface Edited {
  readonly name: string;
  /** Empty for a new workflow. */
  readonly hash: string;
  /** What a new one begins with. */
  readonly start: string;
}

function Editor(edited: Edited) {
  const session = useSignal<Session | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const again = useSignal(0);
  useEffect(() => {
    let open = true;
    let opened: Session | undefined;
    const take = (begun: Begun): void => {
      if (!open) return;
      opened = makeSession(begun);
      session.value = opened;
    };
    begin(edited).then(take, (refused: unknown) => (problem.value = refused));
    return () => {
      open = false;
      opened?.end();
    };
  }, [again.value]);
  useTrail({ steps: [{ name: edited.name, address: workflowAddress(edited.name) }, { name: EDITOR.path }] });
  useLayoutEffect(() => {
    document.title = EDITOR.title(edited.name);
  }, []);
  const anew = (): void => {
    [session.value, problem.value] = [undefined, undefined];
    again.value += 1;
  };
  if (session.value !== undefined) return <Desk key={again.value} session={session.value} anew={anew} />;
  return (
    <div class="page" id="editor-page">
      <PageHead title={EDITOR.title(edited.name)} tab={EDITOR.title(edited.name)} />
      {problem.value === undefined ? <Loading /> : <Failed problem={problem.value} retry={anew} />}
    </div>
  );
}

/** The draft, else what the server has, else what a new one begins with. */
async function begin({ name, hash, start }: Edited): Promise<Begun> {
  const key = draftKey(chosenProject(), name, hash);
  const [draft, saved] = await Promise.all([draftOf(key), hash === "" ? undefined : loadVersion(hash)]);
  const files = draft?.files ?? saved?.files ?? (await import("../../editor/starts.ts")).startOf(start);
  return { key, name, files, saved: saved?.files, open: entryShown("file") };
}
