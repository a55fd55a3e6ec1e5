/**
 * The console's session: the half that lies in this origin's own storage, and the link that opens one.
 *
 * The other half is a cookie that no script reads. Never touches the DOM; whoever shows something listens.
 */

const STORED = "weevil-session-key";
const HEADER = "x-weevil-session-key";
/** In the address's fragment, which is sent to nobody. */
const LINK = /^#link=(wv[a-z]_[0-9A-Za-z]{38})$/;

/** The refusal of a proof that is wrong: it ends nothing. */
const WRONG = "wrongSignIn";

let onEnded = (): void => undefined;

/** `listener` hears that nobody is signed in any more. */
export function whenSignedOut(listener: () => void): void {
  onEnded = listener;
}

/** The link in a fragment, if it holds one. */
export function linkIn(hash: string): string | undefined {
  return LINK.exec(hash)?.[1];
}

/** Whether it opens the console by itself; other links are asked what they are good for. */
export function isConsoleLink(link: string): boolean {
  return link.startsWith("wvk_");
}

export function hasSession(): boolean {
  return localStorage.getItem(STORED) !== null;
}

/** Keeps the key of a session that was opened. */
export function keepSession(key: string): void {
  localStorage.setItem(STORED, key);
}

/** Keeps the key that an answer brings, where it brings one: a session gets new halves from time to time. */
export function keepNewKey({ headers }: Response): void {
  const key = headers.get(HEADER);
  if (key !== null) keepSession(key);
}

/** Forgets the key of a session that was closed. */
export function forgetSession(): void {
  localStorage.removeItem(STORED);
}

/** What every request says that relies on the session. */
export function sessionHeaders(): Readonly<Record<string, string>> {
  const key = localStorage.getItem(STORED);
  return key === null ? {} : { [HEADER]: key };
}

/** Whether an answer says that nobody is signed in; if so the key is worth nothing, and the listener hears of it. */
export function isSignedOut(status: number, code: string): boolean {
  const signedOut = (status === 401 && code !== WRONG) || code === "noSessionKey";
  if (signedOut) {
    forgetSession();
    onEnded();
  }
  return signedOut;
}
