/** Words of the workers' page. */

export const WORKERS = {
  title: "Workers",
  about: "A worker is a browser, or another program, that computes: most are tabs in which the volunteer’s page is open.",
  none: "No worker is connected",
  noneWords: "Each browser in which the volunteer’s page is open and started stands here, with what it does.",
  open: "Open the volunteer’s page",
  filter: "Filter workers",
  name: "Browser, id or device",
  table: "Connected workers, busiest first",
  columns: { agent: "Worker", id: "Id", device: "Device", slots: "Busy", done: "Done", since: "Connected", rank: "Rank" },
  busy: (inFlight: string, slots: string) => `${inFlight} of ${slots}`,
  keyless: "no key",
  rests: (until: string) => `rests until ${until}`,
  nothingFits: "No worker fits",
  nothingFitsWords: "The filter leaves none of those that are connected.",
} as const;
