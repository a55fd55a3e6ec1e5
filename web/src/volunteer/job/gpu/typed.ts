/** Typed-array constructors that may be called without `new`, as the browsers of the first WebCL allowed. */

const CONSTRUCTORS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
] as const;

/** By name; `instanceof` and `new` work as with the original. */
export function callable(): Record<string, unknown> {
  return Object.fromEntries(CONSTRUCTORS.map((made) => [made.name, withoutNew(made)]));
}

function withoutNew(constructor: (typeof CONSTRUCTORS)[number]): unknown {
  return new Proxy(constructor, {
    apply: (target, _self, args: unknown[]) => Reflect.construct(target, args) as unknown,
  });
}
