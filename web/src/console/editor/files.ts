/** The files of a workflow that is edited: text or bytes, by path. Pure: what changes is a new list. */

import type { CheckedFile } from "./said.ts";

export interface EditedFile {
  readonly path: string;
  /** `undefined` for what is no text, or too long to be edited. */
  readonly text: string | undefined;
  /** What is not edited. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** As the server has it: of what is only compared. */
  readonly stored?: Stored;
}

/** A file by what the server tells of it. */
export interface Stored {
  readonly hash: string;
  /** In bytes. */
  readonly length: number;
}

export type Files = readonly EditedFile[];

/** Longer files are carried along, not edited: an editor holds all of a text. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const DOCUMENT = "workflow.xml";
const TEXTS = /\.(xml|js|json|wgsl|cl|md|txt|csv)$/i;

const encoder = new TextEncoder();

/** Whether a file may be a text that is not too long. */
export function mayBeText(path: string, length: number): boolean {
  return TEXTS.test(path) && length <= MAX_TEXT_BYTES;
}

/** A file as it was read. */
export function fileOf(path: string, bytes: Uint8Array<ArrayBuffer>): EditedFile {
  if (!mayBeText(path, bytes.length)) return { path, text: undefined, bytes };
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { path, text: undefined, bytes };
  }
}

/** Why a file has no text here. */
export function whyNoText({ path, bytes, stored }: EditedFile): "binary" | "tooLong" {
  return TEXTS.test(path) && (bytes?.length ?? stored?.length ?? 0) > MAX_TEXT_BYTES ? "tooLong" : "binary";
}

export function contentOf({ text, bytes }: EditedFile): Uint8Array<ArrayBuffer> {
  return text === undefined ? (bytes ?? new Uint8Array()) : encoder.encode(text);
}

export function contentsOf(files: Files): CheckedFile[] {
  return files.map((file) => ({ path: file.path, content: contentOf(file) }));
}

/** The workflow document: `workflow.xml`, or the only other one at the top. */
export function documentOf(files: Files): EditedFile | undefined {
  const named = files.find(({ path }) => path === DOCUMENT);
  const [only, ...others] = files.filter(({ path }) => /^[^/]+\.xml$/i.test(path));
  return named ?? (others.length === 0 ? only : undefined);
}

export function withText(files: Files, path: string, text: string): Files {
  return files.map((file) => (file.path === path && file.text !== undefined ? { path, text } : file));
}

export function withFile(files: Files, file: EditedFile): Files {
  return sorted([...files.filter(({ path }) => path !== file.path), file]);
}

export function without(files: Files, path: string): Files {
  return files.filter((file) => file.path !== path);
}

export function renamed(files: Files, from: string, to: string): Files {
  return sorted(files.map((file) => (file.path === from ? { ...file, path: to } : file)));
}

/** The document first, all others by name. */
export function sorted(files: Files): Files {
  const rank = ({ path }: EditedFile): string => (path === DOCUMENT ? "" : path);
  return [...files].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** Whether both hold the same. */
export function sameFiles(one: Files, other: Files): boolean {
  return one.length === other.length && one.every((file, at) => sameFile(file, other[at]));
}

function sameFile(one: EditedFile, other: EditedFile | undefined): boolean {
  if (one.path !== other?.path || one.text !== other.text) return false;
  return one.text !== undefined || one.bytes === other.bytes || equalBytes(contentOf(one), contentOf(other));
}

function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Why a new file cannot have this path; the checker says all else. */
export function isFree(files: Files, path: string): boolean {
  return path.trim() !== "" && !files.some((file) => file.path.toLowerCase() === path.toLowerCase());
}

/** The file that `src` means: the exact path first, else with an extension, as the checker looks it up. */
export function resolve(files: Files, src: string): EditedFile | undefined {
  const at = (path: string) => files.find((file) => file.path === path);
  return at(src) ?? ["js", "wgsl", "wasm", "json"].map((ending) => at(`${src}.${ending}`)).find((found) => found !== undefined);
}

/** What an empty workflow begins with. */
export const EMPTY: Files = [
  {
    path: DOCUMENT,
    text: `<workflow>
  <nodes>
    <value id="one" value="1" returntype="Number" />
    <job id="twice" src="Twice" returntype="Number">
      <parameters>
        <parameter id="number" paramtype="Number" />
      </parameters>
    </job>
  </nodes>
  <edges>
    <edge source="one" dest="twice" />
  </edges>
  <finalnode id="twice" />
</workflow>
`,
  },
  { path: "Twice.js", text: "function weevil_main(number) {\n  return 2 * number;\n}\n" },
];
