/**
 * Whether a realm is *still*: whether nothing of a job can run after its result.
 *
 * A realm is still until its code can reach for something that calls back later; from then on it is loose, and proves
 * after each job that nothing is left. `import()`, which is syntax and comes back when the browser likes, cannot be
 * proved to be over: a realm whose texts may hold it is left after its job. Never interrupts a job.
 */

import {
  apply,
  bare,
  construct,
  defineProperty,
  getterOf,
  list,
  match,
  ownKeys,
  ownProperty,
  prototypeOf,
  toText,
  tryDefine,
  whenSettled,
} from "../primordials.ts";
import { Timers } from "./timers.ts";

/** What goes on by itself is waited for so long, in milliseconds. */
export const LINGER_MS = 250;
/** Between two looks at it. */
const LOOK_MS = 5;

/** Keywords cannot be spelled with escapes. */
const LATER = /\b(?:async|import)\b/;
const IMPORT = /\bimport\b/;

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Maker = (new (...args: unknown[]) => unknown) & Method;

/** Where functions inherit the four constructors that make functions of texts. */
const MAKERS = [function () {}, function* () {}, async function () {}, async function* () {}].map((made) => prototypeOf(made) as object);

export interface Surroundings {
  /** Milliseconds. */
  readonly now: () => number;
  /** Resolves after that many milliseconds, or a little later. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Resolves once everything that waits for the event loop now has had its turn. */
  readonly turn: () => Promise<void>;
  /** Is there memory for a further job? Without it there always is. */
  readonly enough?: () => boolean;
}

export class Stillness {
  private readonly around: Surroundings;
  private timers: Timers | undefined;
  private isLoose = false;
  private isUnproved = false;
  private pending = 0;

  constructor(around: Surroundings) {
    this.around = around;
  }

  /** Can something in this realm run later? Once true it stays so. */
  get loose(): boolean {
    return this.isLoose;
  }

  /** Something has been reached that can call back later. */
  readonly loosen = (): void => {
    this.isLoose = true;
  };

  /** A text that will run here. */
  readonly reads = (text: string): void => {
    if (match(LATER, text) !== null) this.isLoose = true;
    if (match(IMPORT, text) !== null) this.isUnproved = true;
  };

  /** A job begins: it may set timers. */
  begin(): void {
    this.timers?.open();
  }

  /** Something goes on until this promise is kept or broken. */
  hold(promise: unknown): void {
    this.pending += 1;
    const over = (): void => {
      this.pending -= 1;
    };
    whenSettled(promise, over, over);
  }

  /** Ends what a job has left behind, as far as that can be. Answers whether nothing of it is left. */
  async settle(): Promise<boolean> {
    this.timers?.close();
    const until = this.around.now() + LINGER_MS;
    await this.around.turn();
    while (this.pending > 0 && this.around.now() < until) await this.around.sleep(LOOK_MS);
    return this.pending === 0 && !this.isUnproved && this.around.enough?.() !== false;
  }

  /** Puts a note at every door to later. What stands behind it is what was there before. */
  guard(realm: typeof globalThis, makers: readonly object[] = MAKERS): void {
    // What stands behind the doors is looked at before they are there.
    this.guardCrypto(realm);
    this.holdAll(realm.WebAssembly, ["compile", "instantiate"]);
    this.guardMakers(realm, makers);
    this.timers = new Timers(realm, this.reads);
    const { names } = this.timers;
    for (const name of ["clearTimeout", "clearInterval"] as const) defineProperty(realm, name, { value: names[name] });
    for (const name of ["setTimeout", "setInterval"] as const) this.door(realm, name, names[name]);
    for (const name of ["Promise", "queueMicrotask", "WebAssembly"] as const) this.door(realm, name, realm[name]);
    this.door(realm, "eval", realm.eval, () => {
      this.isUnproved = true;
    });
    this.door(realm.Array, "fromAsync", (realm.Array as { fromAsync?: unknown }).fromAsync);
  }

  /** An accessor that notes that somebody came, and then gives way to a plain property. */
  private door(holder: object, name: PropertyKey, value: unknown, reached = this.loosen): void {
    const { enumerable = false } = ownProperty(holder, name) ?? {};
    if (value === undefined) return;
    const { loosen } = this;
    const plain = bare({ value, writable: true, configurable: true, enumerable });
    const get = (): unknown => {
      loosen();
      reached();
      if (ownProperty(holder, name)?.get === get) tryDefine(holder, name, plain);
      return value;
    };
    const set = function (this: unknown, given: unknown): void {
      const isObject = (typeof this === "object" && this !== null) || typeof this === "function";
      if (isObject) defineProperty(this, name, bare({ ...plain, value: given, enumerable: this === holder ? enumerable : true }));
    };
    defineProperty(holder, name, { get, set, configurable: true, enumerable });
  }

  private guardMakers(realm: typeof globalThis, makers: readonly object[]): void {
    const { prototype: ofAll } = realm.Function;
    for (const prototype of makers) {
      const told = this.toldTexts((prototype as { constructor: Maker }).constructor);
      this.door(prototype, "constructor", told);
      if (prototype === ofAll) this.door(realm, "Function", told);
    }
  }

  /** The same constructor, but what it is given is read first. */
  private toldTexts(Real: Maker): Maker {
    const texts = (args: readonly unknown[]): string[] => {
      const made = list<string>();
      for (let index = 0; index < args.length; index++) this.reads((made[index] = toText(args[index])));
      return made;
    };
    const told: Maker = new Proxy(Real, {
      apply: (target, self, args: unknown[]) => apply(target as Method, self, texts(args)),
      construct: (target, args: unknown[], by) => construct(target, texts(args), by === told ? target : by) as object,
    });
    return told;
  }

  private guardCrypto({ Crypto, SubtleCrypto }: typeof globalThis): void {
    if (Crypto === undefined || SubtleCrypto === undefined) return;
    const subtleOf = getterOf<unknown, SubtleCrypto>(Crypto.prototype, "subtle");
    const { loosen } = this;
    defineProperty(Crypto.prototype, "subtle", {
      get(this: unknown) {
        loosen();
        return subtleOf(this);
      },
      configurable: true,
      enumerable: true,
    });
    this.holdAll(SubtleCrypto.prototype, ownKeys(SubtleCrypto.prototype));
  }

  /** Methods that give promises: what they have begun is waited for. */
  private holdAll(holder: object, names: readonly PropertyKey[]): void {
    const hold = this.hold.bind(this);
    const { loosen } = this;
    for (const name of names) {
      const old = ownProperty(holder, name)?.value as unknown;
      if (typeof old !== "function" || name === "constructor") continue;
      const held = {
        [name](this: unknown, ...args: unknown[]): unknown {
          loosen();
          const promise = apply(old as Method, this, args);
          hold(promise);
          return promise;
        },
      };
      defineProperty(holder, name, { value: held[name as string] });
    }
  }
}
