/** What the checker's module says, as `crates/check-wasm` writes it, and what is said to it. Types only. */

import type { DiagnosticView, GraphView } from "../../api/types.gen.ts";

/** Places are counted in UTF-16 units, as strings here are. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Checked {
  /** Why these files are no workflow at all; `null` where they were looked at. */
  readonly refused: string | null;
  readonly diagnostics: readonly DiagnosticView[];
  /** The workflow can run. */
  readonly sound: boolean;
  /** Files that only the server looks at. */
  readonly unread: readonly string[];
}

export interface PortView {
  readonly id: string;
  readonly takes: string;
  readonly at: Place;
}

/** A node, a processor or a reducer. */
export interface PartView {
  readonly id: string;
  readonly element: string;
  readonly returns: string;
  readonly source: string;
  readonly value?: string;
  /** Where its id is written; the name of its element without one. */
  readonly at: Place;
  readonly ports: readonly PortView[];
}

export interface NodeOutline extends PartView {
  readonly parts?: readonly PartView[];
}

export interface Outline {
  readonly nodes: readonly NodeOutline[];
  /** Where nodes are named, but for their own tags; `node`: position in the nodes. */
  readonly uses: readonly { readonly node: number; readonly at: Place }[];
  /** As they are written; the port is empty where none is. */
  readonly edges: readonly { readonly source: string; readonly dest: string; readonly port: string }[];
  readonly graph: GraphView;
}

export interface Completion {
  /** What is replaced. */
  readonly at: Place;
  readonly options: readonly { readonly label: string; readonly detail: string }[];
}

export interface CheckedFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export type Question =
  | { readonly kind: "check"; readonly files: readonly CheckedFile[]; readonly document: string | undefined }
  | { readonly kind: "complete"; readonly document: string; readonly at: number; readonly paths: readonly string[] };

/** What is found of all files, and of the document among them. */
export interface Findings {
  readonly checked: Checked;
  readonly outline: Outline | null;
}

export interface Asked {
  readonly number: number;
  readonly question: Question;
}

/**
 * What has been found, as JSON: to copy what it stands for takes longer. `undefined`: the module has trapped, and this worker is of no use
 * any more.
 */
export interface Answered {
  readonly number: number;
  readonly answer: string | undefined;
}
