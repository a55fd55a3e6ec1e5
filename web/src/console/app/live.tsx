/** The live mark: whether news come, and the button that holds them. What happens to the connection is announced. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { connection, heldBack, hold } from "../live/news.ts";
import { Icon } from "../parts/icon.tsx";
import { FRAME } from "../words/frame.ts";
import { announce } from "./announce.tsx";

export function LiveMark() {
  const seconds = useSecondsLeft();
  useConnectionAnnounced();
  const now = connection.value;
  if (now.kind === "ending") return <Mark kind="ending" word={FRAME.ending} />;
  if (now.kind === "connecting") return <Mark kind="connecting" word={FRAME.connecting} />;
  if (now.kind === "lost") return <Mark kind="lost" word={FRAME.reconnecting(seconds)} title={now.why} />;
  const held = heldBack.value;
  const words = held === undefined ? FRAME.live : FRAME.held(held);
  const label = FRAME.markLabel(words, held === undefined ? FRAME.hold : FRAME.release);
  return (
    <button
      class="live"
      id="live"
      type="button"
      data-kind={held === undefined ? "live" : "held"}
      aria-label={label}
      title={label}
      onClick={() => hold(held === undefined)}
    >
      <Icon name={held === undefined ? "live" : "hold"} />
      <span class="live-word">{words}</span>
    </button>
  );
}

function Mark({ kind, word, title = "" }: { readonly kind: string; readonly word: string; readonly title?: string }) {
  return (
    <span class="live" id="live" data-kind={kind} title={title}>
      <Icon name={kind === "ending" ? "ending" : "lost"} />
      <span class="live-word">{word}</span>
    </span>
  );
}

/** Until the next try; counted down while there is one to come. */
function useSecondsLeft(): number {
  const left = useSignal(0);
  const now = connection.value;
  const until = now.kind === "lost" ? now.retryAt : 0;
  useEffect(() => {
    if (until === 0) return undefined;
    const look = (): void => {
      left.value = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    };
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left.value;
}

function useConnectionAnnounced(): void {
  const lost = useSignal(false);
  useSignalEffect(() => {
    const { kind } = connection.value;
    if (kind === "lost" && !lost.peek()) announce(FRAME.lost);
    if (kind === "live" && lost.peek()) announce(FRAME.back);
    lost.value = kind === "lost";
  });
}
