/** Puts what is known of the work on the page: strangers' texts as text nodes only. Owns the elements in `#aim`. */

import type { AimView } from "../../api/types.gen.ts";
import { byId, setText } from "../../dom.ts";
import type { Words } from "../words/words.ts";
import { type Link, tell } from "./tell.ts";

export function showAim(aim: AimView | undefined, words: Words): void {
  byId("aim", HTMLElement).hidden = aim === undefined;
  if (aim === undefined) return;
  const told = tell(aim, words);
  setText(byId("aim-project", HTMLElement), told.project);
  setText(byId("aim-question", HTMLElement), told.question);
  setText(byId("aim-text", HTMLElement), told.progress);
  byId("aim-for", HTMLElement).hidden = told.project === "";
  byId("aim-question", HTMLElement).hidden = told.question === "";
  showLink(told.link);
  const bar = byId("aim-bar", HTMLProgressElement);
  bar.max = Math.max(1, told.total);
  bar.value = told.done;
}

function showLink(link: Link | undefined): void {
  byId("aim-more", HTMLElement).hidden = link === undefined;
  const anchor = byId("aim-link", HTMLAnchorElement);
  if (link === undefined) anchor.removeAttribute("href");
  else if (anchor.href !== link.href) anchor.href = link.href;
  setText(byId("aim-host", HTMLElement), link?.host ?? "");
}
