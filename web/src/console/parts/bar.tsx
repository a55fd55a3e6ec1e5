/** Progress in segments: finished, reused, failed, held, running, queued; the words say the same. */

import { render } from "preact";
import type { Progress } from "../../api/types.gen.ts";
import { type Segment, segments } from "./segments.ts";

interface Shown {
  readonly progress: Progress;
  /** Its run is, so that what is queued is held. */
  readonly paused?: boolean;
  /** What it is the progress of. */
  readonly label: string;
  /** The same in words. */
  readonly text: string;
}

export function Bar({ progress, paused = false, label, text }: Shown) {
  const range = { "aria-valuemin": 0, "aria-valuemax": Math.max(1, progress.total), "aria-valuenow": progress.done };
  return (
    <span class="segments" role="progressbar" aria-label={label} aria-valuetext={text} {...range}>
      {segments(progress, paused).map((segment) => (
        <Part key={segment.shape} {...segment} />
      ))}
    </span>
  );
}

function Part({ shape, share }: Segment) {
  return <span data-shape={shape} style={{ width: `${share * 100}%` }} />;
}

/** The same for parts that make their elements by hand. */
export function showBar(place: HTMLElement, shown: Shown): void {
  render(<Bar {...shown} />, place);
}
