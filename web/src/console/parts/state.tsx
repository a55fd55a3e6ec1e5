/** The mark of a state: its shape, its colour and its word; never one of them alone. */

import { render } from "preact";
import type { Mark } from "../words/states.ts";
import { Icon } from "./icon.tsx";

export function StateMark({ mark }: { readonly mark: Mark }) {
  return (
    <span class="state" data-shape={mark.shape} title={mark.meaning === "" ? undefined : mark.meaning}>
      <Icon name={`state-${mark.shape}`} />
      {mark.word}
    </span>
  );
}

/** The same for parts that make their elements by hand. */
export function showState(place: HTMLElement, mark: Mark): void {
  render(<StateMark mark={mark} />, place);
}
