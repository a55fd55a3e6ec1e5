/** A sentence from the words of the console with elements in it, each at the hole that has its name in braces. */

import { type ComponentChild, Fragment } from "preact";

/** The names of all holes of a sentence. */
type Holes<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;

interface Filling<Text extends string> {
  readonly text: Text;
  readonly holes: Readonly<Record<Holes<Text>, ComponentChild>>;
}

export function Filled<const Text extends string>({ text, holes }: Filling<Text>) {
  const fillings: Readonly<Record<string, ComponentChild>> = holes;
  // What stands in parentheses is kept: every second part is the name of a hole.
  return (
    <>
      {text.split(/\{(\w+)\}/u).map((part, at) => (
        <Fragment key={at}>{at % 2 === 0 ? part : fillings[part]}</Fragment>
      ))}
    </>
  );
}
