/** What the viewer knows of each way to look at a value. Types only. */

/** How somebody looks at a value, in the words of `choices.ts`, and who is told of another choice. */
export interface Choices {
  readonly words: readonly string[];
  readonly onChoice: (words: readonly string[]) => void;
}

export interface View {
  readonly element: HTMLElement;
  /** What can be done with it, for the viewer's own row of controls. */
  readonly tools?: readonly HTMLElement[];
  readonly png?: () => Promise<Blob>;
  readonly svg?: () => Blob;
  /** It has a place in the document now, and its size. */
  readonly shown?: () => void;
  /** It is not shown any more. */
  readonly close?: () => void;
}
