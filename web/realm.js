"use strict";var weevil = (function(exports) {
	Object.defineProperty(exports, Symbol.toStringTag, { value: "Module" });
	// src/volunteer/job/primordials.ts
	/**
	* The built-ins that the runtime needs while strangers' code shares its realm, taken before that code runs.
	*
	* Guards the runtime from code that replaces `Object.keys` or patches a prototype, by accident or not. Never changes a
	* built-in itself.
	*/
	/** Turns a method into a function that takes its `this` first. */
	function uncurry(method) {
		return Function.prototype.call.bind(method);
	}
	/** The getter of a property that a prototype defines, as a function of the object. */
	function getterOf(prototype, name) {
		const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get;
		return getter === void 0 ? (self) => Reflect.get(self, name) : uncurry(getter);
	}
	var encoder = new TextEncoder();
	var decoder = new TextDecoder("utf-8", {
		fatal: true,
		ignoreBOM: true
	});
	var typedArray = Object.getPrototypeOf(Uint8Array.prototype);
	Array.isArray;
	ArrayBuffer.isView;
	Number.isSafeInteger;
	var prototypeOf = Object.getPrototypeOf;
	var defineProperty = Object.defineProperty;
	var ownProperty = Object.getOwnPropertyDescriptor;
	uncurry(Object.prototype.hasOwnProperty);
	var deleteProperty = Reflect.deleteProperty;
	var ownKeys = Reflect.ownKeys;
	var construct = Reflect.construct;
	var apply = Reflect.apply;
	var toText = String;
	Error.prototype;
	uncurry(Date.prototype.toISOString);
	encoder.encodeInto.bind(encoder);
	decoder.decode.bind(decoder);
	String.fromCharCode;
	uncurry(String.prototype.charCodeAt);
	uncurry(String.prototype.slice);
	uncurry(String.prototype.replace);
	/** The match, or null; `pattern` has no flags that keep a place. */
	var match = uncurry(RegExp.prototype.exec);
	uncurry(Object.prototype.toString);
	uncurry(Uint8Array.prototype.slice);
	uncurry(Uint8Array.prototype.set);
	uncurry(Uint8Array.prototype.copyWithin);
	uncurry(Uint8Array.prototype.subarray);
	getterOf(typedArray, Symbol.toStringTag);
	getterOf(typedArray, "length");
	getterOf(typedArray, "buffer");
	getterOf(typedArray, "byteOffset");
	getterOf(typedArray, "byteLength");
	uncurry(DataView.prototype.setFloat64);
	var whenSettled = uncurry(Promise.prototype.then);
	var addTo = uncurry(Set.prototype.add);
	var isIn = uncurry(Set.prototype.has);
	var removeFrom = uncurry(Set.prototype.delete);
	var forEachIn = uncurry(Set.prototype.forEach);
	var setPrototype = Object.setPrototypeOf;
	/** What lists inherit: the way to go through them, and nothing that could be replaced. */
	var listPrototype = Object.freeze(Object.assign(Object.create(null), { [Symbol.iterator]: Array.prototype.values }));
	/** What goes through an array, for `prepareRealm` to freeze. */
	var arrayIterator = Object.getPrototypeOf([][Symbol.iterator]());
	/** An array for the runtime itself: no setter on `Array.prototype` sees, changes or swallows what is put in. */
	function list() {
		return setPrototype([], listPrototype);
	}
	/** 2013-01-01T00:00:00Z, the year of the first WeevilScout: when deterministic jobs run. */
	var MOMENT_MS = 13569984e5;
	var LANGUAGE$1 = "en";
	var floor = Math.floor;
	var coarse = (ms) => floor(ms / 1) * 1;
	/** What jobs are told of the time: it goes on, or stands still for good once `stand` was called. */
	var JobClock = class {
		dateNow;
		fine;
		begun;
		standing = false;
		constructor({ Date: { now }, performance }) {
			this.dateNow = now;
			this.fine = performance.now.bind(performance);
			this.begun = performance.timeOrigin;
		}
		stand(standing = true) {
			this.standing = standing;
		}
		/** Milliseconds since 1970. */
		now = () => this.standing ? MOMENT_MS : this.dateNow();
		/** Whole milliseconds since the job worker began. */
		since = () => this.coarse(this.fine());
		/** What a finer clock said, as jobs may know it. */
		coarse = (ms) => this.standing ? 0 : coarse(ms);
		/** When `since` was 0, in whole milliseconds since 1970. */
		origin() {
			return this.standing ? MOMENT_MS : coarse(this.begun);
		}
	};
	function put(target, name, value) {
		defineProperty(target, name, {
			value,
			writable: true,
			configurable: true,
			enumerable: ownProperty(target, name)?.enumerable ?? false
		});
	}
	/** Puts `make(old)` in the place of a method, under its name. */
	function wrap(holder, name, make) {
		const old = holder === void 0 ? void 0 : ownProperty(holder, name)?.value;
		if (typeof old === "function") put(holder, name, make(old));
	}
	function speaker({ getCanonicalLocales }) {
		return (locales) => locales === void 0 ? LANGUAGE$1 : [...getCanonicalLocales(locales), LANGUAGE$1];
	}
	/** Options whose zone is UTC unless they name one. */
	function zoned(options) {
		if (options === void 0) return { timeZone: "UTC" };
		if (typeof options !== "object" || options === null) return options;
		const copy = Object.create(options);
		if (copy["timeZone"] === void 0) defineProperty(copy, "timeZone", {
			value: "UTC",
			enumerable: true
		});
		return copy;
	}
	/** ECMAScript's own form without a zone, which is local time there. */
	var LOCAL_ISO = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/;
	/** A zone in any other form: a name, an offset behind a time, or a word in parentheses. */
	var ZONE = /\b(?:UTC?|GMT|[ECMP][SD]T)\b|\d\s*Z\b|:\d\d(?:\.\d+)?\s*[+-]\s*\d|\(/i;
	/** A date alone, which is UTC already. */
	var DAY = /^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}$/;
	/** `Date.parse` for volunteers in Greenwich. */
	function parser(parse) {
		return (given) => {
			const text = String(given);
			if (LOCAL_ISO.test(text)) return parse(`${text}Z`);
			return DAY.test(text) || ZONE.test(text) ? parse(text) : parse(`${text} UTC`);
		};
	}
	var LOCAL_PARTS = [
		"Date",
		"Day",
		"FullYear",
		"Hours",
		"Milliseconds",
		"Minutes",
		"Month",
		"Seconds"
	];
	/** Local time is UTC: the methods are those of UTC. */
	function localIsUtc(prototype) {
		for (const part of LOCAL_PARTS) {
			put(prototype, `get${part}`, prototype[`getUTC${part}`]);
			if (part !== "Day") put(prototype, `set${part}`, prototype[`setUTC${part}`]);
		}
		const { getUTCFullYear, setUTCFullYear, toUTCString, getTime } = prototype;
		const dayOf = (date) => {
			const [name, day, month, ...rest] = apply(toUTCString, date, []).split(" ");
			return `${name?.slice(0, -1)} ${month} ${day} ${rest[0]}`;
		};
		const timeOf = (date) => {
			const parts = apply(toUTCString, date, []).split(" ");
			return `${parts[parts.length - 2]} GMT+0000 (Coordinated Universal Time)`;
		};
		const said = (text) => function() {
			const date = this;
			return Number.isNaN(apply(getTime, date, [])) ? "Invalid Date" : text(date);
		};
		const methods = {
			toString: said((date) => `${dayOf(date)} ${timeOf(date)}`),
			toDateString: said(dayOf),
			toTimeString: said(timeOf),
			getTimezoneOffset() {
				return Number.isNaN(apply(getTime, this, [])) ? NaN : 0;
			},
			getYear() {
				return apply(getUTCFullYear, this, []) - 1900;
			},
			setYear(given) {
				const year = Math.trunc(Number(given));
				return apply(setUTCFullYear, this, [year >= 0 && year <= 99 ? 1900 + year : year]);
			}
		};
		for (const name of ownKeys(methods)) put(prototype, name, methods[name]);
	}
	/** As `Date`, in UTC, told the time by `now`. */
	function dateOf(Real, now) {
		const parse = parser(Real.parse);
		const { UTC } = Real;
		const { toString } = Real.prototype;
		const timeOf = getTimeOf(Real);
		const moment = (args) => {
			if (args.length === 0) return now();
			if (args.length > 1) return apply(UTC, void 0, args);
			const [given] = args;
			const time = timeOf(given);
			if (time !== void 0) return time;
			const plain = typeof given === "object" && given !== null ? primitive(given) : given;
			return typeof plain === "string" ? parse(plain) : Number(plain);
		};
		function Told(...args) {
			if (new.target === void 0) return apply(toString, new Real(now()), []);
			return construct(Real, [moment(args)], new.target);
		}
		Told.prototype = Real.prototype;
		defineProperty(Told, "prototype", { writable: false });
		for (const [name, value] of Object.entries({
			now,
			parse,
			UTC
		})) put(Told, name, value);
		defineProperty(Told, "name", { value: "Date" });
		defineProperty(Told, "length", { value: Real.length });
		put(Real.prototype, "constructor", Told);
		return Told;
	}
	/** The time inside a date of any realm's; nothing where it is no date. */
	function getTimeOf({ prototype }) {
		const { getTime } = prototype;
		return (value) => {
			try {
				return apply(getTime, value, []);
			} catch {
				return;
			}
		};
	}
	/** What `new Date` makes of an object before it looks at its kind. */
	function primitive(value) {
		const convert = value[Symbol.toPrimitive];
		if (typeof convert === "function") return apply(convert, value, ["default"]);
		for (const name of ["valueOf", "toString"]) {
			const plain = value[name]();
			if (typeof plain !== "object" || plain === null) return plain;
		}
		throw new TypeError("Cannot convert object to primitive value");
	}
	/** Everything that goes by the volunteer's language or zone where nobody names one. */
	function sameEverywhere(realm) {
		const { Intl } = realm;
		const spoken = speaker(realm.Intl);
		for (const name of ownKeys(Intl)) {
			const Real = Intl[name];
			if (typeof Real !== "function" || name === "Locale" || !("prototype" in Real)) continue;
			const settled = (args) => [spoken(args[0]), name === "DateTimeFormat" ? zoned(args[1]) : args[1]];
			const Told = new Proxy(Real, {
				construct: (target, args, made) => construct(target, settled(args), made),
				apply: (target, self, args) => apply(target, self, settled(args))
			});
			put(Intl, name, Told);
			put(Real.prototype, "constructor", Told);
		}
		speak(realm, spoken);
	}
	/** Methods that take locales first, and those that take options with a zone behind them. */
	function speak(realm, spoken) {
		const said = (old) => function(locales, options) {
			return apply(old, this, [spoken(locales), options]);
		};
		const dated = (old) => function(locales, options) {
			return apply(old, this, [spoken(locales), zoned(options)]);
		};
		const { Temporal } = realm;
		for (const name of [
			"Number",
			"BigInt",
			"Array"
		]) wrap(realm[name].prototype, "toLocaleString", said);
		wrap(Object.getPrototypeOf(realm.Uint8Array.prototype), "toLocaleString", said);
		for (const name of ["toLocaleLowerCase", "toLocaleUpperCase"]) wrap(realm.String.prototype, name, said);
		wrap(realm.String.prototype, "localeCompare", (old) => function(that, locales, options) {
			return apply(old, this, [
				that,
				spoken(locales),
				options
			]);
		});
		for (const name of [
			"toLocaleString",
			"toLocaleDateString",
			"toLocaleTimeString"
		]) wrap(realm.Date.prototype, name, dated);
		for (const name of [
			"PlainDate",
			"PlainDateTime",
			"PlainMonthDay",
			"PlainTime",
			"PlainYearMonth",
			"ZonedDateTime",
			"Duration"
		]) wrap(Temporal?.[name]?.prototype, "toLocaleString", said);
		wrap(Temporal?.["Instant"]?.prototype, "toLocaleString", dated);
	}
	/** `Temporal.Now` by the job's clock and in UTC. */
	function temporalNow(realm, now) {
		const { Temporal } = realm;
		if (Temporal === void 0) return;
		const { fromEpochMilliseconds, prototype } = Temporal.Instant;
		const { toZonedDateTimeISO } = prototype;
		const instant = () => apply(fromEpochMilliseconds, Temporal.Instant, [coarse(now())]);
		const zonedNow = (zone = "UTC") => apply(toZonedDateTimeISO, instant(), [zone]);
		const methods = {
			instant,
			timeZoneId: () => "UTC",
			zonedDateTimeISO: zonedNow,
			plainDateISO: (zone) => zonedNow(zone).toPlainDate(),
			plainDateTimeISO: (zone) => zonedNow(zone).toPlainDateTime(),
			plainTimeISO: (zone) => zonedNow(zone).toPlainTime()
		};
		for (const name of ownKeys(methods)) put(Temporal.Now, name, methods[name]);
	}
	/** `format()` without a date asks the engine's clock. */
	function formatNow(realm, now) {
		const { prototype } = realm.Intl.DateTimeFormat;
		const formatOf = getterOf(prototype, "format");
		defineProperty(prototype, "format", {
			configurable: true,
			get() {
				const format = formatOf(this);
				return (date) => format(date === void 0 ? now() : date);
			}
		});
		wrap(prototype, "formatToParts", (old) => function(date) {
			return apply(old, this, [date === void 0 ? now() : date]);
		});
	}
	/** Sets the realm's clocks, its zone and its language. */
	function tellTime(realm, clock) {
		localIsUtc(realm.Date.prototype);
		sameEverywhere(realm);
		put(realm, "Date", dateOf(realm.Date, clock.now));
		temporalNow(realm, clock.now);
		formatNow(realm, clock.now);
		const { Event } = realm;
		if (Event !== void 0) {
			const stampOf = getterOf(Event.prototype, "timeStamp");
			const timeStamp = function() {
				return clock.coarse(stampOf(this));
			};
			defineProperty(Event.prototype, "timeStamp", {
				configurable: true,
				enumerable: true,
				get: timeStamp
			});
		}
		put(realm, "performance", {
			now: clock.since,
			timeOrigin: clock.origin()
		});
	}
	// src/volunteer/job/realm/timers.ts
	/**
	* The timers of jobs: all of them pass through one table, so that none rings after its job.
	*
	* Clears what it has set, and nothing else: the runtime's own timers have numbers, too.
	*/
	var Timers = class {
		names;
		set = /* @__PURE__ */ new Set();
		clear;
		closed = false;
		/** `reads` is shown a text before it is evaluated. */
		constructor(realm, reads) {
			const evaluate = realm.eval;
			this.clear = realm.clearTimeout.bind(realm);
			const calls = (handler, args) => {
				if (typeof handler === "function") return () => void apply(handler, realm, args);
				const text = toText(handler);
				reads(text);
				return () => void evaluate(text);
			};
			const setter = (real, once) => (handler, ms, ...args) => {
				const call = calls(handler, args);
				if (this.closed) return 0;
				const id = real(() => {
					if (once) removeFrom(this.set, id);
					call();
				}, ms);
				addTo(this.set, id);
				return id;
			};
			const clearer = (id) => {
				const number = Number(id);
				if (isIn(this.set, number)) this.end(number);
			};
			this.names = {
				setTimeout: setter(realm.setTimeout.bind(realm), true),
				setInterval: setter(realm.setInterval.bind(realm), false),
				clearTimeout: (id) => {
					clearer(id);
				},
				clearInterval: (id) => {
					clearer(id);
				}
			};
		}
		/** From here on new ones ring. */
		open() {
			this.closed = false;
		}
		/** Ends all of them; until `open` no other one is set. */
		close() {
			this.closed = true;
			forEachIn(this.set, (id) => {
				this.end(id);
			});
		}
		end(id) {
			this.clear(id);
			removeFrom(this.set, id);
		}
	};
	/** Between two looks at it. */
	var LOOK_MS = 5;
	/** Keywords cannot be spelled with escapes. */
	var LATER = /\b(?:async|import)\b/;
	var IMPORT = /\bimport\b/;
	/** Where functions inherit the four constructors that make functions of texts. */
	var MAKERS = [
		function() {},
		function* () {},
		async function() {},
		async function* () {}
	].map((made) => prototypeOf(made));
	var Stillness = class {
		around;
		timers;
		isLoose = false;
		isUnproved = false;
		pending = 0;
		constructor(around) {
			this.around = around;
		}
		/** Can something in this realm run later? Once true it stays so. */
		get loose() {
			return this.isLoose;
		}
		/** Something has been reached that can call back later. */
		loosen = () => {
			this.isLoose = true;
		};
		/** A text that will run here. */
		reads = (text) => {
			if (match(LATER, text) !== null) this.isLoose = true;
			if (match(IMPORT, text) !== null) this.isUnproved = true;
		};
		/** A job begins: it may set timers. */
		begin() {
			this.timers?.open();
		}
		/** Something goes on until this promise is kept or broken. */
		hold(promise) {
			this.pending += 1;
			const over = () => {
				this.pending -= 1;
			};
			whenSettled(promise, over, over);
		}
		/** Ends what a job has left behind, as far as that can be. Answers whether nothing of it is left. */
		async settle() {
			this.timers?.close();
			const until = this.around.now() + 250;
			await this.around.turn();
			while (this.pending > 0 && this.around.now() < until) await this.around.sleep(LOOK_MS);
			return this.pending === 0 && !this.isUnproved;
		}
		/** Puts a note at every door to later. What stands behind it is what was there before. */
		guard(realm, makers = MAKERS) {
			this.guardCrypto(realm);
			this.holdAll(realm.WebAssembly, ["compile", "instantiate"]);
			this.guardMakers(realm, makers);
			this.timers = new Timers(realm, this.reads);
			const { names } = this.timers;
			for (const name of ["clearTimeout", "clearInterval"]) defineProperty(realm, name, { value: names[name] });
			for (const name of ["setTimeout", "setInterval"]) this.door(realm, name, names[name]);
			for (const name of [
				"Promise",
				"queueMicrotask",
				"WebAssembly"
			]) this.door(realm, name, realm[name]);
			this.door(realm, "eval", realm.eval, () => {
				this.isUnproved = true;
			});
			this.door(realm.Array, "fromAsync", realm.Array.fromAsync);
		}
		/** An accessor that notes that somebody came, and then gives way to a plain property. */
		door(holder, name, value, reached = this.loosen) {
			const { enumerable = false } = ownProperty(holder, name) ?? {};
			if (value === void 0) return;
			const { loosen } = this;
			const plain = {
				value,
				writable: true,
				configurable: true,
				enumerable
			};
			const get = () => {
				loosen();
				reached();
				if (ownProperty(holder, name)?.get === get) Reflect.defineProperty(holder, name, plain);
				return value;
			};
			const set = function(given) {
				if (typeof this === "object" && this !== null || typeof this === "function") defineProperty(this, name, {
					...plain,
					value: given,
					enumerable: this === holder ? enumerable : true
				});
			};
			defineProperty(holder, name, {
				get,
				set,
				configurable: true,
				enumerable
			});
		}
		guardMakers(realm, makers) {
			const { prototype: ofAll } = realm.Function;
			for (const prototype of makers) {
				const told = this.toldTexts(prototype.constructor);
				this.door(prototype, "constructor", told);
				if (prototype === ofAll) this.door(realm, "Function", told);
			}
		}
		/** The same constructor, but what it is given is read first. */
		toldTexts(Real) {
			const texts = (args) => {
				const made = list();
				for (let index = 0; index < args.length; index++) this.reads(made[index] = toText(args[index]));
				return made;
			};
			const told = new Proxy(Real, {
				apply: (target, self, args) => apply(target, self, texts(args)),
				construct: (target, args, by) => construct(target, texts(args), by === told ? target : by)
			});
			return told;
		}
		guardCrypto({ Crypto, SubtleCrypto }) {
			if (Crypto === void 0 || SubtleCrypto === void 0) return;
			const subtleOf = getterOf(Crypto.prototype, "subtle");
			const { loosen } = this;
			defineProperty(Crypto.prototype, "subtle", {
				get() {
					loosen();
					return subtleOf(this);
				},
				configurable: true,
				enumerable: true
			});
			this.holdAll(SubtleCrypto.prototype, ownKeys(SubtleCrypto.prototype));
		}
		/** Methods that give promises: what they have begun is waited for. */
		holdAll(holder, names) {
			const hold = this.hold.bind(this);
			for (const name of names) {
				const old = ownProperty(holder, name)?.value;
				if (typeof old !== "function" || name === "constructor") continue;
				defineProperty(holder, name, { value: { [name](...args) {
					const promise = apply(old, this, args);
					hold(promise);
					return promise;
				} }[name] });
			}
		}
	};
	/** All rows; those of one path are put together. */
	var ALLOWED = read("\nglobalThis: globalThis undefined NaN Infinity Object Function Array Number Boolean String Symbol BigInt Date Math JSON RegExp Proxy Reflect Promise Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError Map Set WeakMap WeakSet WeakRef Iterator DisposableStack ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array Atomics Intl Temporal WebAssembly eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape\nObject: assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values\nArray: from fromAsync isArray of\nNumber: EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY isFinite isInteger isNaN isSafeInteger parseFloat parseInt\nString: fromCharCode fromCodePoint raw\nSymbol: asyncDispose asyncIterator dispose for hasInstance isConcatSpreadable iterator keyFor match matchAll replace search species split toPrimitive toStringTag unscopables\nBigInt: asIntN asUintN\nDate: UTC now parse\nMath: E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 f16round floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt sumPrecise tan tanh trunc\nJSON: isRawJSON parse rawJSON stringify\nRegExp: $& $' $+ $1 $2 $3 $4 $5 $6 $7 $8 $9 $` $_ escape input lastMatch lastParen leftContext rightContext\nProxy: revocable\nReflect: apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf\nPromise: all allSettled any race reject resolve try withResolvers\nError: captureStackTrace isError stackTraceLimit\nMap: groupBy\nIterator: concat from zip zipKeyed\nArrayBuffer: isView\nUint8Array: fromBase64 fromHex\nAtomics: add and compareExchange exchange isLockFree load notify or pause store sub wait xor\nIntl: Collator DateTimeFormat DisplayNames DurationFormat ListFormat Locale NumberFormat PluralRules RelativeTimeFormat Segmenter getCanonicalLocales supportedValuesOf\nIntl.Collator: supportedLocalesOf\nIntl.DateTimeFormat: supportedLocalesOf\nIntl.DisplayNames: supportedLocalesOf\nIntl.DurationFormat: supportedLocalesOf\nIntl.ListFormat: supportedLocalesOf\nIntl.NumberFormat: supportedLocalesOf\nIntl.PluralRules: supportedLocalesOf\nIntl.RelativeTimeFormat: supportedLocalesOf\nIntl.Segmenter: supportedLocalesOf\nTemporal: Duration Instant Now PlainDate PlainDateTime PlainMonthDay PlainTime PlainYearMonth ZonedDateTime\nTemporal.Duration: compare from\nTemporal.Instant: compare from fromEpochMilliseconds fromEpochNanoseconds\nTemporal.Now: instant plainDateISO plainDateTimeISO plainTimeISO timeZoneId zonedDateTimeISO\nTemporal.PlainDate: compare from\nTemporal.PlainDateTime: compare from\nTemporal.PlainMonthDay: from\nTemporal.PlainTime: compare from\nTemporal.PlainYearMonth: compare from\nTemporal.ZonedDateTime: compare from\nWebAssembly: CompileError Exception Global Instance JSTag LinkError Memory Module RuntimeError SuspendError Suspending Table Tag compile instantiate promising validate\nWebAssembly.Module: customSections exports imports\n\nglobalThis: self weevil console performance crypto Crypto CryptoKey SubtleCrypto TextEncoder TextDecoder structuredClone queueMicrotask setTimeout clearTimeout setInterval clearInterval atob btoa URL URLSearchParams Event EventTarget AbortController AbortSignal DOMException\nweevil: flops log progress\nconsole: assert clear count countReset debug dir dirxml error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn\nperformance: now timeOrigin\nCrypto.prototype: getRandomValues randomUUID subtle\nCryptoKey.prototype: algorithm extractable type usages\nSubtleCrypto.prototype: decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey\nTextEncoder.prototype: encode encodeInto encoding\nTextDecoder.prototype: decode encoding fatal ignoreBOM\nURL: canParse parse\nURL.prototype: hash host hostname href origin password pathname port protocol search searchParams toJSON toString username\nURLSearchParams.prototype: append delete entries forEach get getAll has keys set size sort toString values\nEventTarget.prototype: addEventListener dispatchEvent removeEventListener\nEvent.prototype: bubbles cancelBubble cancelable composed composedPath currentTarget defaultPrevented eventPhase initEvent preventDefault returnValue srcElement stopImmediatePropagation stopPropagation target timeStamp type\nAbortController.prototype: abort signal\nAbortSignal: abort any\nAbortSignal.prototype: aborted onabort reason throwIfAborted\nDOMException.prototype: code message name\n");
	function read(text) {
		const rows = /* @__PURE__ */ new Map();
		for (const line of text.split("\n")) {
			const [path, names] = line.split(": ");
			if (path !== void 0 && names !== void 0) rows.set(path, [...rows.get(path) ?? [], ...names.split(" ")]);
		}
		return rows;
	}
	// src/volunteer/job/realm/shut.ts
	/**
	* Closes the realm of a job worker: what `allowed.ts` does not name is taken off the global object, what it inherits, the
	* statics of built-ins and the prototypes of the browser's classes. Runs before any code of strangers.
	*
	* The border is the opaque origin and the policy (`import()` is syntax: no deletion stops it). This is what makes a job
	* find the same everywhere, and nothing that knows the volunteer. Never adds a capability.
	*/
	/** What every function has. */
	var OF_FUNCTIONS = [
		"length",
		"name",
		"prototype",
		"arguments",
		"caller"
	];
	/** Takes `key` off `holder`; what cannot be taken off is covered, unless it is a constant. Answers whether it is gone. */
	function take(holder, key) {
		if (deleteProperty(holder, key)) return true;
		const own = ownProperty(holder, key);
		const { writable, value } = own ?? {};
		if (writable === true) defineProperty(holder, key, { value: void 0 });
		return own === void 0 || typeof value === "number";
	}
	var Doorman = class {
		symbols;
		seen = /* @__PURE__ */ new Set();
		constructor() {
			const symbols = (ALLOWED.get("Symbol") ?? []).map((name) => Symbol[name]);
			this.symbols = new Set(symbols.filter((symbol) => typeof symbol === "symbol"));
		}
		/** What a row names beside what needs no mention. */
		keeps(path, key) {
			if (typeof key === "symbol") return this.symbols.has(key);
			return ALLOWED.get(path)?.includes(key) === true;
		}
		/** Closes an object, and the built-ins that it holds. */
		shut(holder, path) {
			if (typeof holder !== "object" && typeof holder !== "function" || holder === null || this.seen.has(holder)) return;
			this.seen.add(holder);
			for (const key of ownKeys(holder)) {
				if (typeof holder === "function" && OF_FUNCTIONS.includes(key)) continue;
				if (!this.keeps(path, key)) take(holder, key);
				else if (typeof key === "string") this.shutStatics(ownProperty(holder, key)?.value, `${path}.${key}`);
			}
			const prototype = typeof holder === "function" ? holder.prototype : void 0;
			if (prototype !== void 0 && ALLOWED.has(`${path}.prototype`)) this.shutPrototype(prototype, `${path}.prototype`);
		}
		/** Of what a built-in holds only objects and classes hold something themselves. */
		shutStatics(value, path) {
			if (typeof value === "function" && ownProperty(value, "prototype") === void 0) return;
			this.shut(value, path);
		}
		shutPrototype(prototype, path) {
			for (const key of ownKeys(prototype)) if (key !== "constructor" && !this.keeps(path, key)) take(prototype, key);
		}
		/** Moves what stays of the inherited names onto the global object itself, which then inherits as good as nothing. */
		shutGlobal(realm) {
			const names = ALLOWED.get("globalThis") ?? [];
			for (const name of names) this.settle(realm, name);
			for (const key of ownKeys(realm)) if (!names.includes(key) && !take(realm, key)) cover(realm, key);
			const shared = realm.EventTarget?.prototype;
			for (let holder = prototypeOf(realm); holder !== null && holder !== shared; holder = prototypeOf(holder)) {
				if (prototypeOf(holder) === null) break;
				for (const key of ownKeys(holder)) if (!take(holder, key)) cover(realm, key);
			}
			for (const name of names) if (name !== "globalThis" && name !== "self") this.shut(ownProperty(realm, name)?.value, name);
		}
		settle(realm, name) {
			if (!(name in realm) || "value" in (ownProperty(realm, name) ?? {})) return;
			const value = realm[name];
			defineProperty(realm, name, {
				value,
				writable: true,
				configurable: true,
				enumerable: true
			});
		}
	};
	/** Writable, so that old code with a global variable of this name goes on working. */
	function cover(realm, key) {
		if (ownProperty(realm, key)?.configurable === false) return;
		defineProperty(realm, key, {
			value: void 0,
			writable: true,
			configurable: true
		});
	}
	/** Listeners on the global object would run between jobs. */
	function refuseListeners(realm) {
		const { prototype } = realm.EventTarget;
		const listen = prototype.addEventListener;
		defineProperty(prototype, "addEventListener", { value: { addEventListener(...args) {
			if (this === void 0 || this === null || this === realm) throw new TypeError("jobs cannot listen here");
			apply(listen, this, args);
		} }.addEventListener });
	}
	/** Takes everything off `realm` that is not on the list. */
	function shut(realm) {
		new Doorman().shutGlobal(realm);
		refuseListeners(realm);
	}
	// src/volunteer/job/realm/realm.ts
	/** Jobs find a console that tells the server; the volunteer's own stays calm, and out of their reach. */
	function relayConsole(realm, { log, warn, error }) {
		const silent = (ALLOWED.get("console") ?? []).map((name) => [name, () => void 0]);
		defineProperty(realm, "console", {
			value: {
				...Object.fromEntries(silent),
				log,
				info: log,
				debug: log,
				warn,
				error
			},
			writable: true,
			configurable: true
		});
	}
	/**
	* Pins what the runtime's own lists and promises go through, and job code has no reason to change: arrays are gone
	* through when buffers change hands, `await` reads `constructor` off a promise, and what waits for the GPU calls `then`.
	*/
	function pin({ Promise: built }) {
		Object.freeze(arrayIterator);
		const { then } = built.prototype;
		defineProperty(built.prototype, "constructor", {
			value: built,
			writable: false,
			configurable: false
		});
		defineProperty(built.prototype, "then", {
			value: then,
			writable: false,
			configurable: false
		});
		defineProperty(built, Symbol.species, { configurable: false });
	}
	/** Sets up what the language of jobs promises, and shuts everything else out. */
	function prepareRealm(realm, clock, still, globals) {
		pin(realm);
		tellTime(realm, clock);
		realm.Math.random = globals.random;
		relayConsole(realm, globals.log);
		defineProperty(realm, "weevil", {
			value: Object.freeze({
				flops: globals.flops,
				progress: globals.progress,
				log: globals.log.log
			}),
			enumerable: true
		});
		shut(realm);
		still.guard(realm);
	}
	exports.JobClock = JobClock;
	exports.Stillness = Stillness;
	exports.prepareRealm = prepareRealm;
	return exports;
})({});
