/**
 * The doors that one job alone can try: each a text of job code that ends where the door is open and throws where it
 * is closed. `host` is the server's host and port, and `origin` its address with scheme.
 *
 * Only texts: they run in job workers, never here.
 */

import type { Described } from "./probe.ts";

export interface Door extends Described {
  /** A path on the page's global object; where it is missing, the browser does not have it. */
  readonly needs?: string;
  readonly code: string;
}

/** Waits for the first of two events. */
function either(made: string, good: string, bad: string): string {
  return `await new Promise(function (ok, no) { var it = ${made}; it.on${good} = ok; it.on${bad} = function () { no(new Error("refused")) } })`;
}

const NETWORK: readonly Door[] = [
  { id: "fetch", code: "await fetch(origin + '/healthz', { mode: 'no-cors' })" },
  {
    id: "xhr",
    code: "var x = new XMLHttpRequest(); x.open('GET', origin + '/healthz', false); x.send()",
  },
  {
    id: "webSocket",
    code: either("new WebSocket(origin.replace('http', 'ws') + '/ws/v1')", "open", "error"),
  },
  {
    id: "webTransport",
    needs: "WebTransport",
    code: "await new WebTransport('https://' + host + '/').ready",
  },
  {
    id: "eventSource",
    code: either("new EventSource(origin + '/check-target.events')", "open", "error"),
  },
  {
    id: "sendBeacon",
    needs: "navigator.sendBeacon",
    code: "if (!navigator.sendBeacon(origin + '/healthz', 'x')) throw new Error('refused')",
  },
  {
    id: "rtc",
    needs: "RTCPeerConnection",
    code: "await new RTCPeerConnection().createOffer({ offerToReceiveAudio: true })",
  },
];

const SCRIPTS: readonly Door[] = [
  { id: "importHttp", code: "await import(origin + '/check-target.js')" },
  { id: "importData", code: "await import('data:text/javascript,export default 1')" },
  {
    id: "importBlob",
    code: "await import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' })))",
  },
  { id: "importScripts", code: "importScripts(origin + '/check-target.js')" },
  { id: "importScriptsData", code: "importScripts('data:text/javascript,0')" },
  {
    id: "nestedWorker",
    code: either("new Worker('data:text/javascript,postMessage(1)')", "message", "error"),
  },
  {
    id: "sharedWorker",
    needs: "SharedWorker",
    code: either(
      "new SharedWorker('data:text/javascript,onconnect=function(e){e.ports[0].postMessage(1)}').port",
      "message",
      "messageerror",
    ),
  },
];

const STORAGE: readonly Door[] = [
  { id: "cookies", code: "typeof document === 'object' ? document.cookie : await cookieStore.getAll()" },
  { id: "localStorage", code: "localStorage.length" },
  { id: "sessionStorage", code: "sessionStorage.length" },
  { id: "indexedDb", code: either("indexedDB.open('weevil-check')", "success", "error") },
  { id: "caches", needs: "caches", code: "await caches.open('weevil-check')" },
  {
    id: "opfs",
    needs: "navigator.storage.getDirectory",
    code: "await navigator.storage.getDirectory()",
  },
  {
    id: "broadcastChannel",
    needs: "BroadcastChannel",
    code: "new BroadcastChannel('weevil-check').postMessage(1)",
  },
  { id: "locks", needs: "navigator.locks", code: "await navigator.locks.query()" },
];

const PAGE: readonly Door[] = [
  { id: "document", code: "(typeof document === 'object' ? document : parent.document).title" },
  { id: "opener", code: "if (!open(origin)) throw new Error('refused')" },
  { id: "notification", needs: "Notification", code: "new Notification('weevil')" },
  { id: "permissions", needs: "navigator.permissions", code: "await navigator.permissions.query({ name: 'geolocation' })" },
];

const RUNTIME: readonly Door[] = [
  {
    id: "fineClock",
    code: `var clocks = [
      function () { return performance.now() },
      function () { return Performance.prototype.now.call(performance) },
      function () { return Object.getPrototypeOf(performance).now.call(performance) },
      function () { return new Event('x').timeStamp },
      function () { return new PerformanceMark('x').startTime },
      function () { return performance.mark('x').startTime },
      function () { return performance.toJSON().now },
    ]
    for (var clock of clocks) for (var end = Date.now() + 20; Date.now() < end;) {
      try { if (clock() % 1) return } catch (closed) { break }
    }
    throw new Error('whole milliseconds only')`,
  },
  {
    id: "rawGpu",
    needs: "navigator.gpu",
    code: "if (!await navigator.gpu.requestAdapter()) throw new Error('refused')",
  },
  {
    id: "memory",
    code: `var kept = [], pages = 0
    for (var at = 0; at < 40; at++) {
      kept.push(new WebAssembly.Memory({ initial: 1, maximum: 16384 }))
      pages += 16384
      if (pages > 16384) return
    }`,
  },
];

export const DOORS: readonly Door[] = [...NETWORK, ...SCRIPTS, ...STORAGE, ...PAGE, ...RUNTIME];

/**
 * Job code that tries a door in three ways: written out, through `eval`, and through `Function`.
 *
 * Answers the ways that went through, and what stopped the others.
 */
export function jobCode(code: string): string {
  const text = JSON.stringify(`return (async function () { ${code} })()`);
  return `async function weevil_main(host, origin) {
  var text = ${text}
  var ways = {
    directly: async function () { ${code} },
    'through eval': function () { return (0, eval)('(function (host, origin) {' + text + '})')(host, origin) },
    'through Function': function () { return Function('host', 'origin', text)(host, origin) },
  }
  var reached = [], why = ''
  for (var way of Object.keys(ways)) {
    try {
      await Promise.race([ways[way](), new Promise(function (_, no) { setTimeout(no, 1500, new Error('no answer')) })])
      reached.push(way)
    } catch (problem) { why = String(problem) }
  }
  return { reached: reached, why: why }
}`;
}
