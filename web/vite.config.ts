/**
 * Builds the volunteer's page, the console and the sandbox into `dist/`.
 *
 * The server sends a CSP without inline code, so nothing may be inlined into the pages: no preload polyfill, no data URLs.
 */

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { appFiles } from "./build/app.ts";
import { precompress } from "./build/compress.ts";
import { earlyScript } from "./build/early.ts";
import { gpuModule } from "./build/gpu.ts";
import { notices } from "./build/notices.ts";
import { sandboxPage } from "./build/sandbox.ts";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  root: here("."),
  publicDir: false,
  plugins: [gpuModule(), sandboxPage(), appFiles(), earlyScript(), notices(), precompress()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index", "console", "sandbox-check", "embed"].map((page) => here(`${page}.html`)) },
  },
  test: { include: ["src/**/*.test.ts", "build/**/*.test.ts"] },
});
