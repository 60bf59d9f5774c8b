import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Db } from '../../db/tables.ts';
import { type ChangingKeyring, createKeyring, type Keyring, keyIdOf } from '../../lib/crypto.ts';
import { randomId } from '../../lib/ids.ts';
import { LogThrottle } from '../../lib/log-throttle.ts';
import { agreeOnKey, listKeyChecks, removeHolder, removeHolders } from '../../store/keys/key-checks.ts';
import { ensureKeySource, type KeySettings, type KeySource } from './keyring.ts';

const EVERY_MS = 5_000;
/** Links of the service are signed with keys that derive from master keys, and are valid for up to an hour. */
const KEPT_AFTER_MS = 3_600_000;
/** Many values with an unknown key must not read the file each time. */
const READ_AGAIN_MS = 200;

interface Holding {
  db: Db;
  config: KeySettings;
  dataDir: string;
  log: Logger;
  /** True if no other process can use the database. */
  isAlone: boolean;
}

/** The keyring of a process of the service. */
export interface HeldKeys {
  keyring: Keyring;
  /** Reads the source again and agrees with the other processes, as happens every few seconds. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

interface Held {
  key: Buffer;
  /** When the source stopped having it. */
  goneAt: number | undefined;
}

/** The keys of a source that may change, with those that it had before for as long as something needs them. */
class KeySet {
  readonly #source: KeySource;
  readonly #held: Map<string, Held>;
  wanted: string;

  constructor(source: KeySource, keys: readonly Buffer[]) {
    this.#source = source;
    this.#held = new Map(keys.map((key) => [keyIdOf(key), { key, goneAt: undefined }]));
    this.wanted = keyIdOf(keys[0]!);
  }

  /** Reads a file again. Keys that have left it stay until `forget`. */
  readAgain(now: number): void {
    const keys = this.#source.readAgain?.();
    if (keys === undefined) return;
    const ids = new Set(keys.map(keyIdOf));
    for (const key of keys) this.#held.set(keyIdOf(key), { key, goneAt: undefined });
    for (const [id, held] of this.#held) if (!ids.has(id)) held.goneAt ??= now;
    this.wanted = keyIdOf(keys[0]!);
  }

  /** Forgets keys that left the source long ago and that no secret needs. */
  forget(needed: ReadonlySet<string>, now: number): void {
    for (const [id, { goneAt }] of this.#held)
      if (goneAt !== undefined && now - goneAt > KEPT_AFTER_MS && !needed.has(id)) this.#held.delete(id);
  }

  /** Needed keys that the source no longer has. */
  missing(needed: ReadonlySet<string>): string[] {
    return [...this.#held].flatMap(([id, { goneAt }]) =>
      goneAt !== undefined && needed.has(id) ? [id] : [],
    );
  }

  keys(): Buffer[] {
    const first = this.#held.get(this.wanted)!.key;
    return [first, ...[...this.#held.values()].map(({ key }) => key).filter((key) => key !== first)];
  }
}

/**
 * Opens the keyring of a process and keeps it as the source and the other processes have it: a changed file is read again,
 * and the key that seals changes once all processes have the next one. Throws if the keys do not fit the data.
 */
export async function holdKeys({ db, config, dataDir, log, isAlone }: Holding): Promise<HeldKeys> {
  const source = ensureKeySource(config, dataDir, log);
  const set = new KeySet(source, await source.read());
  const faults = new LogThrottle(1);
  const report = (level: 'warn' | 'error', context: object, message: string) => {
    const more = faults.take(message);
    if (more) log[level]({ ...context, ...more, source: source.name }, message);
  };
  const warn = (context: object, message: string) => report('warn', context, message);

  let readAt = 0;
  const readAgain = (now: number): void => {
    readAt = now;
    try {
      set.readAgain(now);
    } catch (error) {
      warn({ err: error }, 'the master keys cannot be read again; those from before stay in use');
    }
  };
  const keyring: ChangingKeyring = createKeyring(set.keys(), () => {
    if (Date.now() - readAt < READ_AGAIN_MS) return;
    readAgain(Date.now());
    keyring.hold(set.keys());
  });

  if (isAlone) await removeHolders(db);
  const self = { processId: randomId(), place: `${hostname()}:${process.pid}` };
  const agree = async (): Promise<void> => {
    const before = keyring.currentKeyId;
    const { keyId, waitingFor } = await agreeOnKey(db, keyring, () => set.wanted, self);
    if (keyId !== before) log.info({ masterKey: keyId }, 'secrets are sealed with another master key');
    if (waitingFor.length > 0)
      warn(
        { wanted: set.wanted, sealsWith: keyId, processes: waitingFor.map(({ place }) => place) },
        'processes that do not have the next master key keep it from sealing',
      );
  };
  await agree();

  const refresh = async (): Promise<void> => {
    readAgain(Date.now());
    keyring.hold(set.keys());
    const before = keyring.currentKeyId;
    await agree();
    const needed = new Set((await listKeyChecks(db)).map(({ keyId }) => keyId));
    const missing = set.missing(needed);
    if (missing.length > 0)
      report(
        'error',
        { masterKeys: missing },
        'a master key was removed that secrets are sealed with; put it back as a further line before any process restarts',
      );
    // Cut off from the database, the process took no part in a rotation, and has sealed with a key that was forgotten.
    if (keyring.currentKeyId !== before && !needed.has(before)) {
      log.warn(
        { masterKey: before },
        'a master key was forgotten while this process could still seal with it',
      );
      // Loaded when needed, which is hardly ever.
      const { resealAll } = await import('./reseal-all.ts');
      await resealAll(db, keyring);
    }
    set.forget(needed, Date.now());
    keyring.hold(set.keys());
  };

  let working: Promise<void> | undefined;
  const timer = setInterval(() => {
    working ??= refresh()
      .catch((error: unknown) =>
        warn({ err: error }, 'the master keys cannot be compared with other processes'),
      )
      .finally(() => {
        working = undefined;
      });
  }, EVERY_MS);
  timer.unref();

  return {
    keyring,
    refresh,
    async stop() {
      clearInterval(timer);
      await working;
      // The row of a process that cannot remove it expires.
      await removeHolder(db, self.processId).catch(() => {});
    },
  };
}

/** Opens the keyring of a command, which no other process waits for. Throws if the keys do not fit the data. */
export async function openKeysOfCommand(db: Db, source: KeySource): Promise<ChangingKeyring> {
  const keyring = createKeyring(await source.read());
  await agreeOnKey(db, keyring, () => keyring.currentKeyId);
  return keyring;
}
