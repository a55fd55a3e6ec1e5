/**
 * What the licences of bundled packages ask for: each script that holds code of one begins with its notice.
 *
 * Never asks the network: a package has its licence beside it.
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export function notices(): Plugin {
  return {
    name: "weevil-notices",
    apply: "build",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== "chunk") continue;
          const texts = await Promise.all(packagesOf(chunk.moduleIds).map(noticeOf));
          chunk.code = texts.join("") + chunk.code;
        }
      },
    },
  };
}

/** Names of the packages that these modules come from, in order. */
export function packagesOf(modules: readonly string[]): readonly string[] {
  const names = modules.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

async function noticeOf(name: string): Promise<string> {
  const text = await readFile(fileURLToPath(new URL(`../node_modules/${name}/LICENSE`, import.meta.url)), "utf8");
  return `/*! ${name}\n${text.trim()}\n*/\n`;
}
