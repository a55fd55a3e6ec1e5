/**
 * The graph of what is written, beside the text: what is chosen on one side is chosen on the other. While the text is ahead of the checker
 * it stays as it was.
 *
 * Mounts the stage, which draws; asks nothing itself.
 */

import { type ReadonlySignal, type Signal, useComputed } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { NO_FACTS } from "../../graph/facts.ts";
import { type SceneItem, sceneOf } from "../../graph/scene.ts";
import { Stage } from "../../graph/stage.ts";
import { nodeAround } from "../../editor/knowledge.ts";
import { countsOf, mistakesOf } from "../../editor/preview.ts";
import type { Outline, Place } from "../../editor/said.ts";
import { EDITOR } from "../../words/editor.ts";
import { linesOf } from "./lines.ts";
import type { Session } from "./session.ts";

interface Shown {
  readonly session: Session;
  /** Where somebody is in the document. */
  readonly cursor: ReadonlySignal<number | undefined>;
  readonly asList: Signal<boolean>;
  readonly pick: (at: Place) => void;
}

export function Preview({ session, cursor, asList, pick }: Shown) {
  const stage = useRef<Stage | undefined>(undefined);
  const outline = session.findings.value?.outline ?? undefined;
  return (
    <section class="preview" aria-labelledby="preview-title">
      <div class="section-head">
        <h2 id="preview-title">{EDITOR.preview}</h2>
        <span class="buttons">
          <button class="button small" id="preview-fit" type="button" hidden={asList.value} onClick={() => stage.current?.fit()}>
            {EDITOR.fit}
          </button>
          <button
            class="button small"
            id="preview-list"
            type="button"
            aria-pressed={asList.value}
            onClick={() => (asList.value = !asList.value)}
          >
            {EDITOR.asList}
          </button>
        </span>
      </div>
      {!asList.value && outline !== undefined && <Drawn {...{ session, cursor, pick, stage, outline }} />}
    </section>
  );
}

interface Mounted extends Omit<Shown, "asList"> {
  readonly stage: { current: Stage | undefined };
  readonly outline: Outline;
}

function Drawn({ session, cursor, pick, stage, outline }: Mounted) {
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<(item: SceneItem) => void>(() => {});
  opener.current = (item) => {
    const node = outline.nodes[item.node];
    if (node !== undefined) pick(node.at);
  };
  useLayoutEffect(() => {
    const nothing = (): void => {};
    const listener = { open: (item: SceneItem) => opener.current(item), seek: nothing, moved: nothing, reached: nothing };
    const made = new Stage(listener, EDITOR.previewLabel(outline.graph.nodes));
    stage.current = made;
    place.current?.replaceChildren(made.element);
    return () => {
      made.close();
      stage.current = undefined;
    };
  }, []);
  const scene = useMemo(() => sceneOf(outline.graph, new Map()), [outline]);
  const chosen = useChosen(session, cursor);
  useLayoutEffect(() => stage.current?.show(scene, countsOf(outline.graph)), [scene]);
  useLayoutEffect(() => stage.current?.tell(mistakes(session, outline)), [scene]);
  useLayoutEffect(() => {
    stage.current?.choose(chosen);
    stage.current?.keepInView(scene.items.flatMap(({ id }, at) => (id === chosen ? [at] : [])));
  }, [chosen, scene]);
  return (
    <>
      <div ref={place} hidden={scene.items.length === 0} />
      {scene.items.length === 0 && <p class="muted">{EDITOR.outlineNone}</p>}
      {outline.graph.cut !== null && <p class="muted">{EDITOR.previewCut(outline.graph.cut.items)}</p>}
    </>
  );
}

/** The id of the node that somebody is at. Places are those of the text that was checked last. */
function useChosen(session: Session, cursor: ReadonlySignal<number | undefined>): string | undefined {
  const last = useRef<string | undefined>(undefined);
  const chosen = useComputed(() => {
    const [at, outline, text] = [cursor.value, session.findings.value?.outline, session.document()?.text];
    if (session.checking.value) return last.current;
    const node = at === undefined || outline === null || outline === undefined ? undefined : nodeAround(text ?? "", at, outline);
    last.current = node?.id === "" ? undefined : node?.id;
    return last.current;
  });
  return chosen.value;
}

function mistakes(session: Session, outline: Outline) {
  const [document, found] = [session.document(), session.findings.peek()?.checked.diagnostics ?? []];
  if (document?.text === undefined || session.checking.peek()) return NO_FACTS;
  const own = found.filter(({ file }) => file === document.path);
  return mistakesOf(document.text, linesOf(document.text), own, outline);
}
