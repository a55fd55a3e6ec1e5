/**
 * Closes the realm of a job worker: what `allowed.ts` does not name is taken off the global object, what it inherits, the
 * statics of built-ins and the prototypes of the browser's classes. Runs before any code of strangers.
 *
 * The border is the opaque origin and the policy (`import()` is syntax: no deletion stops it). This is what makes a job
 * find the same everywhere, and nothing that knows the volunteer. Never adds a capability.
 */

import { ALLOWED } from "./allowed.ts";
import { apply, defineProperty, deleteProperty, ownKeys, ownProperty, prototypeOf } from "../primordials.ts";

/** What every function has. */
const OF_FUNCTIONS: readonly string[] = ["length", "name", "prototype", "arguments", "caller"];

/** Takes `key` off `holder`; what cannot be taken off is covered, unless it is a constant. Answers whether it is gone. */
function take(holder: object, key: PropertyKey): boolean {
  if (deleteProperty(holder, key)) return true;
  const own = ownProperty(holder, key);
  const { writable, value } = own ?? {};
  if (writable === true) defineProperty(holder, key, { value: undefined });
  return own === undefined || typeof value === "number";
}

class Doorman {
  private readonly symbols: ReadonlySet<PropertyKey>;
  private readonly seen = new Set<unknown>();

  constructor() {
    const symbols = (ALLOWED.get("Symbol") ?? []).map((name) => (Symbol as unknown as Record<string, unknown>)[name]);
    this.symbols = new Set(symbols.filter((symbol) => typeof symbol === "symbol"));
  }

  /** What a row names beside what needs no mention. */
  keeps(path: string, key: PropertyKey): boolean {
    if (typeof key === "symbol") return this.symbols.has(key);
    return ALLOWED.get(path)?.includes(key as string) === true;
  }

  /** Closes an object, and the built-ins that it holds. */
  shut(holder: unknown, path: string): void {
    if ((typeof holder !== "object" && typeof holder !== "function") || holder === null || this.seen.has(holder)) return;
    this.seen.add(holder);
    for (const key of ownKeys(holder)) {
      if (typeof holder === "function" && OF_FUNCTIONS.includes(key as string)) continue;
      if (!this.keeps(path, key)) take(holder, key);
      else if (typeof key === "string") this.shutStatics(ownProperty(holder, key)?.value, `${path}.${key}`);
    }
    const prototype = typeof holder === "function" ? (holder as { prototype?: object }).prototype : undefined;
    if (prototype !== undefined && ALLOWED.has(`${path}.prototype`)) this.shutPrototype(prototype, `${path}.prototype`);
  }

  /** Among what a built-in holds, only objects and classes hold something themselves. */
  private shutStatics(value: unknown, path: string): void {
    if (typeof value === "function" && ownProperty(value, "prototype") === undefined) return;
    this.shut(value, path);
  }

  private shutPrototype(prototype: object, path: string): void {
    for (const key of ownKeys(prototype)) if (key !== "constructor" && !this.keeps(path, key)) take(prototype, key);
  }

  /** Moves what stays of the inherited names onto the global object itself, which then inherits as good as nothing. */
  shutGlobal(realm: { EventTarget?: { prototype?: object } }): void {
    const names = ALLOWED.get("globalThis") ?? [];
    for (const name of names) this.settle(realm, name);
    for (const key of ownKeys(realm)) if (!names.includes(key as string) && !take(realm, key)) cover(realm, key);
    const shared = realm.EventTarget?.prototype;
    for (let holder = prototypeOf(realm); holder !== null && holder !== shared; holder = prototypeOf(holder)) {
      if (prototypeOf(holder) === null) break;
      for (const key of ownKeys(holder)) if (!take(holder, key)) cover(realm, key);
    }
    for (const name of names) if (name !== "globalThis" && name !== "self") this.shut(ownProperty(realm, name)?.value, name);
  }

  private settle(realm: object, name: string): void {
    if (!(name in realm) || "value" in (ownProperty(realm, name) ?? {})) return;
    const value = (realm as Record<string, unknown>)[name];
    defineProperty(realm, name, { value, writable: true, configurable: true, enumerable: true });
  }
}

/** Writable, so that old code with a global variable of this name goes on working. */
function cover(realm: object, key: PropertyKey): void {
  if (ownProperty(realm, key)?.configurable === false) return;
  defineProperty(realm, key, { value: undefined, writable: true, configurable: true });
}

/** Listeners on the global object would run between jobs. */
function refuseListeners(realm: { EventTarget: typeof EventTarget }): void {
  const { prototype } = realm.EventTarget;
  const listen = prototype.addEventListener;
  const wrapped = {
    addEventListener(this: unknown, ...args: Parameters<typeof listen>): void {
      if (this === undefined || this === null || this === realm) throw new TypeError("jobs cannot listen here");
      apply(listen, this, args);
    },
  };
  defineProperty(prototype, "addEventListener", { value: wrapped.addEventListener });
}

/** Takes everything off `realm` that is not on the list. */
export function shut(realm: typeof globalThis): void {
  new Doorman().shutGlobal(realm);
  refuseListeners(realm);
}
