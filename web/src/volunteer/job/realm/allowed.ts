/**
 * What a job finds around it: every name of the global object, of the statics of built-ins and of the prototypes of the
 * browser's own classes. What is not here is taken away, whatever it is called and however new it is.
 *
 * A row is a path and the names that stay there; a path without a row keeps none. `length name prototype` of functions,
 * `constructor`, constants and the symbols that the row of `Symbol` names need no mention. Tables in docs/sandbox.md and
 * docs/workflows.md are made of this text (`cargo xtask codegen`). Data only: `shut.ts` does the work.
 */

/** The rows of the language. */
export const LANGUAGE = `
globalThis: globalThis undefined NaN Infinity Object Function Array Number Boolean String Symbol BigInt Date Math JSON RegExp Proxy Reflect Promise Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError Map Set WeakMap WeakSet WeakRef Iterator DisposableStack ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array Atomics Intl Temporal WebAssembly eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
Object: assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values
Array: from fromAsync isArray of
Number: EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY isFinite isInteger isNaN isSafeInteger parseFloat parseInt
String: fromCharCode fromCodePoint raw
Symbol: asyncDispose asyncIterator dispose for hasInstance isConcatSpreadable iterator keyFor match matchAll replace search species split toPrimitive toStringTag unscopables
BigInt: asIntN asUintN
Date: UTC now parse
Math: E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 f16round floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt sumPrecise tan tanh trunc
JSON: isRawJSON parse rawJSON stringify
RegExp: $& $' $+ $1 $2 $3 $4 $5 $6 $7 $8 $9 $\` $_ escape input lastMatch lastParen leftContext rightContext
Proxy: revocable
Reflect: apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf
Promise: all allSettled any race reject resolve try withResolvers
Error: captureStackTrace isError stackTraceLimit
Map: groupBy
Iterator: concat from zip zipKeyed
ArrayBuffer: isView
Uint8Array: fromBase64 fromHex
Atomics: add and compareExchange exchange isLockFree load notify or pause store sub wait xor
Intl: Collator DateTimeFormat DisplayNames DurationFormat ListFormat Locale NumberFormat PluralRules RelativeTimeFormat Segmenter getCanonicalLocales supportedValuesOf
Intl.Collator: supportedLocalesOf
Intl.DateTimeFormat: supportedLocalesOf
Intl.DisplayNames: supportedLocalesOf
Intl.DurationFormat: supportedLocalesOf
Intl.ListFormat: supportedLocalesOf
Intl.NumberFormat: supportedLocalesOf
Intl.PluralRules: supportedLocalesOf
Intl.RelativeTimeFormat: supportedLocalesOf
Intl.Segmenter: supportedLocalesOf
Temporal: Duration Instant Now PlainDate PlainDateTime PlainMonthDay PlainTime PlainYearMonth ZonedDateTime
Temporal.Duration: compare from
Temporal.Instant: compare from fromEpochMilliseconds fromEpochNanoseconds
Temporal.Now: instant plainDateISO plainDateTimeISO plainTimeISO timeZoneId zonedDateTimeISO
Temporal.PlainDate: compare from
Temporal.PlainDateTime: compare from
Temporal.PlainMonthDay: from
Temporal.PlainTime: compare from
Temporal.PlainYearMonth: compare from
Temporal.ZonedDateTime: compare from
WebAssembly: CompileError Exception Global Instance JSTag LinkError Memory Module RuntimeError SuspendError Suspending Table Tag compile instantiate promising validate
WebAssembly.Module: customSections exports imports
`;

/** The rows of what comes from the browser and from us. */
export const AROUND = `
globalThis: self weevil console performance crypto Crypto CryptoKey SubtleCrypto TextEncoder TextDecoder structuredClone queueMicrotask setTimeout clearTimeout setInterval clearInterval atob btoa URL URLSearchParams Event EventTarget AbortController AbortSignal DOMException
weevil: flops log progress
console: assert clear count countReset debug dir dirxml error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn
performance: now timeOrigin
crypto: getRandomValues randomUUID
Crypto.prototype: getRandomValues randomUUID subtle
CryptoKey.prototype: algorithm extractable type usages
SubtleCrypto.prototype: decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey
TextEncoder.prototype: encode encodeInto encoding
TextDecoder.prototype: decode encoding fatal ignoreBOM
URL: canParse parse
URL.prototype: hash host hostname href origin password pathname port protocol search searchParams toJSON toString username
URLSearchParams.prototype: append delete entries forEach get getAll has keys set size sort toString values
EventTarget.prototype: addEventListener dispatchEvent removeEventListener
Event.prototype: bubbles cancelBubble cancelable composed composedPath currentTarget defaultPrevented eventPhase initEvent preventDefault returnValue srcElement stopImmediatePropagation stopPropagation target timeStamp type
AbortController.prototype: abort signal
AbortSignal: abort any
AbortSignal.prototype: aborted onabort reason throwIfAborted
DOMException.prototype: code message name
`;

/** Names by path. */
export type Allowed = ReadonlyMap<string, readonly string[]>;

/** All rows; those of one path are put together. */
export const ALLOWED: Allowed = read(LANGUAGE + AROUND);

function read(text: string): Allowed {
  const rows = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [path, names] = line.split(": ");
    if (path !== undefined && names !== undefined) rows.set(path, [...(rows.get(path) ?? []), ...names.split(" ")]);
  }
  return rows;
}
