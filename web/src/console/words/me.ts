/** Words of the page of the person who is signed in, of sessions, and of programs that ask in somebody's name. */

export const ME = {
  title: "Me",
  who: "Signed in as",
  admin: "server admin",
  attack:
    "Somebody is guessing your password: a thousand sign-ins as you have failed within a day. It does not hold up a browser in which you have signed in before. A long password that you use nowhere else keeps them out.",
  projects: "Projects",
  as: (role: string) => ` as ${role}`,
  local: "You came by a link from the server's own machine: no account, and nothing is closed to you.",
  noProject: "You are in no project yet. Ask somebody who looks after one, or after the server.",
  may: "What you may do",
  out: "Sign out",
  password: "Password",
  newPassword: "New password",
  passwordHint: "At least 12 characters. Your other sessions end.",
  changed: "The password is changed.",
  submit: "Change the password",
  busy: "Changing it…",
} as const;

export const SESSIONS = {
  title: "Where you are signed in",
  endOthers: "End all others",
  endOthersLabel: "End all other sessions",
  current: "this one",
  end: "End",
  endLabel: (session: string) => `End the session in ${session}`,
} as const;

export const TOKENS = {
  title: "Programs",
  name: "Name",
  nameHint: "What you will know it by.",
  secret: (name: string) => `The token of ${name}`,
  secretHint: "Copy it now: it is shown once. A program sends it as “authorization: Bearer …”.",
  make: "Make a token",
  busy: "Making it…",
  login: "weevil login",
  intro: (command: string) => `A token lets a program ask in your name. On the command line ${command} gets one by itself.`,
  nothing: "No tokens.",
  of: (owner: string) => ` of ${owner}`,
  mayEverywhere: "What it may do, in all projects of its owner",
  mayIn: (project: string) => `What it may do, in ${project}`,
  revoke: "Revoke",
  revokeLabel: (name: string) => `Revoke ${name}`,
} as const;

export const GRANT = {
  may: "What it may do, at most",
  projects: "Projects",
  all: "all of its owner's",
  days: "Good for",
  spans: [
    ["7", "7 days"],
    ["30", "30 days"],
    ["90", "90 days"],
    ["366", "a year"],
  ],
} as const;

export const LOGIN = {
  title: "Let a program in?",
  asks: "It asks for a token of yours",
  submit: "Let it in",
  busy: "Letting it in…",
  approved: "It is let in: it goes on by itself.",
  refuse: "Refuse",
  refuseLabel: "Refuse this program",
  refused: "It is refused.",
  from: (place: string, age: string) => `, from ${place}, ${age}`,
  sure: (code: string) => `Go on only if you began this yourself and its code is ${code}.`,
} as const;
