/**
 * A value looked at as what it is: read, decoded apart, shown by its shape or as somebody chooses, saved in the files that others read.
 *
 * The only part of the viewer that knows where a value comes from.
 */

import "./viewer.css";
import { verdictOn } from "../../api/expected.ts";
import { Refusal } from "../../api/request.ts";
import { CutValueError, type ValueSource, readJson, readValue } from "../../api/values.ts";
import { make, setText } from "../../dom.ts";
import { save } from "../parts/download.ts";
import { size } from "../words/format.ts";
import { makeProblem, showProblem } from "../parts/elements.ts";
import { faceIn, faceWords } from "./choices.ts";
import { UndecodableError, decodeApart } from "./decoding.ts";
import { makeView } from "./faces.ts";
import { type FileOffer, valueFiles, viewFiles } from "./files.ts";
import type { Face, Shape } from "./shape.ts";
import { UnsavableError } from "./paint.ts";
import type { Choices, View } from "./view.ts";
import { VIEWER, verdictText } from "../words/viewer.ts";

/** The code of the server where there is nothing to show. */
const NO_VALUE = "noValue";

const AS_USUAL: Choices = { words: [], onChoice: () => undefined };

/** Fills `place` with the value, looked at as `choices` say. Answers when it is shown, or why it is not. */
export async function openViewer(place: HTMLElement, source: ValueSource, choices = AS_USUAL): Promise<void> {
  place.replaceChildren(make("p", { class: "muted" }, VIEWER.loading));
  try {
    const bytes = await readValue(source);
    const files = (shape?: Shape): FileOffer[] => valueFiles(bytes, shape, () => readJson(source));
    await show(place, { source, choices }, bytes, files);
  } catch (refused) {
    place.replaceChildren(makeFailure(refused, () => void openViewer(place, source, choices)));
  }
}

interface Asked {
  readonly source: ValueSource;
  readonly choices: Choices;
}

/** What cannot be decoded can be saved. */
async function show(place: HTMLElement, asked: Asked, bytes: Uint8Array, files: (shape?: Shape) => FileOffer[]): Promise<void> {
  const { source } = asked;
  try {
    const shape = await decodeApart(bytes);
    const viewer = new Viewer(shape, files(shape), asked, bytes.length);
    place.replaceChildren(...viewer.parts);
    const expected = shape.faces[0] === "headline" ? await source.expected?.() : undefined;
    if (expected !== undefined) viewer.say(verdictText(verdictOn(shape.value, expected), expected));
  } catch (problem) {
    if (!(problem instanceof UndecodableError)) throw problem;
    const why = make("p", { role: "alert" }, VIEWER.undecodable(problem.message));
    place.replaceChildren(why, makeFiles(files(), source));
  }
}

function makeFailure(refused: unknown, again: () => void): HTMLElement {
  const problem = makeProblem();
  if (refused instanceof CutValueError) setText(problem, VIEWER.tooLong(size(refused.bytes)));
  else if (!(refused instanceof Refusal)) throw refused;
  else if (refused.code === NO_VALUE) setText(problem, VIEWER.noValue);
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
  private readonly choices: Choices;
  private view: View | undefined;

  constructor(shape: Shape, files: readonly FileOffer[], { source, choices }: Asked, bytes: number) {
    [this.shape, this.valueFiles, this.source, this.choices] = [shape, files, source, choices];
    const [named, ...own] = choices.words;
    const first = faceIn(choices.words, shape.faces);
    // What moves in it is nobody's to read out.
    const quiet = shape.faces[0] === "headline" ? {} : { "aria-live": "off" };
    this.body = make("div", { class: "viewer-body", id: source.id, ...quiet });
    const head = make("div", { class: "viewer-head" }, ...this.makeChoice(first), this.tools);
    this.files = make("div");
    const kind = make("p", { class: "muted viewer-kind" }, VIEWER.kind(shape.kind, size(bytes)));
    this.parts = [head, this.body, this.word, kind, this.files];
    this.show(first, first === named ? own : []);
  }

  say(text: string): void {
    this.word.hidden = text === "";
    setText(this.word, text);
  }

  private makeChoice(first: Face): HTMLElement[] {
    const { faces } = this.shape;
    if (faces.length === 1) return [];
    const options = faces.map((face) => {
      const input = make("input", { type: "radio", name: `face-${this.source.id}`, value: face });
      input.checked = face === first;
      input.addEventListener("change", () => {
        this.show(face, []);
        this.choices.onChoice(faceWords(face, [], faces));
      });
      return make("label", {}, input, make("span", {}, VIEWER.faces[face]));
    });
    return [make("fieldset", { class: "faces" }, make("legend", { class: "unseen" }, VIEWER.shownAs), ...options)];
  }

  /** `words`: what was chosen of this face before. */
  private show(face: Face, words: readonly string[]): void {
    this.view?.close?.();
    const onChoice = (own: readonly string[]): void => this.choices.onChoice(faceWords(face, own, this.shape.faces));
    const view = makeView(face, this.shape, { words, onChoice });
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
        .catch((refused: unknown) => {
          if (refused instanceof UnsavableError) setText(problem, VIEWER.unsavable);
          else showProblem(problem, refused);
        })
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
