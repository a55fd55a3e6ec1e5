/** Writes `.br` and `.gz` beside every built file that gets smaller by them, so that the server never compresses. */

import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(?:css|html|js|json|svg|wasm|webmanifest)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export function precompress(): Plugin {
  let folder = "";
  return {
    name: "weevil-precompress",
    apply: "build",
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      for (const entry of await readdir(folder, { recursive: true })) {
        if (COMPRESSIBLE.test(entry)) await compress(path.join(folder, entry));
      }
    },
  };
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await keep(`${file}.br`, await brotli(bytes, { params }), bytes);
  await keep(`${file}.gz`, await zip(bytes, { level: 9 }), bytes);
}

async function keep(file: string, packed: Buffer, bytes: Buffer): Promise<void> {
  if (packed.length < bytes.length) await writeFile(file, packed);
}
