/** Words of charts over time. */

export const CHARTS = {
  asTable: "As a table",
  tableOf: (title: string) => `${title} as a table`,
  time: "Time",
  unknown: "–",
  at: (moment: string) => `at ${moment}`,
  onAverage: "on average",
  range: (least: string, most: string, unit: string) =>
    `${least === most ? most : `${least} to ${most}`}${unit === "" ? "" : `\u2009${unit}`}`,
  over: (range: string, span: string) => `${range}, ${span}`,
  /** A whole chart, for those who do not see it. */
  told: (title: string, now: string, range: string) => `${title}: ${now}; ${range}`,
  between: (from: string, to: string) => `${from} – ${to}`,
} as const;

export const SPAN_WORDS = {
  title: "Span that is shown",
  spans: { "10m": "10 min", "2h": "2 h", "7d": "7 days" },
  noSample: {
    "10m": "The first sample comes in a second.",
    "2h": "The first sample comes in ten seconds.",
    "7d": "The first sample comes in five minutes.",
  },
  started: "The server has just started, and keeps nothing from before.",
  since: (moment: string) => `The server started at ${moment}: there is nothing from before.`,
} as const;
