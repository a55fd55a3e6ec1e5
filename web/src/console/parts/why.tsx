/**
 * *Why?*: a button, and the dialog in which the server's reasons stand as sentences with their cures.
 *
 * Asks nothing itself: who shows it says whom to ask. What the server says is printed as it is, as text.
 */

import { useSignal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Explanation, ReasonView } from "../../api/types.gen.ts";
import { WHY } from "../words/why.ts";
import { Failed, Loading } from "./faces.tsx";
import { Filled } from "./filled.tsx";

interface Asked {
  /** What is asked about, in words. */
  readonly of: string;
  readonly ask: () => Promise<Explanation>;
  /** What stands where there is no reason. */
  readonly nothing?: string;
}

/** `small`: in a row of a table. */
export function Why({ small = false, ...asked }: Asked & { readonly small?: boolean }) {
  return (
    <button
      class={small ? "button small why-button" : "button why-button"}
      type="button"
      aria-haspopup="dialog"
      aria-label={WHY.label(asked.of)}
      onClick={() => openWhy(asked)}
    >
      {WHY.button}
    </button>
  );
}

/** Opens the dialog beside the page: rows may move below it. It is gone once it is closed; the focus goes back where it was. */
export function openWhy(asked: Asked): void {
  const place = document.createElement("div");
  document.body.append(place);
  const close = (): void => {
    render(null, place);
    place.remove();
  };
  render(<WhyDialog {...asked} onClose={close} />, place);
}

/** Going elsewhere closes it. */
function WhyDialog({ of, ask, nothing = WHY.nothing, onClose }: Asked & { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const told = useSignal<Explanation | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const look = (): void => {
    problem.value = undefined;
    ask().then(
      (answer) => (told.value = answer),
      (refused: unknown) => (problem.value = refused),
    );
  };
  useEffect(look, []);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    addEventListener("hashchange", onClose);
    return () => removeEventListener("hashchange", onClose);
  }, []);
  return (
    <dialog class="card question wide why" aria-labelledby="why-title" ref={dialog} onClose={onClose}>
      <h2 id="why-title">{WHY.title(of)}</h2>
      <div role="status">
        {problem.value !== undefined && <Failed problem={problem.value} retry={look} />}
        {told.value === undefined ? problem.value === undefined && <Loading /> : <Reasons reasons={told.value.reasons} nothing={nothing} />}
      </div>
      <div class="buttons">
        <button class="button" type="button" onClick={() => dialog.current?.close()}>
          {WHY.close}
        </button>
      </div>
    </dialog>
  );
}

function Reasons({ reasons, nothing }: { readonly reasons: readonly ReasonView[]; readonly nothing: string }) {
  if (reasons.length === 0) return <p>{nothing}</p>;
  return (
    <ul class="reasons">
      {reasons.map((reason, place) => (
        <li key={place} data-code={reason.code}>
          {reason.text}
          {reason.node !== undefined && <At reason={reason} node={reason.node} />}
          {reason.cure !== undefined && <span class="cure">{reason.cure}</span>}
        </li>
      ))}
    </ul>
  );
}

function At({ reason, node }: { readonly reason: ReasonView; readonly node: string }) {
  const others = (reason.numbers["nodes"] ?? 1) - 1;
  return (
    <span class="muted">
      {" "}
      <Filled text={others > 0 ? WHY.atSeveral : WHY.at} holes={{ node: <code>{node}</code>, others: WHY.others(others) }} />
    </span>
  );
}
