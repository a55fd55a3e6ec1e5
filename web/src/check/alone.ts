/**
 * Probes that one job makes by looking around: what was taken away and might be found again, where the frame could be
 * led, whom it could speak to. Only texts; each answers the list of what it reached.
 */

import type { Described } from "./probe.ts";

export interface Look extends Described {
  /** Job code whose `weevil_main(host, origin)` answers the names of what it reached. */
  readonly code: string;
}

/** Names of a worker's realm that reach outside it. */
const NAMES = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebTransport",
  "EventSource",
  "Worker",
  "SharedWorker",
  "importScripts",
  "BroadcastChannel",
  "indexedDB",
  "caches",
  "cookieStore",
  "postMessage",
  "close",
  "RTCPeerConnection",
];

const RESTORED = `function weevil_main() {
  var names = ${JSON.stringify(NAMES)}, found = []
  var realms = [self, globalThis, Function('return this')(), (0, eval)('this')]
  for (var realm of realms)
    for (var holder = realm; holder; holder = Object.getPrototypeOf(holder))
      for (var name of names) {
        var own = Object.getOwnPropertyDescriptor(holder, name)
        if (own && (own.value !== undefined || own.get)) found.push(name)
        if (holder.constructor && typeof holder.constructor[name] === 'function') found.push('constructor.' + name)
      }
  for (var name of names) {
    delete self[name]
    if (typeof self[name] !== 'undefined') found.push('deleted ' + name)
  }
  if (typeof ShadowRealm === 'function') {
    var inner = new ShadowRealm()
    for (var name of names) if (inner.evaluate('typeof ' + name) !== 'undefined') found.push('ShadowRealm ' + name)
  }
  return Array.from(new Set(found))
}`;

const NAVIGATION = `async function weevil_main(host, origin) {
  var here = function () { return typeof location === 'object' ? String(location) : '' }
  var before = here(), reached = []
  var ways = [
    function () { location = origin + '/?led-away' },
    function () { location.href = origin + '/?led-away' },
    function () { location.assign(origin + '/?led-away') },
    function () { location.replace(origin + '/?led-away') },
    function () { parent.location = origin + '/?led-away' },
    function () { top.location.href = origin + '/?led-away' },
    function () { open(origin, '_top') },
    function () { clients.openWindow(origin) },
    function () { document.forms[0].submit() },
    function () { history.back() },
  ]
  for (var way of ways) try { way() } catch (closed) { }
  if (here() !== before) reached.push(here())
  return reached
}`;

const POST_MESSAGE = `function weevil_main() {
  var reached = []
  for (var name of ['postMessage', 'parent', 'top', 'opener', 'frames', 'window'])
    if (typeof self[name] !== 'undefined' && self[name] !== undefined) reached.push(name)
  var message = { kind: 'ready', weevil: 'from a job' }
  var ways = [
    function () { self.postMessage(message) },
    function () { parent.postMessage(message, '*') },
    function () { DedicatedWorkerGlobalScope.prototype.postMessage.call(self, message) },
    function () { MessagePort.prototype.postMessage.call(self, message) },
  ]
  for (var way of ways) try { way(); reached.push(String(way)) } catch (closed) { }
  return reached
}`;

/** Everything that the runtime might call is replaced by a listener for ports, then the runtime is made to work. */
const PORT = `async function weevil_main() {
  var caught = []
  function see(what, where) {
    try { if (what instanceof MessagePort || (what && what.ports && what.ports.length)) caught.push(where) } catch (x) { }
  }
  function spy(holder, name, where) {
    try {
      var own = Object.getOwnPropertyDescriptor(holder, name), old = own.value || own.get
      if (typeof old !== 'function') return
      var put = function () {
        see(this, where)
        for (var i = 0; i < arguments.length; i++) see(arguments[i], where)
        var out = old.apply(this, arguments)
        see(out, where)
        return out
      }
      if (own.value) holder[name] = put
      else Object.defineProperty(holder, name, { get: put, configurable: true })
    } catch (x) { }
  }
  if (typeof MessagePort === 'function') spy(MessagePort.prototype, 'postMessage', 'postMessage')
  if (typeof MessageEvent === 'function') for (var name of ['ports', 'data', 'source']) spy(MessageEvent.prototype, name, name)
  for (var name of ['target', 'currentTarget', 'srcElement']) spy(Event.prototype, name, name)
  for (var name of ['addEventListener', 'dispatchEvent']) spy(EventTarget.prototype, name, name)
  for (var name of ['then', 'finally']) spy(Promise.prototype, name, name)
  var mine = Error.prepareStackTrace
  Error.prepareStackTrace = function (error, sites) {
    for (var site of sites) { see(site.getThis(), 'stack'); see(site.getFunction(), 'stack') }
    return ''
  }
  try { weevil.progress(0.5); weevil.progress({ valueOf: function () { return new Error().stack } }) } catch (x) { }
  String(new Error().stack)
  await new Promise(function (ok) { setTimeout(ok, 20) })
  Error.prepareStackTrace = mine
  for (var f = weevil_main, i = 0; i < 20; i++) try { f = f.caller; see(f && f.arguments && f.arguments[0], 'caller') } catch (x) { break }
  for (var name of Object.getOwnPropertyNames(self)) try { see(self[name], name) } catch (x) { }
  return Array.from(new Set(caught))
}`;

/** Names that tell this browser, its fonts, its pictures or its hardware from others. */
const TELLING = [
  "navigator",
  "location",
  "OffscreenCanvas",
  "createImageBitmap",
  "ImageData",
  "FontFace",
  "fonts",
  "VideoDecoder",
  "VideoEncoder",
  "AudioDecoder",
  "ImageDecoder",
  "MediaSource",
  "MediaCapabilities",
  "WebGLRenderingContext",
  "GPU",
  "Blob",
  "File",
  "FileReader",
  "Performance",
  "PerformanceObserver",
  "PressureObserver",
  "ReportingObserver",
  "Response",
  "isSecureContext",
  "crossOriginIsolated",
  "SharedArrayBuffer",
  "FinalizationRegistry",
  "MessageChannel",
  "scheduler",
  "name",
];

const FINGERPRINT = `function weevil_main() {
  var names = ${JSON.stringify(TELLING)}
  return names.filter(function (name) { return typeof self[name] !== 'undefined' || name in self && self[name] !== undefined })
}`;

const LOCALE = `function weevil_main() {
  var seen = {
    offset: new Date(2013, 0).getTimezoneOffset() || new Date(2013, 6).getTimezoneOffset(),
    text: String(new Date(0)).indexOf('00:00:00 GMT+0000') < 0,
    parsed: Date.parse('2013-07-01T00:00') !== Date.UTC(2013, 6, 1) || Date.parse('Jul 1 2013') !== Date.UTC(2013, 6, 1),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone !== 'UTC',
    number: (1234.5).toLocaleString() !== '1,234.5',
  }
  for (var kind of ['Collator', 'NumberFormat', 'DateTimeFormat', 'PluralRules', 'Segmenter'])
    for (var asked of [undefined, [], 'tlh']) if (new Intl[kind](asked).resolvedOptions().locale !== 'en') seen[kind] = true
  return Object.keys(seen).filter(function (way) { return seen[way] })
}`;

export const LOOKS: readonly Look[] = [
  { id: "restored", code: RESTORED },
  { id: "fingerprint", code: FINGERPRINT },
  { id: "locale", code: LOCALE },
  { id: "navigation", code: NAVIGATION },
  { id: "postMessage", code: POST_MESSAGE },
  { id: "port", code: PORT },
];
