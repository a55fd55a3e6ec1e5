/** The English texts of what this browser has computed, its picture and its card: they come when there is something to show. */

export const EN = {
  title: "What this browser has given",
  jobs: "jobs done",
  time: "of computing",
  operations: "operations",
  days: "days",
  since: "since {date}",
  stripCaption: "Each day of the last 26 weeks",
  less: "less",
  more: "more",
  asTable: "The same as a table",
  day: "Day",
  tableJobs: "Jobs",
  tableTime: "Computing time",
  tableOperations: "Operations",
  tableAims: "For",
  dayText: "{date}: {time}, jobs: {jobs}",
  note: "Kept in this browser for 400 days, and sent to nobody. A job counts on the day on which it ends.",
  fleeting: "This browser keeps nothing at the moment: what is counted now lasts as long as this page.",
  setAside: "What was kept here could not be read in full. It was set aside, and the counting went on with the rest.",
  share: "Make a card to share",
  forget: "Forget it all",
  forgetQuestion: "Forget every day of it? There is no copy.",
  forgetYes: "Yes, forget it all",
  forgetNo: "Keep it",
  forgotten: "Forgotten. Nothing of it is left in this browser.",

  pictureBusy: "{busy} of {slots} slots compute.",
  pictureResting: "Resting: {resting}.",
  pictureEnded: "Jobs ended in the last minute: {ended}.",
  ownShare: "{own} of them by this browser, since this page was opened",

  cardTitle: "A card to share",
  cardHint: "It is drawn in this page and sent to nobody. It says what is on it, and nothing else.",
  cardJobs: "jobs done",
  cardTime: "of computing",
  cardFor: "For",
  cardLine: "Computed in a browser tab, for {host}",
  cardSave: "Save as a picture",
  cardShare: "Share…",
  cardClose: "Close",
  cardFailed: "The card could not be drawn or handed on.",
} as const;

export type ContributionWord = keyof typeof EN;
export type ContributionCatalogue = Readonly<Record<ContributionWord, string>>;
