/**
 * What makes the volunteer's page an app that can be installed: the manifest and its icons, under names that stay. No
 * service worker: none is needed for that, and none can keep an old page alive beside a new server.
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

export function appFiles(): Plugin {
  return {
    name: "weevil-app",
    apply: "build",
    async generateBundle() {
      const mark = await readFile(source("weevil.svg"), "utf8");
      const manifest = await readFile(source("volunteer/app.webmanifest"), "utf8");
      this.emitFile({ type: "asset", fileName: "manifest.webmanifest", source: manifest });
      this.emitFile({ type: "asset", fileName: "weevil.svg", source: mark });
      this.emitFile({ type: "asset", fileName: "weevil-maskable.svg", source: maskable(mark) });
    },
  };
}

/** The mark inside the circle that every mask leaves, on a ground of its own. */
export function maskable(mark: string): string {
  const inner = mark.replace(/^.*?<svg[^>]*>/s, "").replace(/<\/svg>\s*$/, "");
  const place = '<g transform="translate(32 32) scale(.62) translate(-32 -36)">';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#f5f6f2" d="M0 0h64v64H0z"/>${place}${inner}</g></svg>\n`;
}
