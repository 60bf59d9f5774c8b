import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Additional authenticated data that binds a sealed value to its row: it cannot be opened in another row. */
export type Binding = readonly string[];

/** Master keys by id. One of them seals and all of them open, so that keys are rotated without downtime. */
export interface Keyring {
  seal(plain: string, binding: Binding): string;
  /** Throws if the key is unknown, the text was modified or the binding differs. */
  open(sealed: string, binding: Binding): string;
  /** True if the value was sealed by the current master key. */
  isCurrent(sealed: string): boolean;
  /** A key for one purpose, derived from the current master key. */
  derive(purpose: string): Buffer;
  /** The same of every master key, the current one first: what was signed before a rotation is verified with these. */
  deriveAll(purpose: string): Buffer[];
  readonly currentKeyId: string;
}

/** A keyring whose keys change while the process runs. */
export interface ChangingKeyring extends Keyring {
  /** Ids of all keys, in the order in which they were given. */
  readonly keyIds: string[];
  /** Replaces the keys, at least one. The current key must be among them. */
  hold(masterKeys: readonly Uint8Array[]): void;
  /** Chooses the current key, which must be held. */
  sealWith(keyId: string): void;
}

/** Id of a master key: eight hex digits that do not reveal the key. */
export const keyIdOf = (masterKey: Uint8Array): string =>
  createHash('sha256').update('redpen key id').update(masterKey).digest('hex').slice(0, 8);

interface HeldKey {
  masterKey: Uint8Array;
  /** A key object: Node would make one of the bytes at each use. */
  sealing: KeyObject;
}

const held = (masterKeys: readonly Uint8Array[]): Map<string, HeldKey> =>
  new Map(
    masterKeys.map((masterKey) => [
      keyIdOf(masterKey),
      { masterKey, sealing: createSecretKey(deriveKey(masterKey, 'seal')) },
    ]),
  );

/**
 * Seals with AES-256-GCM (NIST SP 800-38D) and a random 96-bit IV per value: `v1.<key id>.<iv, text and tag,
 * base64url>`. The first key is the current one. `onUnknownKey` is called before a value of an unknown key is refused, and
 * may hold further keys.
 */
export function createKeyring(
  masterKeys: readonly Uint8Array[],
  onUnknownKey: (keyId: string) => void = () => {},
): ChangingKeyring {
  let keys = held(masterKeys);
  if (!masterKeys[0]) throw new Error('A keyring needs a key.');
  let currentKeyId = keyIdOf(masterKeys[0]);
  const find = (keyId: string): HeldKey | undefined => {
    if (!keys.has(keyId)) onUnknownKey(keyId);
    return keys.get(keyId);
  };

  return {
    get currentKeyId() {
      return currentKeyId;
    },
    get keyIds() {
      return [...keys.keys()];
    },
    hold(given) {
      const next = held(given);
      if (!next.has(currentKeyId)) throw new Error(`The current master key ${currentKeyId} is missing.`);
      keys = next;
    },
    sealWith(keyId) {
      if (!keys.has(keyId)) throw new Error(`No master key with the id ${keyId}.`);
      currentKeyId = keyId;
    },
    seal(plain, binding) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keys.get(currentKeyId)!.sealing, iv);
      cipher.setAAD(Buffer.from(JSON.stringify(binding)));
      const body = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${currentKeyId}.${body.toString('base64url')}`;
    },
    open(sealed, binding) {
      const [version, keyId = '', encoded = ''] = sealed.split('.');
      if (version !== 'v1') throw new Error('Not a sealed value.');
      const key = find(keyId);
      if (!key) throw new Error(`No master key with the id ${keyId}.`);
      const body = Buffer.from(encoded, 'base64url');
      if (body.length < IV_BYTES + TAG_BYTES) throw new Error('The sealed value is truncated.');
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, body.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(JSON.stringify(binding)));
      decipher.setAuthTag(body.subarray(-TAG_BYTES));
      return decipher.update(body.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    isCurrent: (sealed) => sealed.split('.')[1] === currentKeyId,
    derive: (purpose) => deriveKey(keys.get(currentKeyId)!.masterKey, purpose),
    deriveAll: (purpose) =>
      [...keys.entries()]
        .sort(([a], [b]) => Number(b === currentKeyId) - Number(a === currentKeyId))
        .map(([, { masterKey }]) => deriveKey(masterKey, purpose)),
  };
}

const deriveKey = (masterKey: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', `redpen ${purpose}`, 32));

/** A new secret: 256 random bits after a prefix that secret scanners can recognize. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(32).toString('base64url')}`;

/**
 * A secret that follows from another and a salt (HKDF, RFC 5869): the same for the same, and of no use to learn either. The other
 * must have 256 random bits.
 */
export const derivedSecret = (prefix: string, secret: string, salt: string, purpose: string): string =>
  `${prefix}${Buffer.from(hkdfSync('sha256', secret, salt, `redpen ${purpose}`, 32)).toString('base64url')}`;

/** Hash for looking up a token without storing it. Tokens have 256 random bits, so a plain hash suffices. */
export const hashToken = (token: string): string => hash('sha256', token);

export const sha256 = (bytes: string | Uint8Array): string => hash('sha256', bytes);

/** Compares two hex digests of equal length in constant time. */
export function equalDigests(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}
