/**
 * A value looked at as what it is: read, decoded apart, shown by its shape or as somebody chooses, saved in the files that others read.
 *
 * The only part of the viewer that knows where a value comes from.
 */

import "./viewer.css";
import { compared } from "../../api/expected.ts";
import { Refusal } from "../../api/request.ts";
import { type ValueSource, readJson, readValue } from "../../api/values.ts";
import { make, setText } from "../../dom.ts";
import { save } from "../parts/download.ts";
import { size } from "../words/format.ts";
import { makeProblem, showProblem } from "../parts/elements.ts";
import { UndecodableError, decodeApart } from "./decoding.ts";
import { makeView } from "./faces.ts";
import { type FileOffer, valueFiles, viewFiles } from "./files.ts";
import type { Face, Shape } from "./shape.ts";
import type { View } from "./view.ts";
import { VIEWER } from "../words/viewer.ts";

/** The code of the server where there is nothing to show. */
const NO_VALUE = "noValue";

/** Fills `place` with the value. Answers when it is shown, or why it is not. */
export async function openViewer(place: HTMLElement, source: ValueSource): Promise<void> {
  place.replaceChildren(make("p", { class: "muted" }, VIEWER.loading));
  try {
    const bytes = await readValue(source);
    const files = (shape?: Shape): FileOffer[] => valueFiles(bytes, shape, () => readJson(source));
    await show(place, source, bytes, files);
  } catch (refused) {
    place.replaceChildren(makeFailure(refused, () => void openViewer(place, source)));
  }
}

/** What cannot be decoded can be saved. */
async function show(place: HTMLElement, source: ValueSource, bytes: Uint8Array, files: (shape?: Shape) => FileOffer[]): Promise<void> {
  try {
    const shape = await decodeApart(bytes);
    const viewer = new Viewer(shape, files(shape), source, bytes.length);
    place.replaceChildren(...viewer.parts);
    const expected = shape.faces[0] === "headline" ? await source.expected?.() : undefined;
    if (expected !== undefined) viewer.say(compared(shape.value, expected));
  } catch (problem) {
    if (!(problem instanceof UndecodableError)) throw problem;
    const why = make("p", { role: "alert" }, VIEWER.undecodable(problem.message));
    place.replaceChildren(why, makeFiles(files(), source));
  }
}

function makeFailure(refused: unknown, again: () => void): HTMLElement {
  if (!(refused instanceof Refusal)) throw refused;
  const problem = makeProblem();
  if (refused.code === NO_VALUE) setText(problem, VIEWER.noValue);
  else showProblem(problem, refused);
  const retry = make("button", { class: "button small", type: "button" }, VIEWER.retry);
  retry.addEventListener("click", again);
  return make("div", {}, problem, retry);
}

class Viewer {
  private readonly shape: Shape;
  readonly parts: HTMLElement[];
  private readonly body: HTMLElement;
  private readonly tools = make("div", { class: "viewer-tools" });
  private readonly word = make("p", { class: "viewer-expected", hidden: "" });
  private readonly files: HTMLElement;
  private readonly valueFiles: readonly FileOffer[];
  private readonly source: ValueSource;
  private view: View | undefined;

  constructor(shape: Shape, files: readonly FileOffer[], source: ValueSource, bytes: number) {
    [this.shape, this.valueFiles, this.source] = [shape, files, source];
    // What moves in it is nobody's to read out.
    const quiet = shape.faces[0] === "headline" ? {} : { "aria-live": "off" };
    this.body = make("div", { class: "viewer-body", id: source.id, ...quiet });
    const head = make("div", { class: "viewer-head" }, ...this.makeChoice(), this.tools);
    this.files = make("div");
    const kind = make("p", { class: "muted viewer-kind" }, VIEWER.kind(shape.kind, size(bytes)));
    this.parts = [head, this.body, this.word, kind, this.files];
    this.show(shape.faces[0]);
  }

  say(text: string): void {
    this.word.hidden = text === "";
    setText(this.word, text);
  }

  private makeChoice(): HTMLElement[] {
    const { faces } = this.shape;
    if (faces.length === 1) return [];
    const choices = faces.map((face) => {
      const input = make("input", { type: "radio", name: `face-${this.source.id}`, value: face });
      input.checked = face === faces[0];
      input.addEventListener("change", () => this.show(face));
      return make("label", {}, input, make("span", {}, VIEWER.faces[face]));
    });
    return [make("fieldset", { class: "faces" }, make("legend", { class: "unseen" }, VIEWER.shownAs), ...choices)];
  }

  private show(face: Face): void {
    this.view?.close?.();
    const view = makeView(face, this.shape);
    this.view = view;
    this.body.replaceChildren(view.element);
    this.body.dataset["face"] = face;
    this.tools.replaceChildren(...(view.tools ?? []));
    this.files.replaceChildren(makeFiles([...this.valueFiles, ...viewFiles(view)], this.source));
    // It has a size once it stands in the page.
    requestAnimationFrame(() => view.shown?.());
  }
}

function makeFiles(offers: readonly FileOffer[], { file }: ValueSource): HTMLElement {
  const problem = makeProblem();
  const buttons = offers.map(({ kind, make: fill }) => {
    const name = `${file}.${kind.toLowerCase()}`;
    const button = make("button", { class: "button small", type: "button", "data-file": kind, title: name }, kind);
    button.addEventListener("click", () => {
      button.disabled = true;
      problem.replaceChildren();
      Promise.resolve()
        .then(fill)
        .then((made) => save(made, name))
        .catch((refused: unknown) => showProblem(problem, refused))
        .finally(() => (button.disabled = false));
    });
    return button;
  });
  return make(
    "div",
    {},
    make("div", { class: "files", role: "group", "aria-label": VIEWER.download }, VIEWER.download, ...buttons),
    problem,
  );
}
