/** Bundles one entry into a single classic script, as text. Used for code that travels inside a page. */

import { type Plugin, build } from "vite";

export async function bundleScript(entry: string, plugins: Plugin[] = []): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    plugins,
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      lib: { entry, formats: ["iife"], name: "weevil" },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap((output) => ("output" in output ? output.output : []));
  const code = chunks.flatMap((chunk) => (chunk.type === "chunk" ? [chunk.code] : []));
  if (code.length !== 1) throw new Error(`${entry} became ${code.length} scripts instead of one`);
  return `"use strict";${code[0]}`;
}
