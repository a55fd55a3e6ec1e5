/**
 * The console's script runs before anything of its page is painted: it knows which theme somebody has chosen. The policy of the pages
 * allows no inline script that could.
 */

import type { Plugin } from "vite";

const PAGE = "/console.html";

export function earlyScript(): Plugin {
  return {
    name: "weevil-early",
    apply: "build",
    transformIndexHtml: { order: "post", handler: (page, { path }) => (path === PAGE ? early(page) : page) },
  };
}

/** With the entry script among what a browser waits for before it paints. */
export function early(page: string): string {
  return page.replace('<script type="module"', '<script type="module" blocking="render"');
}
