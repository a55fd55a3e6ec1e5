/**
 * What a job finds around it, and what it does not: a second line of defence behind the sandbox's CSP.
 *
 * The border is the opaque origin and the CSP (`import()` is syntax: no deletion stops it). This only makes the closed
 * doors look closed, and keeps job code from talking to the frame by `postMessage`.
 */

import type { JobLog } from "./log.ts";
import { arrayIterator, defineProperty, prototypeOf } from "./primordials.ts";

const CLOSED: readonly string[] = [
  "fetch",
  "fetchLater",
  "XMLHttpRequest",
  "XMLHttpRequestEventTarget",
  "XMLHttpRequestUpload",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "EventSource",
  "RTCPeerConnection",
  "RTCDataChannel",
  "importScripts",
  "Worker",
  "SharedWorker",
  "BroadcastChannel",
  "Notification",
  "indexedDB",
  "caches",
  "cookieStore",
  "localStorage",
  "sessionStorage",
  "webkitRequestFileSystem",
  "webkitRequestFileSystemSync",
  "webkitResolveLocalFileSystemURL",
  "webkitResolveLocalFileSystemSyncURL",
  "postMessage",
  "close",
  "onmessage",
  "onmessageerror",
  "onrtctransform",
  // Each tells the time, finer than a job's clock.
  "PerformanceObserver",
  "PerformanceEntry",
  "PerformanceMark",
  "PerformanceMeasure",
  "requestAnimationFrame",
  "cancelAnimationFrame",
];

const CLOSED_ON_PERFORMANCE: readonly string[] = [
  "mark",
  "measure",
  "getEntries",
  "getEntriesByName",
  "getEntriesByType",
  "toJSON",
];

const CLOSED_ON_NAVIGATOR: readonly string[] = [
  "storage",
  "storageBuckets",
  "serviceWorker",
  "sendBeacon",
  "locks",
  "permissions",
  "connection",
  // Until the first GPU job, which comes only where the volunteer lends it: see `gpu-jobs.ts`.
  "gpu",
  "usb",
  "serial",
  "hid",
];

/** Removes every name from `target` and the prototypes it inherits from. */
export function closeDoors(target: object, names: readonly string[]): void {
  for (const name of names) closeDoor(target, name);
}

function closeDoor(target: object, name: string): void {
  for (let holder: object | null = target; holder !== null; holder = prototypeOf(holder)) {
    Reflect.deleteProperty(holder, name);
  }
  if (!(name in target)) return;
  // Writable, so that old code with a global variable of this name goes on working.
  defineProperty(target, name, { value: undefined, writable: true, configurable: true });
}

export interface JobGlobals {
  readonly random: () => number;
  readonly flops: (count: unknown) => void;
  readonly progress: (done: unknown) => void;
  readonly log: Pick<JobLog, "log" | "warn" | "error">;
}

/** Jobs find a console that tells the server; the volunteer's own stays calm, and out of their reach. */
export function relayConsole(realm: { console: object }, { log, warn, error }: JobGlobals["log"]): void {
  const relay: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(realm.console))) {
    if (typeof value.value === "function") relay[name] = () => undefined;
  }
  Object.assign(relay, { log, info: log, debug: log, warn, error });
  defineProperty(realm, "console", { value: relay, writable: true, configurable: true });
}

/**
 * Pins what the runtime's own lists and promises go through, and job code has no reason to change: arrays are gone
 * through when buffers change hands, and `await` reads `constructor` off a promise.
 */
function pin(realm: typeof globalThis): void {
  Object.freeze(arrayIterator);
  const { Promise: built } = realm;
  defineProperty(built.prototype, "constructor", { value: built, writable: false, configurable: false });
}

/** Closes the doors of the worker's realm and sets up what the language of jobs promises. */
export function prepareRealm(realm: typeof globalThis & { navigator?: object }, globals: JobGlobals): void {
  closeDoors(realm, CLOSED);
  if (realm.navigator !== undefined) closeDoors(realm.navigator, CLOSED_ON_NAVIGATOR);
  closeDoors(realm.performance, CLOSED_ON_PERFORMANCE);
  pin(realm);
  Math.random = globals.random;
  relayConsole(realm, globals.log);
  const weevil = Object.freeze({ flops: globals.flops, progress: globals.progress, log: globals.log.log });
  defineProperty(realm, "weevil", { value: weevil, enumerable: true });
}
