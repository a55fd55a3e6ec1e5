/**
 * The built-ins that the runtime needs while strangers' code shares its realm, taken before that code runs.
 *
 * Guards the runtime from code that replaces `Object.keys` or patches a prototype, by accident or not. Never changes a
 * built-in itself.
 */

/** Turns a method into a function that takes its `this` first. */
function uncurry<This, Args extends unknown[], Out>(method: (this: This, ...args: Args) => Out): (self: This, ...args: Args) => Out {
  return Function.prototype.call.bind(method) as (self: This, ...args: Args) => Out;
}

/** The getter of a property that a prototype defines, as a function of the object. */
export function getterOf<This, Out>(prototype: object, name: PropertyKey): (self: This) => Out {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get as ((this: This) => Out) | undefined;
  return getter === undefined ? (self) => Reflect.get(self as object, name) as Out : uncurry(getter);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

export const Bytes = Uint8Array;
export const View = DataView;
export const isArray = Array.isArray;
export const isBuffer = ArrayBuffer.isView;
export const isSafeInteger = Number.isSafeInteger;
export const is = Object.is;
export const keysOf = Object.keys;
export const prototypeOf = Object.getPrototypeOf as (value: object) => object | null;
export const defineProperty = Object.defineProperty;
export const ownProperty = Object.getOwnPropertyDescriptor;
export const hasOwn = uncurry(Object.prototype.hasOwnProperty);
/** As `defineProperty`, but answers whether it could be. */
export const tryDefine = Reflect.defineProperty;
export const isExtensible = Object.isExtensible;
export const deleteProperty = Reflect.deleteProperty;
export const ownKeys = Reflect.ownKeys;
export const construct = Reflect.construct;
export const apply = Reflect.apply;
export const toText = String;
export const quote = JSON.stringify as (value: unknown) => string;
export const plainPrototype: object = Object.prototype;
export const errorPrototype: object = Error.prototype;
/** ISO 8601 of a moment; throws where the date is invalid. */
export const isoTime = uncurry(Date.prototype.toISOString);

export const encodeText = encoder.encodeInto.bind(encoder);
export const decodeText = decoder.decode.bind(decoder);
export const fromCharCode = String.fromCharCode;
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const slice = uncurry(String.prototype.slice);
export const replace = uncurry(String.prototype.replace as (this: string, what: RegExp, by: string) => string);
/** The match, or null; `pattern` has no flags that keep a place. */
export const match = uncurry(RegExp.prototype.exec);
/** `[object Name]`: the built-in class of an object. */
export const classOf = uncurry(Object.prototype.toString) as (value: unknown) => string;

export const copyBytes = uncurry(Uint8Array.prototype.slice) as (bytes: Uint8Array, from: number, to: number) => Uint8Array<ArrayBuffer>;
export const setBytes = uncurry(Uint8Array.prototype.set) as (to: Uint8Array, from: Uint8Array, at: number) => void;
export const moveBytes = uncurry(Uint8Array.prototype.copyWithin) as (
  bytes: Uint8Array,
  to: number,
  from: number,
  end: number,
) => Uint8Array;
export const viewOf = uncurry(Uint8Array.prototype.subarray) as (bytes: Uint8Array, from: number, to: number) => Uint8Array;
/** `Float64Array` and so on for a typed array, `undefined` for everything else. */
export const typedName = getterOf<unknown, string | undefined>(typedArray, Symbol.toStringTag);
export const typedLength = getterOf<unknown, number>(typedArray, "length");
export const typedBuffer = getterOf<unknown, ArrayBufferLike>(typedArray, "buffer");
export const typedOffset = getterOf<unknown, number>(typedArray, "byteOffset");
export const typedBytes = getterOf<unknown, number>(typedArray, "byteLength");
export const setFloat64 = uncurry(DataView.prototype.setFloat64);

export const Pledge = Promise;
export const whenSettled = uncurry(Promise.prototype.then) as (
  promise: unknown,
  kept: (value: unknown) => unknown,
  broken: (thrown: unknown) => unknown,
) => Promise<unknown>;
export const addTo = uncurry(Set.prototype.add) as (set: Set<unknown>, value: unknown) => unknown;
export const isIn = uncurry(Set.prototype.has) as (set: Set<unknown>, value: unknown) => boolean;
export const removeFrom = uncurry(Set.prototype.delete) as (set: Set<unknown>, value: unknown) => boolean;
export const mark = uncurry(WeakMap.prototype.set) as (map: WeakMap<object, number>, key: object, value: number) => unknown;
export const marked = uncurry(WeakMap.prototype.get) as (map: WeakMap<object, number>, key: object) => number | undefined;
export const forEachIn = uncurry(Set.prototype.forEach) as <T>(set: Set<T>, visit: (value: T) => void) => void;

const setPrototype = Object.setPrototypeOf;
/** The same object without a prototype: what is not its own is not there, whatever `Object.prototype` has. */
export function bare<T extends object>(value: T): T {
  return setPrototype(value, null) as T;
}

/** What lists inherit: the way to go through them, and nothing that could be replaced. */
const listPrototype: object = Object.freeze(Object.assign(Object.create(null) as object, { [Symbol.iterator]: Array.prototype.values }));
/** What goes through an array, for `prepareRealm` to freeze. */
export const arrayIterator: object = Object.getPrototypeOf([][Symbol.iterator]()) as object;

/** An array for the runtime itself: no setter on `Array.prototype` sees, changes or swallows what is put in. */
export function list<T>(): T[] {
  return setPrototype([], listPrototype) as T[];
}
