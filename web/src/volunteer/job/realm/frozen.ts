/**
 * The realm of deterministic jobs: what they share is frozen before any code runs, and what a job leaves on the global
 * object is taken away after it.
 *
 * A built-in's property that a script may want of its own on an object that inherits it stays assignable there. Chance
 * comes from the job's seed alone. Never knows a job.
 */

import {
  Bytes,
  bare,
  defineProperty,
  deleteProperty,
  is,
  isBuffer,
  isExtensible,
  match,
  ownKeys,
  ownProperty,
  prototypeOf,
  tryDefine,
  typedBuffer,
  typedBytes,
  typedName,
  typedOffset,
} from "../primordials.ts";

const MAX_RANDOM_BYTES = 65_536;
const HEX = "0123456789abcdef";

/** Chance for `crypto`, from the same numbers as `Math.random`; it makes no keys. */
export function seededCrypto(realm: typeof globalThis, random: () => number): object {
  const { DOMException: Refusal } = realm;
  const byte = (): number => Math.floor(random() * 256);
  const getRandomValues = <T>(array: T): T => {
    const name = isBuffer(array) ? typedName(array) : undefined;
    if (name === undefined || name.startsWith("Float")) throw new TypeError("getRandomValues fills typed arrays of whole numbers");
    const bytes = new Bytes(typedBuffer(array) as ArrayBuffer, typedOffset(array), typedBytes(array));
    if (bytes.length > MAX_RANDOM_BYTES) throw new Refusal("more than 65536 bytes", "QuotaExceededError");
    for (let index = 0; index < bytes.length; index++) bytes[index] = byte();
    return array;
  };
  const randomUUID = (): string => {
    let text = "";
    for (let index = 0; index < 32; index++) {
      const digit = index === 12 ? 4 : index === 16 ? 8 + (byte() & 3) : byte() & 15;
      text += (index === 8 || index === 12 || index === 16 || index === 20 ? "-" : "") + HEX[digit];
    }
    return text;
  };
  return { getRandomValues, randomUUID };
}

/** What no name leads to, but syntax does. */
function nameless(): object[] {
  const text = "";
  const iterators = [[][Symbol.iterator](), text[Symbol.iterator](), new Map().entries(), new Set().values(), text.matchAll(/./g)];
  const makers = [function* () {}, async function () {}, async function* () {}].map((made) => prototypeOf(made) as object);
  const helped = (globalThis as { Iterator?: { from?: (given: object) => object } }).Iterator?.from?.({ next: () => ({ done: true }) });
  const found = [...iterators.map((iterator) => prototypeOf(iterator) as object), ...makers];
  return helped === undefined ? found : [...found, prototypeOf(helped) as object];
}

class Freezer {
  private readonly seen = new Set<object>();

  constructor(realm: object) {
    this.seen.add(realm);
  }

  /** Freezes a value and all that it leads to without a getter being called. */
  freeze(value: unknown): void {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || this.seen.has(value)) return;
    this.seen.add(value);
    this.freeze(prototypeOf(value));
    for (const key of ownKeys(value)) {
      const own = ownProperty(value, key);
      this.freeze(own?.value);
      this.freeze(own?.get);
      this.freeze(own?.set);
      if (own !== undefined && isInherited(value) && !isWatched(value, key)) assignable(value, key, own);
    }
    Object.freeze(value);
  }
}

/** A prototype: others inherit its properties. */
function isInherited(value: object): boolean {
  return typeof value !== "function" && ownProperty(value, "constructor") !== undefined;
}

/** Engines are fast with arrays and promises as long as these are what they were; a copy of one's own is seldom wanted. */
function isWatched(holder: object, key: PropertyKey): boolean {
  if (key !== "constructor") return typeof key === "symbol";
  const made = ownProperty(holder, key)?.value as object | undefined;
  return made !== undefined && ownProperty(made, Symbol.species) !== undefined;
}

/** A property that is frozen for its holder, and can be had of one's own by assignment where it is inherited. */
function assignable(holder: object, key: PropertyKey, { value, writable, configurable, enumerable = false }: PropertyDescriptor): void {
  if (writable !== true || configurable !== true) return;
  const accessors = {
    get: () => value as unknown,
    set(this: unknown, given: unknown): void {
      if (this === holder || this === undefined || this === null)
        throw new TypeError(`${String(key)} of a built-in cannot be changed here`);
      defineProperty(this as object, key, { value: given, writable: true, enumerable: true, configurable: true });
    },
  };
  defineProperty(holder, key, { ...accessors, enumerable, configurable: false });
}

/** What makes a realm fit for deterministic jobs. */
export class FrozenRealm {
  private readonly realm: object;
  private names = new Map<PropertyKey, PropertyDescriptor>();
  private readonly before: object | null;

  constructor(realm: object) {
    this.realm = realm;
    this.before = prototypeOf(realm);
  }

  /** Freezes what is there, when everything is. */
  freeze(): void {
    const { realm } = this;
    deleteProperty(realm, "WeakRef");
    const freezer = new Freezer(realm);
    for (const key of ownKeys(realm)) {
      const own = ownProperty(realm, key) as PropertyDescriptor;
      for (const part of [own.value, own.get, own.set] as unknown[]) freezer.freeze(part);
      this.names.set(key, bare(own));
    }
    for (const found of nameless()) freezer.freeze(found);
    freezer.freeze(this.before);
  }

  /** After a job: the global object as it was. Answers whether it is. */
  restore(): boolean {
    const { realm, names } = this;
    match(/(?:)/, "");
    for (const key of ownKeys(realm)) if (!names.has(key) && !deleteProperty(realm, key)) return false;
    for (const [key, was] of names) {
      const own = ownProperty(realm, key);
      if (own !== undefined && isSame(own, was)) continue;
      if (!tryDefine(realm, key, was)) return false;
    }
    return isExtensible(realm) && prototypeOf(realm) === this.before;
  }
}

/** With its flags: what cannot be changed any more would tell the next job of this one. */
function isSame(one: PropertyDescriptor, other: PropertyDescriptor): boolean {
  return (
    is(one.value, other.value) &&
    one.get === other.get &&
    one.set === other.set &&
    one.writable === other.writable &&
    one.enumerable === other.enumerable &&
    one.configurable === other.configurable
  );
}
