/** Words of the way in, and of what somebody is asked anew. */

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
