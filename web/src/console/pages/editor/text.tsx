/** The text of the file that is shown: mounts the view, and joins what it says with the session. */

import { useEffect, useRef } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { type EditedFile, whyNoText } from "../../editor/files.ts";
import { explainAt, nodeAt, placesOf, targetAt } from "../../editor/knowledge.ts";
import type { TextEvents, TextView } from "../../editor/text-view.ts";
import { make } from "../../../dom.ts";
import { showOnce } from "../../parts/question.ts";
import { EDITOR } from "../../words/editor.ts";
import type { Session } from "./session.ts";

interface Shown {
  readonly session: Session;
  readonly view: { current: TextView | undefined };
  /** Where somebody is in the document; `undefined` in another file. */
  readonly cursor: Signal<number | undefined>;
  readonly run: () => Promise<void>;
  readonly save: () => Promise<unknown>;
}

export function TextPane(shown: Shown) {
  const { session, view } = shown;
  const host = useRef<HTMLDivElement>(null);
  const there = useSignal(false);
  const open = (file: EditedFile | undefined): void => {
    if (file?.text !== undefined) view.current?.open(file.path, file.text, EDITOR.text(file.path));
  };
  useEffect(() => {
    let here = true;
    void import("../../editor/text-view.ts").then(({ mountText }) => {
      if (!here || host.current === null) return;
      view.current = mountText(host.current, eventsOf(shown));
      // At once: a view has its name with its file.
      open(session.shown.peek());
      there.value = true;
    });
    return () => {
      here = false;
      view.current?.end();
      view.current = undefined;
    };
  }, []);
  const file = session.shown.value;
  useEffect(() => {
    if (there.value) open(file);
  }, [there.value, file?.path]);
  return (
    <section class="text-pane" aria-label={file === undefined ? EDITOR.files : EDITOR.text(file.path)}>
      <div class="text-host" ref={host} hidden={file?.text === undefined} data-there={there.value} />
      {file !== undefined && file.text === undefined && <p class="muted">{EDITOR.noText[whyNoText(file)](file.path)}</p>}
    </section>
  );
}

function eventsOf({ session, view, cursor, run, save }: Shown): TextEvents {
  const outline = () => session.findings.value?.outline ?? undefined;
  const isDocument = (path: string): boolean => session.document()?.path === path;
  const paths = (): string[] => session.files.value.map((file) => file.path);
  return {
    onChange: session.write,
    onCursor: (path, at) => (cursor.value = isDocument(path) ? at : undefined),
    onRun: () => void run(),
    onSave: () => void save(),
    names: (document, at) => session.checker.complete(document, at, paths()),
    explain: (path, text, at) => (isDocument(path) ? explainAt(text, at, session.checking.value ? undefined : outline()) : undefined),
    onGo: (path, at) => {
      const target = isDocument(path) ? targetAt(view.current?.text() ?? "", at, outline(), session.files.value) : undefined;
      if (target?.kind === "place") view.current?.select(target.at);
      if (target?.kind === "file") session.show(target.path);
    },
    onRename: (path, at) => {
      const found = outline();
      const node = isDocument(path) && !session.checking.value ? nodeAt(at, found) : undefined;
      if (node === undefined || found === undefined) return;
      askName(node.id, (to) => {
        const changes = placesOf(node, found).map((place) => ({ ...place, insert: to }));
        view.current?.change({ title: "", changes });
      });
    },
  };
}

/** Asks for another id; what it may be the checker says once it stands there. */
function askName(id: string, onName: (to: string) => void): void {
  const field = make("input", { class: "field", id: "node-name", value: id, autocomplete: "off", spellcheck: "false", required: "" });
  const stay = make("button", { class: "button", type: "button" }, EDITOR.renameNo);
  const go = make("button", { class: "button primary", id: "node-name-yes", type: "submit" }, EDITOR.renameDo);
  const label = make("label", { for: "node-name" }, EDITOR.renameNode(id));
  const form = make("form", {}, make("h2", { id: "node-name-title" }, label), field, make("div", { class: "buttons" }, stay, go));
  const dialog = make("dialog", { class: "card question", "aria-labelledby": "node-name-title" }, form);
  let to: string | undefined;
  stay.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    to = field.value.trim();
    dialog.close();
  });
  showOnce(dialog, () => {
    if (to !== undefined && to !== "" && to !== id) onName(to);
  });
  field.select();
}
