/** Words of the pages about people: all accounts, one of them, invitations, and what somebody is asked anew. */

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

export const AGAIN = {
  title: "Is it still you?",
  means: "This matters more than most things here, and you signed in a while ago.",
  password: "Your password",
  no: "Not now",
  submit: "Go on",
  busy: "Checking…",
} as const;

export const SIGN_IN = {
  title: "Sign in",
  name: "Name",
  password: "Password",
  submit: "Sign in",
  busy: "Signing in…",
  passwordHint: "At least 12 characters; a few words that do not belong together are good.",
  moment: "One moment",
  looking: "Looking at the link…",
  ends: (when: string) => `The link is good once, and ends ${when}.`,
  accept: {
    title: "Make an account",
    first: "The first account looks after this server: it invites others, and may do everything.",
    invited: "You are invited to this server. Choose how you sign in.",
    nameHint: "What you sign in with: 3 to 64 of a-z 0-9 . _ - @",
    display: "Shown name",
    displayHint: "What others read.",
    submit: "Make the account",
    busy: "Making it…",
  },
  reset: {
    title: "Set a new password",
    what: "A new password. All sessions that are open end.",
    whatOf: (name: string) => `A new password for ${name}. All sessions that are open end.`,
    password: "New password",
    submit: "Set the password",
    busy: "Setting it…",
  },
  without: {
    title: "No account?",
    command: "weevil console",
    how: (command: string) =>
      `Alone on your machine: run ${command} on the machine on which the server runs, as the same user, and open the address that it prints.`,
    why: "Elsewhere: somebody who looks after this server can invite you.",
  },
} as const;
