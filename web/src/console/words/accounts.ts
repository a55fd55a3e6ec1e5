/** Words of the pages about people: all accounts, one of them, invitations. They come with those pages. */

import type { AccountState } from "../../api/types.gen.ts";

export const PEOPLE = {
  title: "People",
  invite: "Invite somebody",
  nowhere: "no project yet",
  into: "Into",
  admin: "Looks after the server",
  adminHint: "May do everything, like you.",
  submit: "Make an invitation",
  busy: "Making it…",
  accounts: "Accounts",
  show: "Show",
  states: [
    ["", "all"],
    ["active", "active"],
    ["disabled", "disabled"],
  ],
  listCommand: (state: AccountState | "") => `weevil user list${state === "" ? "" : ` --state ${state}`}`,
  filter: "Filter accounts",
  name: "Name",
  noun: "account",
  nothing: "No accounts.",
  made: (age: string) => `Made ${age}`,
} as const;

export const INVITATION = {
  as: "As",
  hours: "The link is good for",
  spans: [
    ["24", "a day"],
    ["168", "a week"],
    ["720", "a month"],
  ],
  title: "The invitation",
  hint: (ends: string) => `Give it to one person by a way that only they read. It is good once, and ends ${ends}.`,
} as const;

export const PERSON = {
  title: "Account",
  back: "← People",
  removed: "A removed account",
  made: (age: string) => `made ${age}`,
  reset: "Link for a new password",
  resetLabel: (name: string) => `Make a link for a new password of ${name}`,
  resetTitle: (name: string) => `A new password for ${name}`,
  resetHint: (ends: string) => `Give it to them by a way that only they read. It is good once, and ends ${ends}.`,
  makeAdmin: "Make a server admin",
  makeAdminLabel: (name: string) => `Make a server admin: ${name}`,
  noAdmin: "No longer a server admin",
  noAdminLabel: (name: string) => `No longer a server admin: ${name}`,
  enable: "Enable",
  enableLabel: (name: string) => `Enable ${name}`,
  disable: "Disable",
  disableLabel: (name: string) => `Disable ${name}`,
  remove: "Remove…",
  removeLabel: (name: string) => `Remove ${name}`,
  removal: {
    title: (name: string) => `Remove ${name}?`,
    means: "Its name, password, sessions and tokens are forgotten at once. Its runs stay. This cannot be undone.",
    no: "Keep the account",
    yes: "Remove the account",
  },
  sessions: "Where they are signed in",
  nowhere: "Nowhere.",
  endAll: "End all",
  endAllLabel: "End all sessions of this account",
  programs: "Their programs",
} as const;
