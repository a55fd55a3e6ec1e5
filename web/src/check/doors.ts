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
  { id: "fetch", title: "fetch", tries: "asks this server for a page", code: "await fetch(origin + '/healthz', { mode: 'no-cors' })" },
  {
    id: "xhr",
    title: "XMLHttpRequest",
    tries: "asks this server for a page the old way",
    code: "var x = new XMLHttpRequest(); x.open('GET', origin + '/healthz', false); x.send()",
  },
  {
    id: "webSocket",
    title: "WebSocket",
    tries: "opens a connection to this server",
    code: either("new WebSocket(origin.replace('http', 'ws') + '/ws/v1')", "open", "error"),
  },
  {
    id: "webTransport",
    title: "WebTransport",
    tries: "opens a connection over HTTP/3",
    needs: "WebTransport",
    code: "await new WebTransport('https://' + host + '/').ready",
  },
  {
    id: "eventSource",
    title: "EventSource",
    tries: "listens to this server's events",
    code: either("new EventSource(origin + '/api/v1/events')", "open", "error"),
  },
  {
    id: "sendBeacon",
    title: "sendBeacon",
    tries: "sends a beacon",
    needs: "navigator.sendBeacon",
    code: "if (!navigator.sendBeacon(origin + '/healthz', 'x')) throw new Error('refused')",
  },
  {
    id: "rtc",
    title: "RTCPeerConnection",
    tries: "asks for a direct line to another computer",
    needs: "RTCPeerConnection",
    code: "await new RTCPeerConnection().createOffer({ offerToReceiveAudio: true })",
  },
];

const SCRIPTS: readonly Door[] = [
  { id: "importHttp", title: "import() from the network", tries: "loads a script as a module", code: "await import(origin + '/check-target.js')" },
  { id: "importData", title: "import() of a data: address", tries: "loads a module from text", code: "await import('data:text/javascript,export default 1')" },
  {
    id: "importBlob",
    title: "import() of a blob: address",
    tries: "loads a module from memory",
    code: "await import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' })))",
  },
  { id: "importScripts", title: "importScripts", tries: "loads a script", code: "importScripts(origin + '/check-target.js')" },
  { id: "importScriptsData", title: "importScripts of a data: address", tries: "loads a script from text", code: "importScripts('data:text/javascript,0')" },
  {
    id: "nestedWorker",
    title: "Worker",
    tries: "starts a worker of its own, without the runtime around it",
    code: either("new Worker('data:text/javascript,postMessage(1)')", "message", "error"),
  },
  {
    id: "sharedWorker",
    title: "SharedWorker",
    tries: "starts a worker that other tabs could share",
    needs: "SharedWorker",
    code: either("new SharedWorker('data:text/javascript,onconnect=function(e){e.ports[0].postMessage(1)}').port", "message", "messageerror"),
  },
];

const STORAGE: readonly Door[] = [
  { id: "cookies", title: "Cookies", tries: "reads this site's cookies", code: "typeof document === 'object' ? document.cookie : await cookieStore.getAll()" },
  { id: "localStorage", title: "localStorage", tries: "reads what pages have stored", code: "localStorage.length" },
  { id: "sessionStorage", title: "sessionStorage", tries: "reads what this tab has stored", code: "sessionStorage.length" },
  { id: "indexedDb", title: "IndexedDB", tries: "opens a database", code: either("indexedDB.open('weevil-check')", "success", "error") },
  { id: "caches", title: "Caches", tries: "opens a cache", needs: "caches", code: "await caches.open('weevil-check')" },
  {
    id: "opfs",
    title: "Private file system",
    tries: "opens the folder that sites can have",
    needs: "navigator.storage.getDirectory",
    code: "await navigator.storage.getDirectory()",
  },
  {
    id: "broadcastChannel",
    title: "BroadcastChannel",
    tries: "speaks to other tabs",
    needs: "BroadcastChannel",
    code: "new BroadcastChannel('weevil-check').postMessage(1)",
  },
  { id: "locks", title: "Web Locks", tries: "takes a lock that other tabs see", needs: "navigator.locks", code: "await navigator.locks.query()" },
];

const PAGE: readonly Door[] = [
  { id: "document", title: "The page's document", tries: "reads the page around it", code: "(typeof document === 'object' ? document : parent.document).title" },
  { id: "opener", title: "Windows", tries: "opens a window", code: "if (!open(origin)) throw new Error('refused')" },
  { id: "notification", title: "Notifications", tries: "shows a notification", needs: "Notification", code: "new Notification('weevil')" },
  { id: "permissions", title: "Permissions", tries: "asks what this site may do", needs: "navigator.permissions", code: "await navigator.permissions.query({ name: 'geolocation' })" },
];

export const DOORS: readonly Door[] = [...NETWORK, ...SCRIPTS, ...STORAGE, ...PAGE];

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
