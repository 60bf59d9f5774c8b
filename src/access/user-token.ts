import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import type { Db, Tx } from '../db/tables.ts';
import { type Keyring, sha256 } from '../lib/crypto.ts';
import { randomId } from '../lib/ids.ts';
import type { TokenMaker, TokenUser } from '../lib/scope.ts';
import { type Resource, toTokenGrant } from '../shapes/permission.ts';
import {
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
  signingKeyBinding,
} from '../store/access/signing-keys.ts';

export const USER_TOKEN_HOURS = 48;
/** Life of a token with which a member lets a page act as themselves. */
export const MEMBER_TOKEN_HOURS = 8;
const ISSUER = 'redpen';
const ALGORITHM = 'EdDSA';
/** Age at which cached keys are read again. Until then, other processes may still sign with a retired key. */
const KEY_CACHE_MS = 30_000;
/** Shortest interval between two reads of the keys because of tokens with an unknown key id. */
const MIN_REREAD_MS = 1_000;
/** Retention of retired keys: all tokens they have signed have expired by then. */
export const RETIRED_KEY_KEPT_MS = USER_TOKEN_HOURS * 3_600_000 + 2 * KEY_CACHE_MS;

export interface UserClaims {
  userId: string;
  name: string;
  email: string;
  isAdmin: boolean;
  /** Resources as the caller sent them. */
  resources: Resource[];
  /** The origin of the pages that may use the token. */
  origin?: string | undefined;
  /** The member who makes it in the console. */
  madeBy?: TokenMaker | undefined;
}

export interface VerifiedToken {
  apiKeyId: string;
  /** The auth token of the API key under which the token was made. */
  authTokenId: string;
  user: TokenUser;
}

/** Signs and verifies the tokens of end users: JWTs (RFC 7519) with Ed25519 (RFC 8037). */
export interface UserTokens {
  sign(apiKeyId: string, authTokenId: string, claims: UserClaims, hours?: number): Promise<string>;
  /**
   * Checks signature and claims; undefined for a token that is foreign, altered or expired. Revocation and origin are
   * checked by `http/request/authenticate.ts`.
   */
  verify(token: string): Promise<VerifiedToken | undefined>;
  /** The public keys as a JWK set (RFC 7517). */
  publicKeys(): Promise<{ keys: JWK[] }>;
}

/** An id for an auth token that reveals nothing of it. */
export const authTokenIdOf = (tokenHash: string): string => sha256(`auth token ${tokenHash}`).slice(0, 16);

interface Keys {
  readAt: number;
  signing: { keyId: string; key: CryptoKey };
  set: { keys: JWK[] };
  verify: ReturnType<typeof createLocalJWKSet>;
}

/** Creates the signer and verifier, which caches the signing keys of the database. */
export function createUserTokens(db: Db, keyring: Keyring): UserTokens {
  let keys: Promise<Keys> | undefined;

  const read = async (): Promise<Keys> => {
    let rows = await listSigningKeys(db);
    if (!rows.some((row) => row.retiredAt === null)) {
      await addSigningKey(db, keyring);
      rows = await listSigningKeys(db);
    }
    const current = rows.find((row) => row.retiredAt === null)!;
    const set = { keys: rows.map(publicKeyOf) };
    return {
      readAt: Date.now(),
      signing: { keyId: current.keyId, key: await privateKeyOf(keyring, current) },
      set,
      verify: createLocalJWKSet(set),
    };
  };
  const known = async (maxAgeMs: number): Promise<Keys> => {
    const before = keys;
    const found = await before?.catch(() => undefined);
    if (found && Date.now() - found.readAt < maxAgeMs) return found;
    if (keys === before) keys = read();
    return await keys!;
  };

  return {
    async sign(apiKeyId, authTokenId, { userId, ...claims }, hours = USER_TOKEN_HOURS) {
      const { signing } = await known(KEY_CACHE_MS);
      return await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, kid: signing.keyId, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(apiKeyId)
        .setSubject(userId)
        .setIssuedAt()
        .setExpirationTime(`${hours}h`)
        .setJti(`${authTokenId}.${randomId()}`)
        .sign(signing.key);
    },

    async verify(token) {
      const attempt = async (maxAgeMs: number) => {
        const { verify } = await known(maxAgeMs);
        const { payload } = await jwtVerify(token, verify, {
          algorithms: [ALGORITHM],
          issuer: ISSUER,
          typ: 'JWT',
          requiredClaims: ['aud', 'sub', 'iat', 'exp', 'jti'],
          maxTokenAge: `${USER_TOKEN_HOURS}h`,
          clockTolerance: 5,
        });
        return readClaims(payload);
      };
      try {
        return await attempt(KEY_CACHE_MS).catch((error: unknown) => {
          // Another process may sign with a new key that is not in this process's cache yet.
          if (error instanceof errors.JWKSNoMatchingKey) return attempt(MIN_REREAD_MS);
          throw error;
        });
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },

    async publicKeys() {
      return (await known(KEY_CACHE_MS)).set;
    },
  };
}

/** Adds the key that signs from now on, and returns its id. */
async function addSigningKey(db: Db, keyring: Keyring): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const keyId = await calculateJwkThumbprint(publicJwk);
  await insertSigningKey(db, keyring, {
    keyId,
    publicJwk: { ...publicJwk },
    privateJwk: await exportJWK(privateKey),
  });
  return keyId;
}

type RecordRotation = (tx: Tx, keyId: string) => Promise<void>;

/** Adds a new signing key and retires the others. Their tokens stay valid, since their public keys stay published. */
export const rotateSigningKey = (
  db: Db,
  keyring: Keyring,
  record: RecordRotation = async () => {},
): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await lockSigningKeys(tx);
    return await replaceKey(tx, keyring, record);
  });

async function replaceKey(tx: Tx, keyring: Keyring, record: RecordRotation): Promise<string> {
  const keyId = await addSigningKey(tx, keyring);
  await retireSigningKeys(tx, keyId);
  await record(tx, keyId);
  return keyId;
}

/**
 * Rotates the signing key if the newest one was made before a time, in epoch milliseconds. Of several processes, one does.
 * Returns the id of the new key, if any.
 */
export async function rotateOldSigningKey(
  db: Db,
  keyring: Keyring,
  madeBefore: number,
  record: RecordRotation,
): Promise<string | undefined> {
  const isOld = async (from: Db): Promise<boolean> => {
    const newest = (await listSigningKeys(from)).find(({ retiredAt }) => retiredAt === null);
    return newest !== undefined && newest.createdAt < madeBefore;
  };
  if (!(await isOld(db))) return undefined;
  return await db.transaction().execute(async (tx) => {
    await lockSigningKeys(tx);
    return (await isOld(tx)) ? await replaceKey(tx, keyring, record) : undefined;
  });
}

const publicKeyOf = ({ keyId, publicJwk }: SigningKeyRow): JWK => ({
  ...publicJwk,
  kid: keyId,
  alg: ALGORITHM,
  use: 'sig',
});

const privateKeyOf = async (keyring: Keyring, row: SigningKeyRow): Promise<CryptoKey> =>
  (await importJWK(
    JSON.parse(keyring.open(row.privateSealed, signingKeyBinding(row.keyId))),
    ALGORITHM,
  )) as CryptoKey;

function readClaims(payload: JWTPayload & Partial<UserClaims>): VerifiedToken | undefined {
  const { aud, sub, jti, exp, name, email, isAdmin, resources, origin, madeBy } = payload;
  if (typeof aud !== 'string' || typeof sub !== 'string') return undefined;
  return {
    apiKeyId: aud,
    authTokenId: jti!.split('.')[0]!,
    user: {
      userId: sub,
      name: name ?? '',
      email: email ?? '',
      isAdmin: isAdmin === true,
      resources: (resources ?? []).map(toTokenGrant),
      ...(origin !== undefined && { origin }),
      ...(madeBy !== undefined && { madeBy }),
      expiresAt: exp! * 1_000,
    },
  };
}
