/**
 * Makes the one file that a GPU job needs besides its own: the GPU module with the GPU runtime's script inside.
 *
 * The script stands in a custom section, so the file is a WebAssembly module like any other. The coordinator fetches it
 * when the first GPU job arrives; the sandbox, which has no network, is handed the bytes.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { bundleScript } from "./bundle.ts";

/** The same as in src/volunteer/job/gpu-loader.ts. */
const SECTION = "weevil-script";
const SCRIPT_NAME = "weevil-job-runtime.js";
const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

export function gpuModule(): Plugin {
  return {
    name: "weevil-gpu-module",
    apply: "build",
    async buildStart() {
      const script = await bundleScript(source("volunteer/job/gpu/main.ts"));
      const module = await readFile(source("wasm/weevil_gpu_bg.wasm"));
      await writeFile(source("wasm/weevil_gpu.wasm"), withSection(module, SECTION, expression(script)));
    },
  };
}

/** The bundle as an expression, so that evaluating it leaves no global name behind. */
function expression(script: string): string {
  return `(function(){${script.trimEnd()}\nreturn weevil})()\n//# sourceURL=${SCRIPT_NAME}\n`;
}

/** `module` with a custom section at its end. */
export function withSection(module: Uint8Array, name: string, text: string): Uint8Array {
  const [title, content] = [Buffer.from(name), Buffer.from(text)];
  const body = Buffer.concat([length(title.length), title, content]);
  return Buffer.concat([module, Buffer.of(0), length(body.length), body]);
}

/** LEB128. */
function length(bytes: number): Buffer {
  const out: number[] = [];
  for (let rest = bytes; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...out, rest]);
    out.push((rest & 0x7f) | 0x80);
  }
}
