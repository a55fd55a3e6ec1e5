/** The full-screen view. Only in it, and only while it is to be seen, is the screen kept awake. */

import { byId, setText } from "../dom.ts";
import type { Words } from "./words/words.ts";

let lock: WakeLockSentinel | undefined;

function isFull(): boolean {
  return document.fullscreenElement !== null;
}

/** Browsers take the lock away with the page's visibility, and may refuse it: on a low battery, say. */
async function keepAwake(): Promise<void> {
  await lock?.release();
  lock = undefined;
  if (isFull() && !document.hidden && "wakeLock" in navigator) lock = await navigator.wakeLock.request("screen");
}

/** The button's text. */
export function nameFullScreen(words: Words): void {
  setText(byId("full", HTMLButtonElement), words.say(isFull() ? "leaveFullScreen" : "fullScreen"));
}

export function prepareFullScreen(words: () => Words): void {
  const button = byId("full", HTMLButtonElement);
  button.hidden = !document.fullscreenEnabled;
  button.addEventListener("click", () => {
    void (isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined);
  });
  const look = (): void => {
    document.documentElement.toggleAttribute("data-full", isFull());
    nameFullScreen(words());
    keepAwake().catch(() => undefined);
  };
  document.addEventListener("fullscreenchange", look);
  document.addEventListener("visibilitychange", () => {
    keepAwake().catch(() => undefined);
  });
}
