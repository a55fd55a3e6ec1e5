/**
 * The device key: a WebCrypto key pair that this browser keeps for this server, so that the same device is known again
 * without an account, a cookie or an address.
 *
 * The private key cannot be read, only used. Where there is no WebCrypto or no database (a private window, plain HTTP),
 * the browser stays nobody.
 */

export interface Signed {
  readonly p256: boolean;
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
}

const DATABASE = "weevil";
const STORE = "device";
const NAME = "key";
const ED25519 = "Ed25519";
const P256: EcKeyGenParams & EcdsaParams = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Signs as this device; `undefined` where it has no key. Never throws. */
export async function sign(text: Uint8Array<ArrayBuffer>): Promise<Signed | undefined> {
  try {
    const pair = await keys();
    const p256 = pair.privateKey.algorithm.name !== ED25519;
    const signature = await crypto.subtle.sign(p256 ? P256 : ED25519, pair.privateKey, text);
    const key = await crypto.subtle.exportKey("raw", pair.publicKey);
    return { p256, key: new Uint8Array(key), signature: new Uint8Array(signature) };
  } catch {
    return undefined;
  }
}

async function keys(): Promise<CryptoKeyPair> {
  const database = await opened();
  try {
    const known = await done<CryptoKeyPair | undefined>(database.transaction(STORE).objectStore(STORE).get(NAME));
    if (known !== undefined) return known;
    const made = await make();
    const store = database.transaction(STORE, "readwrite").objectStore(STORE);
    try {
      // Another tab may have been faster: `add` does not replace.
      await done(store.add(made, NAME));
      return made;
    } catch {
      return await done<CryptoKeyPair>(database.transaction(STORE).objectStore(STORE).get(NAME));
    }
  } finally {
    database.close();
  }
}

async function make(): Promise<CryptoKeyPair> {
  try {
    return (await crypto.subtle.generateKey(ED25519, false, ["sign", "verify"])) as CryptoKeyPair;
  } catch {
    return crypto.subtle.generateKey(P256, false, ["sign", "verify"]);
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE);
  };
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error("the database did not answer"));
    };
  });
}
