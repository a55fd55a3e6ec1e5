/** What the checker's module says of each bundle that a test has written down; see browser.rs. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , modules, folder] = process.argv;
const { initSync, check } = await import(pathToFileURL(join(modules, "weevil_check.js")));
initSync({ module: readFileSync(join(modules, "weevil_check_bg.wasm")) });

const bytes = new Uint8Array(readFileSync(join(folder, "bytes")));
const bundles = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
const told = bundles.map((files) => {
  const contents = files.map(([, from, to]) => bytes.subarray(from, to));
  return check(files.map(([path]) => path), contents);
});
process.stdout.write(`[${told.join(",")}]`);
