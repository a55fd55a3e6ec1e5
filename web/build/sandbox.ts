/**
 * Makes `sandbox.html`: the frame's script inline, and inside that the job runtime as an address.
 *
 * The frame has an opaque origin and a CSP without network: whatever it needs has to be in this one file.
 */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { bundleScript } from "./bundle.ts";

const RUNTIME_ID = "virtual:weevil-job-runtime";
/** The runtime's name in stack traces; `errors.ts` drops the lines that carry it. */
const RUNTIME_NAME = "weevil-job-runtime.js";
/** What `/sandbox-check` has jobs try to load. */
const TARGETS = [
  { fileName: "check-target.js", source: "globalThis.reached = true;\n" },
  { fileName: "check-target.events", source: ": reached\n\n" },
] as const;
const volunteer = fileURLToPath(new URL("../src/volunteer/", import.meta.url));

export function sandboxPage(): Plugin {
  return {
    name: "weevil-sandbox-page",
    apply: "build",
    async generateBundle() {
      const runtime = await bundleScript(`${volunteer}job/main.ts`);
      const named = `${runtime.trimEnd()}\n//# sourceURL=${RUNTIME_NAME}\n`;
      const frame = await bundleScript(`${volunteer}sandbox/frame.ts`, [runtimeModule(named)]);
      const template = await readFile(`${volunteer}sandbox/sandbox.html`, "utf8");
      const source = template.replace("/*FRAME*/", () => inScript(frame.trim()));
      this.emitFile({ type: "asset", fileName: "sandbox.html", source });
      for (const target of TARGETS) this.emitFile({ type: "asset", ...target });
    },
  };
}

function runtimeModule(runtime: string): Plugin {
  return {
    name: "weevil-job-runtime",
    resolveId: (id) => (id === RUNTIME_ID ? `\0${RUNTIME_ID}` : null),
    load: (id) => (id === `\0${RUNTIME_ID}` ? `export default ${JSON.stringify(scriptUrl(runtime))};` : null),
  };
}

/** The code as an address. What means something else in one is escaped, and nothing more: every job worker reads it. */
export function scriptUrl(code: string): string {
  return `data:text/javascript;charset=utf-8,${code.replace(/[%#]|[^\x20-\x7e]/gu, encodeURIComponent)}`;
}

/** Script text that HTML does not end early; in JavaScript both words can stand only inside a string or a pattern. */
export function inScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, "\\x3C");
}
