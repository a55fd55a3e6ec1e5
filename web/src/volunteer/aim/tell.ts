/** What is known of the work, in words: pure. The texts of strangers stay what they are; a link is looked at twice. */

import type { AimView } from "../../api/types.gen.ts";
import type { Words } from "../words/words.ts";

export interface Link {
  readonly href: string;
  /** With its port; names with other letters in the form that no two share. */
  readonly host: string;
}

export interface Told {
  readonly project: string;
  readonly question: string;
  readonly link: Link | undefined;
  readonly progress: string;
  readonly done: number;
  readonly total: number;
}

export function tell(aim: AimView, words: Words): Told {
  const [done, total] = [words.count(aim.done), words.count(aim.total)];
  return {
    project: aim.project ?? "",
    question: aim.question ?? "",
    link: linkTo(aim.link ?? ""),
    progress: words.say("aimProgress", { done, total }),
    done: aim.done,
    total: aim.total,
  };
}

/** A page of the web that is what it looks like; the server has looked already, and may be an older one. */
export function linkTo(text: string): Link | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  const isPage = url.protocol === "https:" || url.protocol === "http:";
  const isPlain = url.username === "" && url.password === "" && url.host !== "";
  return isPage && isPlain ? { href: url.href, host: url.host } : undefined;
}
