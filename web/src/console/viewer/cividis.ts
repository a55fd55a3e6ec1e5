/**
 * Cividis: a scale of colours that people with and without a colour vision deficiency see alike (Nuñez, Anderton and Renslow, 2018). Pure.
 *
 * Polynomials by Jamie Wong and Mike Bostock (d3-scale-chromatic, ISC).
 */

export type Colour = readonly [red: number, green: number, blue: number];

/** The colour of a share from 0 to 1. */
export function cividis(share: number): Colour {
  const t = Math.max(0, Math.min(1, share));
  return [
    byte(-4.54 - t * (35.34 - t * (2381.73 - t * (6402.7 - t * (7024.72 - t * 2710.57))))),
    byte(32.49 + t * (170.73 + t * (52.82 - t * (131.46 - t * (176.58 - t * 67.37))))),
    byte(81.24 + t * (442.36 - t * (2482.43 - t * (6167.24 - t * (6614.94 - t * 2475.67))))),
  ];
}

function byte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
