/** The seeded generator: fixed for ever, and roughly uniform. */

import { expect, test } from "vitest";
import { seeded } from "./random.ts";

function draw(count: number, low: number, high: number): number[] {
  const { next } = seeded(low, high);
  return Array.from({ length: count }, next);
}

// From a second implementation, written in Python from the description in random.ts.
test("the first numbers of a seed never change", () => {
  expect(draw(3, 0, 0)).toEqual([0.2858396477007483, 0.11416993520573993, 0.04001364832328236]);
  expect(draw(3, 1, 2)).toEqual([0.29183726337631144, 0.8474778528736735, 0.6041048713760399]);
  expect(draw(3, 0xffffffff, 0xffffffff)).toEqual([0.7923908962851844, 0.6023187895395365, 0.6915477807038352]);
});

test("reseeding starts the sequence again", () => {
  const random = seeded(7, 9);
  const first = [random.next(), random.next()];
  random.reseed(7, 9);
  expect([random.next(), random.next()]).toEqual(first);
});

test("neighbouring seeds, and halves the other way round, have nothing in common", () => {
  const seeds: [number, number][] = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
    [2, 0],
    [0x80000000, 0],
    [0, 0x80000000],
  ];
  const all = seeds.flatMap(([low, high]) => draw(100, low, high));
  expect(new Set(all).size).toBe(all.length);
});

test("numbers are doubles in [0, 1), spread evenly over 64 boxes", () => {
  const count = 640_000;
  const boxes = new Array<number>(64).fill(0);
  for (const number of draw(count, 42, 43)) {
    boxes[Math.floor(number * 64)]! += 1;
  }
  expect(boxes.length).toBe(64);
  const each = count / 64;
  const chiSquared = boxes.reduce((sum, found) => sum + (found - each) ** 2 / each, 0);
  // 63 degrees of freedom: outside 28..112 about once in 100,000 seeds.
  expect(chiSquared).toBeGreaterThan(28);
  expect(chiSquared).toBeLessThan(112);
});

test("the lower bits are used too", () => {
  const odd = draw(10_000, 5, 5).filter((number) => (number * 2 ** 53) % 2 === 1).length;
  expect(odd).toBeGreaterThan(4700);
  expect(odd).toBeLessThan(5300);
});
