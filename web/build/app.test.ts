/** The manifest says what browsers ask for, and its icons are there. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { maskable } from "./app.ts";

const read = (path: string): string => readFileSync(new URL(`../src/${path}`, import.meta.url), "utf8");

test("the manifest has a name, a start and icons of any size", () => {
  const manifest = JSON.parse(read("volunteer/app.webmanifest")) as {
    name: string;
    start_url: string;
    display: string;
    icons: { src: string; sizes: string }[];
  };
  expect([manifest.name, manifest.start_url, manifest.display]).toEqual(["WeevilScout", "/", "standalone"]);
  expect(manifest.icons.map((icon) => [icon.src, icon.sizes])).toEqual([
    ["/weevil.svg", "any"],
    ["/weevil-maskable.svg", "any"],
  ]);
});

test("the maskable icon is one picture around the mark", () => {
  const icon = maskable(read("weevil.svg"));
  expect(icon.match(/<svg/g)?.length).toBe(1);
  expect(icon.match(/<\/svg>/g)?.length).toBe(1);
  expect(icon).toContain("<circle");
});
