// Evaluates to the expressions whose answers a volunteer's zone or language could change, as texts: more than two hundred.
(() => {
  const dates = ["new Date(0)", "new Date(2013, 6, 1, 12)", "new Date('2024-03-10T02:30:00')", "new Date('Mar 7, 1999 23:59')"];
  const parts = ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds", "TimezoneOffset", "Year"];
  const told = ["toString", "toDateString", "toTimeString", "toISOString", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"];
  const set = ["setHours(25)", "setDate(40)", "setMonth(13, 1)", "setFullYear(1900, 0, 31)", "setMinutes(-1)", "setYear(70)"];
  const texts = [
    "2020-01-01", "2020-01-01T00:00", "2020-01-01T00:00:00Z", "2020-06-01T12:00+02:00", "1 Jan 2020", "Jan 1, 2020 10:00",
    "2020/01/01", "01/02/2020", "Tue, 01 Jan 2020 00:00:00 GMT", "Wed Jul 01 2020 12:00:00 GMT+0200 (CEST)", "not a date",
  ];
  const makers = [
    "Intl.DateTimeFormat", "Intl.NumberFormat", "Intl.Collator", "Intl.PluralRules", "Intl.ListFormat", "Intl.Segmenter",
    "Intl.RelativeTimeFormat",
  ];
  const plain = [
    "(1234567.891).toLocaleString()", "(12345678901234567890n).toLocaleString()", "[1.5, 2.5].toLocaleString()",
    "new Float64Array([1.5, 1e6]).toLocaleString()", "'I'.toLocaleLowerCase()", "'i'.toLocaleUpperCase()",
    "'ä'.localeCompare('z')", "['z', 'ä', 'a', 'Å', 'o'].sort((a, b) => a.localeCompare(b)).join()",
    "['z', 'ä', 'a'].sort(Intl.Collator().compare).join()", "Date().replace(/\\d+:\\d+:\\d+|\\d+/g, '')",
    "new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' }).format(1234.5)",
    "new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }).format(0)",
    "new Intl.DateTimeFormat([], { weekday: 'long' }).format(0)", "new Intl.DateTimeFormat('xx').resolvedOptions().locale",
    "new Intl.RelativeTimeFormat().format(-3, 'day')", "new Intl.ListFormat().format(['a', 'b', 'c'])",
    "new Intl.DisplayNames(undefined, { type: 'region' }).of('DE')", "new Intl.PluralRules().select(2)",
    "typeof navigator", "typeof navigation", "typeof screen", "typeof OffscreenCanvas", "typeof location", "typeof caches",
    "typeof indexedDB", "typeof fetch", "typeof WorkerNavigator", "typeof performance.memory", "performance.now() % 1",
    "performance.timeOrigin % 1", "Object.keys(performance).join()", "new Event('x').timeStamp % 1",
    "Object.keys(self).sort().join()", "Reflect.ownKeys(self).filter((key) => typeof key === 'string').sort().join()",
    "typeof Temporal === 'undefined' ? '' : Temporal.Now.timeZoneId()",
    "typeof Temporal === 'undefined' ? '' : Temporal.Instant.fromEpochMilliseconds(0).toLocaleString()",
    "typeof Temporal === 'undefined' ? '' : new Temporal.PlainDate(2020, 1, 31).toLocaleString()",
    "Intl.supportedValuesOf('calendar').length", "Intl.getCanonicalLocales().length", "new Error('x').message",
    "JSON.stringify(new Date(2013, 6, 1))", "String(new Date(NaN))", "new Date(2013, 0).valueOf()", "Date.UTC(2013, 0)",
  ];
  return [
    ...dates.flatMap((date) => parts.map((part) => `(${date}).get${part}()`)),
    ...dates.flatMap((date) => told.map((way) => `(${date}).${way}()`)),
    ...dates.flatMap((date) => set.map((act) => `(${date}).${act}`)),
    ...dates.flatMap((date) => ["valueOf()", "getTime()", "toJSON()", "toUTCString()"].map((way) => `(${date}).${way}`)),
    ...texts.flatMap((text) => [`Date.parse('${text}')`, `new Date('${text}').getTime()`, `String(new Date('${text}'))`]),
    ...makers.flatMap((maker) => [
      `JSON.stringify(new ${maker}().resolvedOptions())`, `JSON.stringify(new ${maker}([]).resolvedOptions())`,
      `JSON.stringify(new ${maker}('tr').resolvedOptions())`,
    ]),
    ...plain,
  ];
})()
